/* shows_history_buffer.c: history-buffer.def, obeyed. */
#include "rules_rig.h"
