/* SPDX-License-Identifier: Apache-2.0 */
/* The benchmark matrix. */
#include "kernels.h"

#define prepare	  prepare_matrix
#define benchmark run_matrix
#define right	  check_matrix
#include "benchmarks/matrix.c"
