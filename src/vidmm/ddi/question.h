/* question.h: one question to the miniport, by DxgkDdiQueryAdapterInfo.
 *
 * Every output buffer arrives zeroed and as long as the newest structure; what the miniport is told
 * is the size of its own. Behind it stands a guard: a write there is a finding, not a crash (kit).
 */
#ifndef VIDMM_DDI_QUESTION_H
#define VIDMM_DDI_QUESTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <wddm/d3dkmddi_query.h>

struct vidmm_adapter;

/* An output buffer of `newest` bytes, zeroed, with the guard behind it; vidmm_free() gives it back.
 * NULL: no memory. */
void *vidmm_question_output(struct vidmm_adapter *adapter, size_t newest);
/* Whether something was written behind the `told` bytes that the miniport was told of. */
bool vidmm_question_overran(const uint8_t *output, size_t told, size_t newest);
/* Ask. `output` is of vidmm_question_output(). The driver's status. */
NTSTATUS vidmm_question_ask(struct vidmm_adapter *adapter, DXGK_QUERYADAPTERINFOTYPE type,
                            void *input, size_t input_size, void *output, size_t told,
                            size_t newest);
/* Ask through a buffer of the call's own, of which at most 256 bytes are told: `answer` receives
 * them, and keeps its content if the driver fails. The driver's status. */
NTSTATUS vidmm_question_put(struct vidmm_adapter *adapter, DXGK_QUERYADAPTERINFOTYPE type,
                            void *input, size_t input_size, void *answer, size_t told);

#endif
