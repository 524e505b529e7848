/* tables.h: the two tables through which the rooms below call up. */
#ifndef VIDMM_CLIENT_TABLES_H
#define VIDMM_CLIENT_TABLES_H

#include "vidmm/ddi/above.h"
#include "vidmm/pump/client.h"

extern const struct vidmm_pump_client vidmm_pump_client;
extern const struct vidmm_ddi_above vidmm_ddi_above;

#endif
