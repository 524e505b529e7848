/* test_faults.h: what a test has the engine do (VIDMM_EVENT_SET_FAULTS); test_faults.c. */
#ifndef VIDMM_ENGINE_STATE_TEST_FAULTS_H
#define VIDMM_ENGINE_STATE_TEST_FAULTS_H

#include <stdint.h>

#include <wddm/wddm_types.h>

struct vidmm_engine;
struct vidmm_event;

/* VIDMM_EVENT_SET_FAULTS. STATUS_INVALID_PARAMETER: a bit that is none, or offers that are to keep
 * their content and to lose it; nothing has changed. */
NTSTATUS vidmm_test_faults_set(struct vidmm_engine *engine, const struct vidmm_event *event);

/* Bytes of the next piece of a transfer, which are `most` otherwise; 0: as many as there are. */
uint64_t vidmm_test_faults_piece(const struct vidmm_engine *engine, uint64_t most);

#endif
