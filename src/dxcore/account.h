/* account.h: what `vidmm run` is told of a process: a recording, and an account at its end.
 *
 *     manager --observer--> account --+--> FOLDER/PID.raw      as recorder/stream.h has it
 *                                     |--> FOLDER/PID.account  at the end: a line a fact
 *                                     '--> FOLDER/PID.svg      at the end, if VIDMM_RUN_TIMELINE is
 *                                                              set and something was submitted
 *     auditor's tap --log-----------------> FOLDER/PID.journal, if VIDMM_RUN_JOURNAL is set
 *
 * VIDMM_RECORD names the folder. The recording has a submission name what is on the residency list
 * of its device: which of it the commands use, only the GPU knows. From WDDM 2.0 on that is what
 * has to be in place.
 */
#ifndef VIDMM_DXCORE_ACCOUNT_H
#define VIDMM_DXCORE_ACCOUNT_H

#include <stdbool.h>

#include <vidmm/adapter.h>

struct softgpu_device;
struct vidmm_account;
struct vidmm_kit_seen;
struct vidmm_tap;

/* Has `vidmm run` started this process? It sets VIDMM_RUN and VIDMM_RECORD. */
bool vidmm_account_is_wanted(void);
/* Begin. NULL: there is no memory, or a file cannot be made, which stderr says. */
struct vidmm_account *vidmm_account_create(void);
/* For the adapter, and for the tap's log (NULL: none is wanted). Take NULL: they are NULL then. */
const struct vidmm_observer *vidmm_account_observer(struct vidmm_account *account);
void *vidmm_account_journal(struct vidmm_account *account);
/* A function that is not built was called. */
void vidmm_account_miss(struct vidmm_account *account, const char *name, uint64_t count);
/* While adapter and GPU are there: write the numbers. Takes NULL. gpu: NULL, if it is not the
 * software GPU. */
void vidmm_account_count(struct vidmm_account *account, const struct vidmm_adapter *adapter,
                         const struct softgpu_device *gpu);
/* A mistake of the driver that the kit has found. Takes NULL. */
void vidmm_account_kit(struct vidmm_account *account, const struct vidmm_kit_seen *seen);
/* The level of the driver: 26 is WDDM 2.6. Takes NULL. */
void vidmm_account_level(struct vidmm_account *account, uint32_t wddm);
/* There is no machine for the process. Takes NULL. */
void vidmm_account_refuse(struct vidmm_account *account, const char *why);
/* The driver ends the process; perhaps in a signal. Takes NULL. */
void vidmm_account_fell(struct vidmm_account *account, const char *text);
/* Behind vidmm_account_count(), of a machine that is left as it is: write what the auditor says so
 * far, and that a thread is inside. Takes NULL. */
void vidmm_account_break_off(struct vidmm_account *account, struct vidmm_tap *tap);
/* After the driver's last call: write what the auditor says, and end. Takes NULL. */
void vidmm_account_finish(struct vidmm_account *account, struct vidmm_tap *tap);

#endif
