/* outward.h: structures with text, as Linux programs have them: WCHAR is wchar_t, 4 bytes.
 *
 *     program: { UINT32, wchar_t[260] } --narrow--> { UINT32, WCHAR[260] } --> thunk
 *                                       <--widen--
 *
 * The drivers' side keeps the documents' 2 bytes. A pair of surrogates (UTF-16) becomes one
 * character; a lone one stays as it is.
 */
#ifndef VIDMM_DXCORE_OUTWARD_H
#define VIDMM_DXCORE_OUTWARD_H

#include <wddm/d3dkmthk_adapter.h>

struct vidmm_thunk_process;

/* D3DKMTQueryAdapterInfo. For a type with text PrivateDriverDataSize is that of the wide structure;
 * another is STATUS_INVALID_PARAMETER. D3DDDI_QUERYREGISTRY_INFO may be longer. */
NTSTATUS vidmm_outward_query_adapter_info(struct vidmm_thunk_process *process,
                                          D3DKMT_QUERYADAPTERINFO *arguments);

/* Text of `count` characters, with what is behind its end; at any address. A character that is none
 * becomes U+FFFD. */
void vidmm_outward_widen(void *to, const void *from, uint32_t count);
void vidmm_outward_narrow(void *to, const void *from, uint32_t count);

#endif
