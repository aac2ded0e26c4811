/* SPDX-License-Identifier: Apache-2.0 */
/* The benchmark crc. */
#include "kernels.h"

#define prepare	  prepare_crc
#define benchmark run_crc
#define right	  check_crc
#include "benchmarks/crc.c"
