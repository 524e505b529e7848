/* display.h: a driver's display children: one of them is lit, with one mode.
 *
 *     DxgkDdiQueryChildRelations, DxgkDdiQueryChildStatus       which child; is something plugged
 *                                                               in
 *     DxgkDdiIsSupportedVidPn, DxgkDdiRecommendFunctionalVidPn  a network without a path
 *     DxgkDdiIsSupportedVidPn, DxgkDdiEnumVidPnCofuncModality   a path; its modes
 *     DxgkDdiCommitVidPn, DxgkDdiSetVidPnSourceVisibility       1024 by 768, or the first mode
 *
 * The networks are the kit's (kit/vidpn.h). Whether a picture appears is not looked at.
 */
#ifndef CHECK_DISPLAY_H
#define CHECK_DISPLAY_H

#include <stdbool.h>

#include <wddm/dispmprt.h>

#define VIDMM_DISPLAY_WIDTH 1024u /* the fixed mode */
#define VIDMM_DISPLAY_HEIGHT 768u

struct vidmm_rig;

struct vidmm_check_display {
    struct vidmm_board *board;
    const DRIVER_INITIALIZATION_DATA *driver;
    HANDLE adapter;
    uint32_t sources, children; /* as DxgkDdiStartDevice told */
    bool connected, lit;
    uint32_t target; /* ChildUid of the first output where something is plugged in */
};

/* Ask which children there are, and take one that is connected. Obeys D-279. False: no memory. */
bool vidmm_check_display_children(struct vidmm_check_display *display);

/* Find a mode for it, and commit it with that primary, if `commits`. Begins a step of the board;
 * does nothing where there is no source, no connected output, or none of the calls. */
void vidmm_check_display_light(struct vidmm_check_display *display, bool commits, HANDLE primary);

/* Present a picture by DxgkDdiPresentDisplayOnly, and look for it in the frame buffer that the
 * driver took over, if it did. */
void vidmm_check_display_present(struct vidmm_rig *rig, PDXGKDDI_PRESENTDISPLAYONLY present);

/* For the interrupt that tells of a present's end. */
void vidmm_check_display_progress(const DXGKARGCB_PRESENT_DISPLAYONLY_PROGRESS *told);

/* The source invisible, the network empty again. */
void vidmm_check_display_dim(struct vidmm_check_display *display);

#endif
