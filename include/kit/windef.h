/* windef.h: the user-mode names of base types, as common headers of both halves use them. */
#ifndef KIT_WINDEF_H
#define KIT_WINDEF_H

#include "ntdef.h"
#include "kit_status.h"

KIT_BEGIN

#ifndef MAX_PATH
#define MAX_PATH 260
#endif
#ifndef WDDM_NO_HWND
typedef struct tagSIZE {
    LONG cx;
    LONG cy;
} SIZE, *PSIZE, *LPSIZE;
typedef RECT *LPRECT, *NPRECT;
typedef const RECT *LPCRECT;
typedef struct _RECTL {
    LONG left;
    LONG top;
    LONG right;
    LONG bottom;
} RECTL, *PRECTL, *LPRECTL;
typedef POINT *LPPOINT;
typedef struct _POINTL {
    LONG x;
    LONG y;
} POINTL, *PPOINTL;
#endif
/* As in the compiler's own headers; NOMINMAX does without. */
#ifndef NOMINMAX
#ifndef min
#define min(a, b) (((a) < (b)) ? (a) : (b))
#endif
#ifndef max
#define max(a, b) (((a) > (b)) ? (a) : (b))
#endif
#endif
typedef int *LPINT;
typedef HANDLE HINSTANCE, HMODULE, HGLOBAL, HLOCAL;
typedef DWORD COLORREF, *LPCOLORREF;
typedef UINT_PTR WPARAM;
typedef LONG_PTR LPARAM, LRESULT;
typedef WORD ATOM;
typedef LONG_PTR (*FARPROC)(void);
typedef LONG_PTR (*PROC)(void);

KIT_END

#endif /* KIT_WINDEF_H */
