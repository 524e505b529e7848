/* ctype.h: kinds of characters, of 7 bits. */
#ifndef KIT_CTYPE_H
#define KIT_CTYPE_H

#include "kit_compiler.h"

KIT_BEGIN

int isalpha(int Character);
int isalnum(int Character);
int isdigit(int Character);
int isxdigit(int Character);
int isspace(int Character);
int isupper(int Character);
int islower(int Character);
int isprint(int Character);
int tolower(int Character);
int toupper(int Character);

KIT_END

#endif /* KIT_CTYPE_H */
