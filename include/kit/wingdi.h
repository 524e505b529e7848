/* wingdi.h: pictures and palettes, as far as display drivers name them. */
#ifndef KIT_WINGDI_H
#define KIT_WINGDI_H

#include "windef.h"

KIT_BEGIN

typedef struct tagRGBQUAD {
    BYTE rgbBlue;
    BYTE rgbGreen;
    BYTE rgbRed;
    BYTE rgbReserved;
} RGBQUAD;
typedef struct tagPALETTEENTRY {
    BYTE peRed;
    BYTE peGreen;
    BYTE peBlue;
    BYTE peFlags;
} PALETTEENTRY, *PPALETTEENTRY, *LPPALETTEENTRY;
typedef struct tagBITMAPINFOHEADER {
    DWORD biSize;
    LONG biWidth;
    LONG biHeight;
    WORD biPlanes;
    WORD biBitCount;
    DWORD biCompression;
    DWORD biSizeImage;
    LONG biXPelsPerMeter;
    LONG biYPelsPerMeter;
    DWORD biClrUsed;
    DWORD biClrImportant;
} BITMAPINFOHEADER, *PBITMAPINFOHEADER;
#define BI_RGB 0
#define BI_BITFIELDS 3
#define RGB(Red, Green, Blue)                                                                      \
    ((COLORREF)(((BYTE)(Red) | ((WORD)((BYTE)(Green)) << 8)) | (((DWORD)(BYTE)(Blue)) << 16)))

/* A region: a header, then rectangles. */
typedef struct _RGNDATAHEADER {
    DWORD dwSize;
    DWORD iType;
    DWORD nCount;
    DWORD nRgnSize;
    RECT rcBound;
} RGNDATAHEADER, *PRGNDATAHEADER;
typedef struct _RGNDATA {
    RGNDATAHEADER rdh;
    char Buffer[1];
} RGNDATA, *PRGNDATA, *NPRGNDATA, *LPRGNDATA;

KIT_END

#endif /* KIT_WINGDI_H */
