/* account.h: what processes with libdxcore.so have left in a folder (dxcore/account.h), read and
 * told. */
#ifndef VIDMM_TOOL_ACCOUNT_H
#define VIDMM_TOOL_ACCOUNT_H

#include <stdbool.h>
#include <stdio.h>

#include "tool/run.h"

#define VIDMM_ACCOUNTS 64u /* of a folder, at most */

struct vidmm_process_account {
    long pid;
    bool whole; /* the process has ended its machine, or has left it as it was */
    struct vidmm_run_result result;
    uint64_t page_faults;
    uint64_t inside; /* 1: left as it was, for a thread was inside a call */
    uint64_t wddm;   /* the level of its driver: 26 is WDDM 2.6; 0: it had none */
    uint64_t
        mistakes; /* of a miniport, found by the kit; the first of each is among the findings */
    char refused[400]; /* why there was no machine for the process; empty: there was */
    char fell[400];    /* how a miniport has ended the process; empty: it has not */
    char *missed;      /* functions that are not built and were called: lines, or NULL */
};

struct vidmm_accounts {
    unsigned count, left_out;
    struct vidmm_process_account account[VIDMM_ACCOUNTS]; /* most submissions first */
};

/* Read all of a folder. An account that is not whole is kept as far as it goes. */
void vidmm_accounts_read(const char *folder, struct vidmm_accounts *accounts);
void vidmm_accounts_finish(struct vidmm_accounts *accounts);

/* Tell it. Answers an exit status. */
int vidmm_account_print(const struct vidmm_process_account *account, FILE *file);

#endif
