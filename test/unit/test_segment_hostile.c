/* test_segment_hostile.c: the same against brute force, by a segment that has no patience: each
 * search that is not answered at once makes holes known, so that the survey answers far more. */
#define VIDMM_SEGMENT_PATIENCE 0
#include "vidmm/engine/space/segment.c"
#include "vidmm/engine/space/segment_survey.c"

#include "test_segment_model.c"
