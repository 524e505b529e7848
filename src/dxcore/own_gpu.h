/* own_gpu.h: a machine with the software GPU. */
#ifndef VIDMM_DXCORE_OWN_GPU_H
#define VIDMM_DXCORE_OWN_GPU_H

#include <stdbool.h>
#include <stddef.h>

struct _DRIVER_INITIALIZATION_DATA; /* wddm/dispmprt.h */
struct softgpu_config;
struct softgpu_device;
struct vidmm_adapter_options;
struct vidmm_host;
struct vidmm_own_gpu;

/* Make machine, slot and GPU. config outlives it. NULL: error says why. */
struct vidmm_own_gpu *vidmm_own_gpu_create(const struct softgpu_config *config, char *error,
                                           size_t error_size);
const struct vidmm_host *vidmm_own_gpu_host(const struct vidmm_own_gpu *gpu);
const struct softgpu_device *vidmm_own_gpu_device(const struct vidmm_own_gpu *gpu);
/* Its driver's functions. False: it refuses, which cannot be. */
bool vidmm_own_gpu_driver(const struct vidmm_own_gpu *gpu,
                          struct _DRIVER_INITIALIZATION_DATA *driver);
/* Fill in the options of its adapter, and begin to look at what the GPU does. */
void vidmm_own_gpu_options(struct vidmm_own_gpu *gpu, struct vidmm_adapter_options *options);

/* After the adapter's end. Takes NULL. */
void vidmm_own_gpu_destroy(struct vidmm_own_gpu *gpu);

#endif
