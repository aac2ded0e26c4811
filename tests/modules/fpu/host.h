// SPDX-License-Identifier: Apache-2.0
// The answer of the host's own floating point.
#ifndef FPU_HOST_H
#define FPU_HOST_H

#include "work.h"

// Returns false, without an answer, if the host lacks the operation or the rounding mode,
// or if processors differ in the answer.
bool host_answer(const struct work *w, struct answer *answer);

#endif
