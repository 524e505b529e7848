/* register_device.h: a complete device model in few lines, to begin one's own with.
 *
 *     region 0, registers in memory      region 1, ports
 *     0x00  ID       reads 0x4B495430    0x0  DATA, of 8 to 32 bits
 *     0x08  DATA     64 bits, kept
 *     0x10  ADDRESS physical writing 1 to GO adds DATA to each of COUNT words of 32 bits
 *     0x18  COUNT                        at ADDRESS, by the device's own access to memory, then
 *     0x1C  GO                           raises the interrupt
 *     0x20  STATUS   bit 0: it interrupted; writing 1 clears it
 *
 *     struct register_device device;
 *     struct vidmm_device_model model;
 *     register_device_init(&device, bus, &model);    bus: of the slot it is plugged into
 *     vidmm_slot_plug(slot, &model);
 *
 * Its driver finds region 0 by CmResourceTypeMemory, region 1 by CmResourceTypePort, and reads them
 * by READ_REGISTER_ULONG and READ_PORT_ULONG; the interrupt is message 0.
 */
#ifndef REGISTER_DEVICE_H
#define REGISTER_DEVICE_H

#include <pthread.h>
#include <string.h>

#include <vidmm/bus.h>

struct register_device {
    const struct vidmm_bus *bus;
    pthread_mutex_t lock;
    union {
        uint8_t bytes[0x40];
        struct {
            uint64_t id, data, address;
            uint32_t count, go, status;
        };
    } file;
};

static inline bool register_device_read(void *argument, unsigned region, uint64_t offset,
                                        void *buffer, uint32_t length)
{
    struct register_device *device = argument;

    pthread_mutex_lock(&device->lock);
    memcpy(buffer, device->file.bytes + offset + (region == 1 ? 8 : 0), length);
    pthread_mutex_unlock(&device->lock);
    return true;
}

static inline bool register_device_go(struct register_device *device)
{
    const struct vidmm_bus *bus = device->bus;
    uint32_t *words = bus->memory(bus->context, device->file.address, 4ull * device->file.count);

    for (uint32_t i = 0; words && i < device->file.count; i++)
        words[i] += (uint32_t)device->file.data;
    device->file.go = 0;
    device->file.status |= 1;
    return words != NULL;
}

static inline bool register_device_write(void *argument, unsigned region, uint64_t offset,
                                         const void *buffer, uint32_t length)
{
    struct register_device *device = argument;

    if (region != 0 || offset < 8) /* the ports and ID are read only */
        return false;
    pthread_mutex_lock(&device->lock);
    if (offset == 0x20)
        device->file.status &= ~*(const uint32_t *)buffer;
    else
        memcpy(device->file.bytes + offset, buffer, length);
    bool go = offset == 0x1C && device->file.go == 1 && register_device_go(device);
    pthread_mutex_unlock(&device->lock);
    if (go)
        device->bus->raise_interrupt(device->bus->context, 0);
    return true;
}

static inline void register_device_init(struct register_device *device, const struct vidmm_bus *bus,
                                        struct vidmm_device_model *model)
{
    memset(device, 0, sizeof(*device));
    pthread_mutex_init(&device->lock, NULL);
    device->bus = bus;
    device->file.id = 0x4B495430;
    *model = (struct vidmm_device_model){.device = device,
                                         .vendor_id = 0x1234,
                                         .device_id = 0x5678,
                                         .messages = 1,
                                         .registers = {{0x40, false}, {4, true}},
                                         .read_register = register_device_read,
                                         .write_register = register_device_write};
}

#endif
