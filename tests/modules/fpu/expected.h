// SPDX-License-Identifier: Apache-2.0
// The answer of the functional model.
#ifndef FPU_EXPECTED_H
#define FPU_EXPECTED_H

#include "work.h"

struct answer expected(const struct work *w);

#endif
