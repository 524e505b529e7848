/* layer_place.h: the Vulkan layer of `vidmm record`, and what it needs of the machine. */
#ifndef VIDMM_TOOL_LAYER_PLACE_H
#define VIDMM_TOOL_LAYER_PLACE_H

#include <stdbool.h>
#include <stddef.h>

#define VIDMM_LAYER_NAME "VK_LAYER_VIDMM_record"

/* The folder of the layer and its manifest, beside the tool. False: error names what is missing. */
bool vidmm_layer_folder(char *folder, size_t folder_size, char *error, size_t error_size);

/* Is there a Vulkan loader? False: error names the package that has it. */
bool vidmm_layer_loader(char *error, size_t error_size);

/* Why a program may have recorded nothing: no driver, no display, no Vulkan. A sentence. */
void vidmm_layer_diagnose(char *reason, size_t reason_size);

#endif
