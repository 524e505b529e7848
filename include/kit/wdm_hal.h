/*
 * wdm_hal.h: registers and ports, and the lists that say where a device's are.
 *
 * READ_ and WRITE_REGISTER take an address from MmMapIoSpace (or DxgkCbMapMemory). If the range
 * belongs to a device model with callbacks, they reach the model; otherwise they are loads and
 * stores. The NOFENCE forms promise no order among other accesses. READ_ and WRITE_PORT always
 * reach the model. An address or port that no model answers reads as all ones and is finding K-031.
 *
 * Source: wdm.h pages read_register_*, _cm_partial_resource_descriptor and its kin.
 */
#ifndef KIT_WDM_HAL_H
#define KIT_WDM_HAL_H

#include "wdm_ke.h"

KIT_BEGIN

UCHAR READ_REGISTER_UCHAR(volatile UCHAR *Register);
USHORT READ_REGISTER_USHORT(volatile USHORT *Register);
ULONG READ_REGISTER_ULONG(volatile ULONG *Register);
ULONG64 READ_REGISTER_ULONG64(volatile ULONG64 *Register);
VOID WRITE_REGISTER_UCHAR(volatile UCHAR *Register, UCHAR Value);
VOID WRITE_REGISTER_USHORT(volatile USHORT *Register, USHORT Value);
VOID WRITE_REGISTER_ULONG(volatile ULONG *Register, ULONG Value);
VOID WRITE_REGISTER_ULONG64(volatile ULONG64 *Register, ULONG64 Value);
UCHAR READ_REGISTER_NOFENCE_UCHAR(volatile UCHAR *Register);
USHORT READ_REGISTER_NOFENCE_USHORT(volatile USHORT *Register);
ULONG READ_REGISTER_NOFENCE_ULONG(volatile ULONG *Register);
ULONG64 READ_REGISTER_NOFENCE_ULONG64(volatile ULONG64 *Register);
VOID WRITE_REGISTER_NOFENCE_UCHAR(volatile UCHAR *Register, UCHAR Value);
VOID WRITE_REGISTER_NOFENCE_USHORT(volatile USHORT *Register, USHORT Value);
VOID WRITE_REGISTER_NOFENCE_ULONG(volatile ULONG *Register, ULONG Value);
VOID WRITE_REGISTER_NOFENCE_ULONG64(volatile ULONG64 *Register, ULONG64 Value);
VOID READ_REGISTER_BUFFER_UCHAR(volatile UCHAR *Register, PUCHAR Buffer, ULONG Count);
VOID READ_REGISTER_BUFFER_USHORT(volatile USHORT *Register, PUSHORT Buffer, ULONG Count);
VOID READ_REGISTER_BUFFER_ULONG(volatile ULONG *Register, PULONG Buffer, ULONG Count);
VOID READ_REGISTER_BUFFER_ULONG64(volatile ULONG64 *Register, PULONG64 Buffer, ULONG Count);
VOID WRITE_REGISTER_BUFFER_UCHAR(volatile UCHAR *Register, PUCHAR Buffer, ULONG Count);
VOID WRITE_REGISTER_BUFFER_USHORT(volatile USHORT *Register, PUSHORT Buffer, ULONG Count);
VOID WRITE_REGISTER_BUFFER_ULONG(volatile ULONG *Register, PULONG Buffer, ULONG Count);
VOID WRITE_REGISTER_BUFFER_ULONG64(volatile ULONG64 *Register, PULONG64 Buffer, ULONG Count);
UCHAR READ_PORT_UCHAR(PUCHAR Port);
USHORT READ_PORT_USHORT(PUSHORT Port);
ULONG READ_PORT_ULONG(PULONG Port);
VOID WRITE_PORT_UCHAR(PUCHAR Port, UCHAR Value);
VOID WRITE_PORT_USHORT(PUSHORT Port, USHORT Value);
VOID WRITE_PORT_ULONG(PULONG Port, ULONG Value);
VOID READ_PORT_BUFFER_UCHAR(PUCHAR Port, PUCHAR Buffer, ULONG Count);
VOID READ_PORT_BUFFER_USHORT(PUSHORT Port, PUSHORT Buffer, ULONG Count);
VOID READ_PORT_BUFFER_ULONG(PULONG Port, PULONG Buffer, ULONG Count);
VOID WRITE_PORT_BUFFER_UCHAR(PUCHAR Port, PUCHAR Buffer, ULONG Count);
VOID WRITE_PORT_BUFFER_USHORT(PUSHORT Port, PUSHORT Buffer, ULONG Count);
VOID WRITE_PORT_BUFFER_ULONG(PULONG Port, PULONG Buffer, ULONG Count);

/* ---- Buses and resources ---- */

typedef enum _INTERFACE_TYPE {
    InterfaceTypeUndefined = -1,
    Internal,
    Isa,
    Eisa,
    MicroChannel,
    TurboChannel,
    PCIBus,
    VMEBus,
    NuBus,
    PCMCIABus,
    CBus,
    MPIBus,
    MPSABus,
    ProcessorInternal,
    InternalPowerBus,
    PNPISABus,
    PNPBus,
    Vmcs,
    ACPIBus,
    MaximumInterfaceType
} INTERFACE_TYPE,
    *PINTERFACE_TYPE;

typedef enum _BUS_DATA_TYPE {
    ConfigurationSpaceUndefined = -1,
    Cmos,
    EisaConfiguration,
    Pos,
    CbusConfiguration,
    PCIConfiguration,
    MaximumBusDataType = 14
} BUS_DATA_TYPE;

#define CmResourceTypeNull 0
#define CmResourceTypePort 1
#define CmResourceTypeInterrupt 2
#define CmResourceTypeMemory 3
#define CmResourceTypeDma 4
#define CmResourceTypeDeviceSpecific 5
#define CmResourceTypeBusNumber 6
#define CmResourceTypeMemoryLarge 7
#define CmResourceTypeMaximum 8
#define CmResourceTypeConnection 132
#define CM_RESOURCE_MEMORY_READ_WRITE 0x0000
#define CM_RESOURCE_MEMORY_READ_ONLY 0x0001
#define CM_RESOURCE_MEMORY_PREFETCHABLE 0x0004
#define CM_RESOURCE_MEMORY_BAR 0x0080
#define CM_RESOURCE_MEMORY_LARGE_40 0x0200
#define CM_RESOURCE_MEMORY_LARGE_48 0x0400
#define CM_RESOURCE_MEMORY_LARGE_64 0x0800
#define CM_RESOURCE_PORT_MEMORY 0x0000
#define CM_RESOURCE_PORT_IO 0x0001
#define CM_RESOURCE_PORT_BAR 0x0100
#define CM_RESOURCE_INTERRUPT_LEVEL_SENSITIVE 0
#define CM_RESOURCE_INTERRUPT_LATCHED 1
#define CM_RESOURCE_INTERRUPT_MESSAGE 2
#define CM_RESOURCE_INTERRUPT_MESSAGE_TOKEN ((ULONG)-2)
#define CM_RESOURCE_CONNECTION_CLASS_GPIO 1
#define CM_RESOURCE_CONNECTION_CLASS_SERIAL 2
#define CM_RESOURCE_CONNECTION_TYPE_GPIO_IO 2
#define CM_RESOURCE_CONNECTION_TYPE_SERIAL_I2C 1
#define CM_RESOURCE_CONNECTION_TYPE_SERIAL_SPI 2
#define CM_RESOURCE_CONNECTION_TYPE_SERIAL_UART 3

typedef enum _CM_SHARE_DISPOSITION {
    CmResourceShareUndetermined,
    CmResourceShareDeviceExclusive,
    CmResourceShareDriverExclusive,
    CmResourceShareShared
} CM_SHARE_DISPOSITION;

#pragma pack(push, 4)
typedef struct _CM_PARTIAL_RESOURCE_DESCRIPTOR {
    UCHAR Type; /* CmResourceType... */
    UCHAR ShareDisposition;
    USHORT Flags;
    union {
        struct {
            PHYSICAL_ADDRESS Start;
            ULONG Length;
        } Generic, Port, Memory, Memory40, Memory48, Memory64;
        struct {
            USHORT Level;
            USHORT Group;
            ULONG Vector;
            KAFFINITY Affinity;
        } Interrupt;
        struct {
            union {
                struct {
                    USHORT Group;
                    USHORT MessageCount;
                    ULONG Vector;
                    KAFFINITY Affinity;
                } Raw;
                struct {
                    USHORT Level;
                    USHORT Group;
                    ULONG Vector;
                    KAFFINITY Affinity;
                } Translated;
            };
        } MessageInterrupt;
        struct {
            ULONG Channel;
            ULONG Port;
            ULONG Reserved1;
        } Dma;
        struct {
            ULONG Data[3];
        } DevicePrivate;
        struct {
            ULONG Start;
            ULONG Length;
            ULONG Reserved;
        } BusNumber;
        struct {
            ULONG DataSize;
            ULONG Reserved1;
            ULONG Reserved2;
        } DeviceSpecificData;
        struct {
            UCHAR Class;
            UCHAR Type;
            UCHAR Reserved1;
            UCHAR Reserved2;
            ULONG IdLowPart;
            ULONG IdHighPart;
        } Connection;
    } u;
} CM_PARTIAL_RESOURCE_DESCRIPTOR, *PCM_PARTIAL_RESOURCE_DESCRIPTOR;

typedef struct _CM_PARTIAL_RESOURCE_LIST {
    USHORT Version;
    USHORT Revision;
    ULONG Count;
    CM_PARTIAL_RESOURCE_DESCRIPTOR PartialDescriptors[1];
} CM_PARTIAL_RESOURCE_LIST, *PCM_PARTIAL_RESOURCE_LIST;

typedef struct _CM_FULL_RESOURCE_DESCRIPTOR {
    INTERFACE_TYPE InterfaceType;
    ULONG BusNumber;
    CM_PARTIAL_RESOURCE_LIST PartialResourceList;
} CM_FULL_RESOURCE_DESCRIPTOR, *PCM_FULL_RESOURCE_DESCRIPTOR;

typedef struct _CM_RESOURCE_LIST {
    ULONG Count;
    CM_FULL_RESOURCE_DESCRIPTOR List[1];
} CM_RESOURCE_LIST;
#pragma pack(pop)

/* A memory or port range of a descriptor, whatever unit it counts in. */
ULONGLONG RtlCmDecodeMemIoResource(PCM_PARTIAL_RESOURCE_DESCRIPTOR Descriptor, PULONGLONG Start);
NTSTATUS RtlCmEncodeMemIoResource(PCM_PARTIAL_RESOURCE_DESCRIPTOR Descriptor, UCHAR Type,
                                  ULONGLONG Length, ULONGLONG Start);

typedef struct _PCI_SLOT_NUMBER {
    union {
        struct {
            ULONG DeviceNumber : 5;
            ULONG FunctionNumber : 3;
            ULONG Reserved : 24;
        } bits;
        ULONG AsULONG;
    } u;
} PCI_SLOT_NUMBER, *PPCI_SLOT_NUMBER;

#define PCI_TYPE0_ADDRESSES 6
#define PCI_TYPE1_ADDRESSES 2
typedef struct _PCI_COMMON_HEADER {
    USHORT VendorID;
    USHORT DeviceID;
    USHORT Command;
    USHORT Status;
    UCHAR RevisionID;
    UCHAR ProgIf;
    UCHAR SubClass;
    UCHAR BaseClass;
    UCHAR CacheLineSize;
    UCHAR LatencyTimer;
    UCHAR HeaderType;
    UCHAR BIST;
    union {
        struct _PCI_HEADER_TYPE_0 {
            ULONG BaseAddresses[PCI_TYPE0_ADDRESSES];
            ULONG CIS;
            USHORT SubVendorID;
            USHORT SubSystemID;
            ULONG ROMBaseAddress;
            UCHAR CapabilitiesPtr;
            UCHAR Reserved1[3];
            ULONG Reserved2;
            UCHAR InterruptLine;
            UCHAR InterruptPin;
            UCHAR MinimumGrant;
            UCHAR MaximumLatency;
        } type0;
        struct _PCI_HEADER_TYPE_1 { /* a bridge to another PCI bus */
            ULONG BaseAddresses[PCI_TYPE1_ADDRESSES];
            UCHAR PrimaryBus;
            UCHAR SecondaryBus;
            UCHAR SubordinateBus;
            UCHAR SecondaryLatency;
            UCHAR IOBase;
            UCHAR IOLimit;
            USHORT SecondaryStatus;
            USHORT MemoryBase;
            USHORT MemoryLimit;
            USHORT PrefetchBase;
            USHORT PrefetchLimit;
            ULONG PrefetchBaseUpper32;
            ULONG PrefetchLimitUpper32;
            USHORT IOBaseUpper16;
            USHORT IOLimitUpper16;
            UCHAR CapabilitiesPtr;
            UCHAR Reserved1[3];
            ULONG ROMBaseAddress;
            UCHAR InterruptLine;
            UCHAR InterruptPin;
            USHORT BridgeControl;
        } type1;
        struct _PCI_HEADER_TYPE_2 { /* a bridge to CardBus */
            ULONG SocketRegistersBaseAddress;
            UCHAR CapabilitiesPtr;
            UCHAR Reserved;
            USHORT SecondaryStatus;
            UCHAR PrimaryBus;
            UCHAR SecondaryBus;
            UCHAR SubordinateBus;
            UCHAR SecondaryLatency;
            struct {
                ULONG Base;
                ULONG Limit;
            } Range[4];
            UCHAR InterruptLine;
            UCHAR InterruptPin;
            USHORT BridgeControl;
        } type2;
    } u;
} PCI_COMMON_HEADER, *PPCI_COMMON_HEADER;
typedef struct _PCI_COMMON_CONFIG {
    PCI_COMMON_HEADER Header;
    UCHAR DeviceSpecific[192];
} PCI_COMMON_CONFIG, *PPCI_COMMON_CONFIG;
#define PCI_COMMON_HDR_LENGTH 64
#define PCI_WHICHSPACE_CONFIG 0x0
#define PCI_WHICHSPACE_ROM 0x52696350
#define PCI_INVALID_VENDORID 0xFFFF
#define PCI_ENABLE_IO_SPACE 0x0001
#define PCI_ENABLE_MEMORY_SPACE 0x0002
#define PCI_ENABLE_BUS_MASTER 0x0004
#define PCI_DISABLE_LEVEL_INTERRUPT 0x0400  /* of Command */
#define PCI_STATUS_CAPABILITIES_LIST 0x0010 /* of Status */
#define PCI_MULTIFUNCTION 0x80              /* of HeaderType */
#define PCI_DEVICE_TYPE 0x00
#define PCI_BRIDGE_TYPE 0x01
#define PCI_CARDBUS_BRIDGE_TYPE 0x02

/* A base address register. */
#define PCI_ADDRESS_IO_SPACE 0x00000001
#define PCI_ADDRESS_MEMORY_TYPE_MASK 0x00000006
#define PCI_ADDRESS_MEMORY_PREFETCHABLE 0x00000008
#define PCI_ADDRESS_IO_ADDRESS_MASK 0xFFFFFFFC
#define PCI_ADDRESS_MEMORY_ADDRESS_MASK 0xFFFFFFF0
#define PCI_ADDRESS_ROM_ADDRESS_MASK 0xFFFFF800
#define PCI_TYPE_32BIT 0
#define PCI_TYPE_20BIT 2
#define PCI_TYPE_64BIT 4

/* Capabilities: a list of these, from CapabilitiesPtr on. */
typedef struct _PCI_CAPABILITIES_HEADER {
    UCHAR CapabilityID; /* PCI_CAPABILITY_ID_... */
    UCHAR Next;         /* offset in config space, or 0 */
} PCI_CAPABILITIES_HEADER, *PPCI_CAPABILITIES_HEADER;
#define PCI_CAPABILITY_ID_POWER_MANAGEMENT 0x01
#define PCI_CAPABILITY_ID_AGP 0x02
#define PCI_CAPABILITY_ID_VPD 0x03
#define PCI_CAPABILITY_ID_MSI 0x05
#define PCI_CAPABILITY_ID_VENDOR_SPECIFIC 0x09
#define PCI_CAPABILITY_ID_PCI_EXPRESS 0x10
#define PCI_CAPABILITY_ID_MSIX 0x11

/* Class codes of displays. */
#define PCI_CLASS_DISPLAY_CTLR 0x03
#define PCI_SUBCLASS_VID_VGA_CTLR 0x00
#define PCI_SUBCLASS_VID_XGA_CTLR 0x01
#define PCI_SUBCLASS_VID_3D_CTLR 0x02
#define PCI_SUBCLASS_VID_OTHER 0x80

typedef struct _PCI_DEVICE_PRESENCE_PARAMETERS {
    ULONG Size;
    ULONG Flags;
    USHORT VendorID;
    USHORT DeviceID;
    UCHAR RevisionID;
    USHORT SubVendorID;
    USHORT SubSystemID;
    UCHAR BaseClass;
    UCHAR SubClass;
    UCHAR ProgIf;
} PCI_DEVICE_PRESENCE_PARAMETERS;

ULONG HalGetBusData(BUS_DATA_TYPE BusDataType, ULONG BusNumber, ULONG SlotNumber, PVOID Buffer,
                    ULONG Length);
ULONG HalGetBusDataByOffset(BUS_DATA_TYPE BusDataType, ULONG BusNumber, ULONG SlotNumber,
                            PVOID Buffer, ULONG Offset, ULONG Length);
ULONG HalSetBusDataByOffset(BUS_DATA_TYPE BusDataType, ULONG BusNumber, ULONG SlotNumber,
                            PVOID Buffer, ULONG Offset, ULONG Length);
BOOLEAN HalTranslateBusAddress(INTERFACE_TYPE InterfaceType, ULONG BusNumber,
                               PHYSICAL_ADDRESS BusAddress, PULONG AddressSpace,
                               PPHYSICAL_ADDRESS TranslatedAddress);

KIT_END

#endif /* KIT_WDM_HAL_H */
