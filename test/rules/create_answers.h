/* create_answers.h: a driver whose DxgkDdiCreateAllocation answers what the test says. */
#ifndef TEST_RULES_CREATE_ANSWERS_H
#define TEST_RULES_CREATE_ANSWERS_H

#include "rules_rig.h"

static NTSTATUS create_answer; /* STATUS_SUCCESS: the driver's own */

static inline NTSTATUS create_answered(HANDLE adapter, DXGKARG_CREATEALLOCATION *arguments)
{
    return create_answer != STATUS_SUCCESS ? create_answer : shown_bend.create(adapter, arguments);
}

static inline void create_answers(DRIVER_INITIALIZATION_DATA *driver)
{
    shown_bend.create = driver->DxgkDdiCreateAllocation;
    driver->DxgkDdiCreateAllocation = create_answered;
}

#endif
