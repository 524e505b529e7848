/* winerror.h: results of user mode, as common headers name them. */
#ifndef KIT_WINERROR_H
#define KIT_WINERROR_H

#include "kit_status.h"

#ifndef NO_ERROR
#define NO_ERROR 0L
#endif
#define ERROR_SUCCESS 0L
#define ERROR_INVALID_FUNCTION 1L
#define ERROR_FILE_NOT_FOUND 2L
#define ERROR_ACCESS_DENIED 5L
#define ERROR_NOT_ENOUGH_MEMORY 8L
#define ERROR_NOT_SUPPORTED 50L
#define ERROR_INVALID_PARAMETER 87L
#define ERROR_INSUFFICIENT_BUFFER 122L
#define ERROR_MORE_DATA 234L

#endif /* KIT_WINERROR_H */
