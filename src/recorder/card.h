/* card.h: the memory types that the program is shown: the driver's own, or a discrete card's. */
#ifndef VIDMM_RECORDER_CARD_H
#define VIDMM_RECORDER_CARD_H

#include "recorder/state.h"

/* A driver of one memory type can be shown as another card: each type shown is that one. */
void vidmm_card_show(VkPhysicalDeviceMemoryProperties *properties);
/* Is a card shown instead of one with these properties? By $VIDMM_RECORD_CARD: own, discrete,
 * resizable; by default discrete where it is possible. */
bool vidmm_card_shown(const VkPhysicalDeviceMemoryProperties *own);
/* The budget that goes with it. used: bytes in each heap, or NULL. */
void vidmm_card_budget(VkPhysicalDeviceMemoryBudgetPropertiesEXT *budget, const uint64_t *used);
/* Say in the recording what is shown. */
void vidmm_card_say(bool shown, const VkPhysicalDeviceMemoryProperties *own);
uint64_t vidmm_card_heap_size(uint32_t heap);
/* Types that a resource may have, of those the driver says. */
uint32_t vidmm_card_bits(const struct vidmm_record_device *device, uint32_t own);

#endif
