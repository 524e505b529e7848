/* mmu_config.h: whether an engine can work with a GPU's page tables as they are described.
 *
 * Source: DXGK_GPUMMUCAPS, DXGK_PAGE_TABLE_LEVEL_DESC; rules D-135, D-228, D-265, D-334.
 */
#ifndef VIDMM_ENGINE_STATE_MMU_CONFIG_H
#define VIDMM_ENGINE_STATE_MMU_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

struct vidmm_engine_config;

/* Whether the configuration is one that this can work with; levels 0: always. */
bool vidmm_mmu_is_legal(const struct vidmm_engine_config *config);
/* The levels, a bit each, whose tables take memory of segments. */
uint32_t vidmm_mmu_levels_in_memory(const struct vidmm_engine_config *config);

#endif
