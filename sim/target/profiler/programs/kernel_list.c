/* SPDX-License-Identifier: Apache-2.0 */
/* The benchmark list. */
#include "kernels.h"

#define prepare	  prepare_list
#define benchmark run_list
#define right	  check_list
#include "benchmarks/list.c"
