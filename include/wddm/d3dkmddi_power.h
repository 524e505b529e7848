/*
 * d3dkmddi_power.h: parts of the adapter whose power is managed one by one.
 *
 * A driver of WDDM 1.2 or above answers DXGKQAITYPE_NUMPOWERCOMPONENTS with how many it has, and
 * DXGKQAITYPE_POWERCOMPONENTINFO with one of these for each. F0 is full power; the higher the
 * number, the deeper it sleeps. Times are in units of 100 ns, power in microwatts.
 */
#ifndef WDDM_D3DKMDDI_POWER_H
#define WDDM_D3DKMDDI_POWER_H

#include "d3dukmdt_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of a name, its end included. */
#define DXGK_POWER_COMPONENT_NAME_SIZE 40

/* Page: ns-d3dkmddi-_dxgk_power_runtime_state. */
typedef struct _DXGK_POWER_RUNTIME_STATE {
    ULONGLONG TransitionLatency;
    ULONGLONG ResidencyRequirement;
    ULONG NominalPower;
} DXGK_POWER_RUNTIME_STATE;
WDDM_SPELLINGS(DXGK_POWER_RUNTIME_STATE);

/* Page: ne-d3dkmddi-_dxgk_power_component_type. */
typedef enum _DXGK_POWER_COMPONENT_TYPE {
    DXGK_POWER_COMPONENT_ENGINE = 0,
    DXGK_POWER_COMPONENT_MONITOR = 1,
    DXGK_POWER_COMPONENT_MONITOR_REFRESH = 2,
    DXGK_POWER_COMPONENT_MEMORY = 3,
    DXGK_POWER_COMPONENT_MEMORY_REFRESH = 4,
    DXGK_POWER_COMPONENT_OTHER = 5,
    DXGK_POWER_COMPONENT_MAX = 6,
} DXGK_POWER_COMPONENT_TYPE;
WDDM_VALUE_SPELLINGS(DXGK_POWER_COMPONENT_TYPE);

/* Page: ns-d3dkmddi-_dxgk_power_component_mapping. */
typedef struct _DXGK_POWER_COMPONENT_MAPPING {
    DXGK_POWER_COMPONENT_TYPE ComponentType;
    union {
        struct {
            UINT NodeIndex;
        } EngineDesc;
        struct {
            UINT VidPnSourceID;
        } MonitorRefreshDesc;
        struct {
            UINT VidPnTargetID;
        } MonitorDesc;
    };
} DXGK_POWER_COMPONENT_MAPPING;
WDDM_SPELLINGS(DXGK_POWER_COMPONENT_MAPPING);

/* Page: ns-d3dkmddi-_dxgk_power_component_flags. */
typedef struct _DXGK_POWER_COMPONENT_FLAGS {
    union {
        struct {
            UINT Reserved0 : 1;
            UINT DriverCompletesFStateTransition : 1;
            UINT TransitionTo_F0_OnDx : 1;
            UINT NoDebounce : 1;
            UINT ActiveInD3 : 1;
            UINT Reserved : 27;
        };
        UINT Value;
    };
} DXGK_POWER_COMPONENT_FLAGS;
WDDM_SPELLINGS(DXGK_POWER_COMPONENT_FLAGS);

/* Page: ns-d3dkmddi-_dxgk_power_runtime_component. */
typedef struct _DXGK_POWER_RUNTIME_COMPONENT {
    ULONG StateCount;
    DXGK_POWER_RUNTIME_STATE States[DXGK_MAX_F_STATES];
    DXGK_POWER_COMPONENT_MAPPING ComponentMapping;
    DXGK_POWER_COMPONENT_FLAGS Flags;
    GUID ComponentGuid;
    UCHAR ComponentName[DXGK_POWER_COMPONENT_NAME_SIZE];
    ULONG ProviderCount;
    ULONG Providers[DXGK_MAX_POWER_COMPONENT_PROVIDERS];
} DXGK_POWER_RUNTIME_COMPONENT;
WDDM_SPELLINGS(DXGK_POWER_RUNTIME_COMPONENT);

#ifdef __cplusplus
}
#endif

#endif /* WDDM_D3DKMDDI_POWER_H */
