/* SPDX-License-Identifier: Apache-2.0 */
/* The inner loop of a machine that records uses of RAM. */
#define RECORDS_USES
#include "interp.c"
