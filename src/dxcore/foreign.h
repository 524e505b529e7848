/* foreign.h: a machine with a miniport of the kit: libvidmm-dxcore-kit.so and the driver, loaded.
 *
 * One a process. A fork's child gets copies of the files, since kit and driver have variables that
 * their threads, which are not there, may have left half changed.
 */
#ifndef VIDMM_DXCORE_FOREIGN_H
#define VIDMM_DXCORE_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>

#include "dxcore/kit_module.h"

struct vidmm_account;
struct vidmm_foreign;
struct vidmm_machine_file;

/* Make it. file and account (or NULL) outlive it. NULL: error says why. */
struct vidmm_foreign *vidmm_foreign_create(const struct vidmm_machine_file *file,
                                           struct vidmm_account *account, char *error,
                                           size_t error_size);
const struct vidmm_kit_facts *vidmm_foreign_facts(const struct vidmm_foreign *foreign);
/* After the adapter's end; then the account hears what the kit has found. Both take NULL. */
void vidmm_foreign_end(struct vidmm_foreign *foreign);
void vidmm_foreign_destroy(struct vidmm_foreign *foreign);

/* In a fork's child: what was loaded is the parent's. */
void vidmm_foreign_forget(void);

#endif
