/*
 * wdm_table.h: generic tables (elements in order, found by a comparison of the driver's), and
 * things done once.
 *
 *     element in memory:   links of the kit, then BufferSize bytes copied from the caller's
 *
 * Both kinds of table, with and without Avl, are balanced trees here; the routines of the driver's
 * get the table that they were given, and AllocateRoutine is asked for the links' room as well.
 *
 * Source: RtlInitializeGenericTable, RtlInitializeGenericTableAvl, RtlRunOnceExecuteOnce and their
 * kin.
 */
#ifndef KIT_WDM_TABLE_H
#define KIT_WDM_TABLE_H

#include "wdm.h"

KIT_BEGIN

typedef enum _RTL_GENERIC_COMPARE_RESULTS {
    GenericLessThan,
    GenericGreaterThan,
    GenericEqual
} RTL_GENERIC_COMPARE_RESULTS;

typedef enum _TABLE_SEARCH_RESULT {
    TableEmptyTree,
    TableFoundNode,
    TableInsertAsLeft,
    TableInsertAsRight
} TABLE_SEARCH_RESULT;

struct _RTL_AVL_TABLE;
typedef RTL_GENERIC_COMPARE_RESULTS RTL_AVL_COMPARE_ROUTINE(struct _RTL_AVL_TABLE *Table,
                                                            PVOID FirstStruct, PVOID SecondStruct);
typedef PVOID RTL_AVL_ALLOCATE_ROUTINE(struct _RTL_AVL_TABLE *Table, ULONG ByteSize);
typedef VOID RTL_AVL_FREE_ROUTINE(struct _RTL_AVL_TABLE *Table, PVOID Buffer);
typedef RTL_AVL_COMPARE_ROUTINE *PRTL_AVL_COMPARE_ROUTINE;
typedef RTL_AVL_ALLOCATE_ROUTINE *PRTL_AVL_ALLOCATE_ROUTINE;
typedef RTL_AVL_FREE_ROUTINE *PRTL_AVL_FREE_ROUTINE;

/* BalancedRoot is a head: its right child is the first of the tree. */
typedef struct _RTL_AVL_TABLE {
    RTL_BALANCED_LINKS BalancedRoot;
    PVOID OrderedPointer;
    ULONG WhichOrderedElement;
    ULONG NumberGenericTableElements;
    ULONG DepthOfTree;
    PRTL_BALANCED_LINKS RestartKey;
    ULONG DeleteCount;
    PRTL_AVL_COMPARE_ROUTINE CompareRoutine;
    PRTL_AVL_ALLOCATE_ROUTINE AllocateRoutine;
    PRTL_AVL_FREE_ROUTINE FreeRoutine;
    PVOID TableContext;
} RTL_AVL_TABLE, *PRTL_AVL_TABLE;

VOID RtlInitializeGenericTableAvl(PRTL_AVL_TABLE Table, PRTL_AVL_COMPARE_ROUTINE CompareRoutine,
                                  PRTL_AVL_ALLOCATE_ROUTINE AllocateRoutine,
                                  PRTL_AVL_FREE_ROUTINE FreeRoutine, PVOID TableContext);
PVOID RtlInsertElementGenericTableAvl(PRTL_AVL_TABLE Table, PVOID Buffer, ULONG BufferSize,
                                      PBOOLEAN NewElement);
BOOLEAN RtlDeleteElementGenericTableAvl(PRTL_AVL_TABLE Table, PVOID Buffer);
PVOID RtlLookupElementGenericTableAvl(PRTL_AVL_TABLE Table, PVOID Buffer);
PVOID RtlEnumerateGenericTableAvl(PRTL_AVL_TABLE Table, BOOLEAN Restart);
PVOID RtlEnumerateGenericTableWithoutSplayingAvl(PRTL_AVL_TABLE Table, PVOID *RestartKey);
PVOID RtlGetElementGenericTableAvl(PRTL_AVL_TABLE Table, ULONG I);
ULONG RtlNumberGenericTableElementsAvl(PRTL_AVL_TABLE Table);
BOOLEAN RtlIsGenericTableEmptyAvl(PRTL_AVL_TABLE Table);

/* The older kind of table is another name of this one here. */
typedef RTL_AVL_TABLE RTL_GENERIC_TABLE, *PRTL_GENERIC_TABLE;
typedef PRTL_AVL_COMPARE_ROUTINE PRTL_GENERIC_COMPARE_ROUTINE;
typedef PRTL_AVL_ALLOCATE_ROUTINE PRTL_GENERIC_ALLOCATE_ROUTINE;
typedef PRTL_AVL_FREE_ROUTINE PRTL_GENERIC_FREE_ROUTINE;
typedef RTL_AVL_COMPARE_ROUTINE RTL_GENERIC_COMPARE_ROUTINE;
typedef RTL_AVL_ALLOCATE_ROUTINE RTL_GENERIC_ALLOCATE_ROUTINE;
typedef RTL_AVL_FREE_ROUTINE RTL_GENERIC_FREE_ROUTINE;
#define _RTL_GENERIC_TABLE _RTL_AVL_TABLE
#define RtlInitializeGenericTable RtlInitializeGenericTableAvl
#define RtlInsertElementGenericTable RtlInsertElementGenericTableAvl
#define RtlDeleteElementGenericTable RtlDeleteElementGenericTableAvl
#define RtlLookupElementGenericTable RtlLookupElementGenericTableAvl
#define RtlEnumerateGenericTable RtlEnumerateGenericTableAvl
#define RtlEnumerateGenericTableWithoutSplaying RtlEnumerateGenericTableWithoutSplayingAvl
#define RtlGetElementGenericTable RtlGetElementGenericTableAvl
#define RtlNumberGenericTableElements RtlNumberGenericTableElementsAvl
#define RtlIsGenericTableEmpty RtlIsGenericTableEmptyAvl

/* ---- once ---- */

typedef union _RTL_RUN_ONCE {
    PVOID Ptr;
} RTL_RUN_ONCE, *PRTL_RUN_ONCE;
#define RTL_RUN_ONCE_INIT                                                                          \
    {                                                                                              \
        0                                                                                          \
    }
#define RTL_RUN_ONCE_CHECK_ONLY 0x1
#define RTL_RUN_ONCE_ASYNC 0x2
#define RTL_RUN_ONCE_INIT_FAILED 0x4
typedef ULONG RTL_RUN_ONCE_INIT_FN(PRTL_RUN_ONCE RunOnce, PVOID Parameter, PVOID *Context);
typedef RTL_RUN_ONCE_INIT_FN *PRTL_RUN_ONCE_INIT_FN;
VOID RtlRunOnceInitialize(PRTL_RUN_ONCE RunOnce);
NTSTATUS RtlRunOnceExecuteOnce(PRTL_RUN_ONCE RunOnce, PRTL_RUN_ONCE_INIT_FN InitFn, PVOID Parameter,
                               PVOID *Context);

KIT_END

#endif /* KIT_WDM_TABLE_H */
