/*
 * document.h: addresses of the public pages that rules and findings name.
 */
#ifndef VIDMM_WDDM_DOCUMENT_H
#define VIDMM_WDDM_DOCUMENT_H

#include <stdbool.h>

struct vidmm_text;

/* Append the address of the page that `source` names first; false, and nothing is appended: no page
 * of that name is known. A source is a list of pages with their parts:
 * "DXGKDDI_BUILDPAGINGBUFFER / remarks", "gpu-segments; dxgk_querysegmentout4",
 * "DXGK_VIDPN_INTERFACE, pfnGetTopology". Letters of both cases are alike, so are spaces and
 * hyphens. */
bool vidmm_document_address(struct vidmm_text *text, const char *source);

#endif
