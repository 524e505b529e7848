/* seen_history_buffer.c: history-buffer.def broken, and answered. */
#include "rules_rig.h"
