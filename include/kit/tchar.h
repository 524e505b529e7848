/* tchar.h: text that is wide if _UNICODE is defined. */
#ifndef KIT_TCHAR_H
#define KIT_TCHAR_H

#include "kit_compiler.h"
#include "stdio.h"
#include "string.h"

#ifdef _UNICODE
typedef wchar_t TCHAR, _TCHAR;
#define _T(Text) L##Text
#define _tcslen wcslen
#define _tcscmp wcscmp
#define _tcsicmp _wcsicmp
#define _tcscpy wcscpy
#else
typedef char TCHAR, _TCHAR;
#define _T(Text) Text
#define _tcslen strlen
#define _tcscmp strcmp
#define _tcsicmp _stricmp
#define _tcscpy strcpy
#endif
#define _TEXT(Text) _T(Text)
#ifndef TEXT
#define TEXT(Text) _T(Text)
#endif
typedef TCHAR *PTCHAR, *PTSTR, *LPTSTR;
typedef const TCHAR *PCTSTR, *LPCTSTR;

#endif /* KIT_TCHAR_H */
