/* SPDX-License-Identifier: Apache-2.0 */
/* A small plan of the run-time profiler: three functions, in two areas that take turns,
 * with every kind of label. */
#ifndef STUBS_PLAN_H
#define STUBS_PLAN_H

#include <stdlib.h>

#include "check.h"
#include "stubs/stubs.h"

enum { PLAN_FUNCTIONS = 3, PLAN_LABELS = 8, PLAN_CODE = 2 * TR_STUBS_PAGE };

static const struct tr_stubs_function plan_functions[PLAN_FUNCTIONS] = {
    /* near, one instruction of 4 bytes */
    {.start = 0x10000,
     .resume = 0x10004,
     .index = 0,
     .stub = 0,
     .stub_size = 24,
     .first_label = 0,
     .size = 4,
     .original = {0x93, 0x07, 0x85, 0x00},
     .moved = {14},
     .tail = 18},
    /* far: instructions of 2, 4 (auipc), 2 and 2 (c.beqz) bytes */
    {.start = 0x10010,
     .resume = 0x1001a,
     .index = 7,
     .stub = 4096,
     .stub_size = 44,
     .first_label = 2,
     .size = 10,
     .kind = TR_STUBS_FAR,
     .area = 1,
     .original = {0x01, 0x11, 0x17, 0x25, 0x00, 0x00, 0x06, 0xec, 0x01, 0xc1},
     .moved = {14, 16, 0, 24, 26},
     .tail = 36},
    /* near, instructions of 2 and 4 bytes; the second jumps to the entry */
    {.start = 0x10020,
     .index = 3,
     .stub = 24,
     .stub_size = 20,
     .first_label = 6,
     .size = 6,
     .loops = true,
     .original = {0x05, 0x05, 0x6f, 0xf0, 0xff, 0xff},
     .moved = {14, 16}},
};

static const struct tr_stubs_label plan_labels[PLAN_LABELS] = {
    {.at = 0, .kind = TR_STUBS_COUNTER, .reg = 5, .target = 0},
    {.at = 18, .kind = TR_STUBS_JUMP, .target = 0x10004},
    {.at = 4096, .kind = TR_STUBS_COUNTER, .reg = 5, .target = 7},
    {.at = 4096 + 16, .kind = TR_STUBS_ADDRESS, .reg = 10, .target = 0x12345},
    {.at = 4096 + 28, .kind = TR_STUBS_FAR_JUMP, .reg = 6, .target = 0x10100},
    {.at = 4096 + 36, .kind = TR_STUBS_FAR_JUMP, .reg = 7, .target = 0x1001a},
    {.at = 24, .kind = TR_STUBS_COUNTER, .reg = 5, .target = 3},
    {.at = 24 + 16, .kind = TR_STUBS_JUMP, .target = 0x10020},
};

static const char *const plan_names[PLAN_FUNCTIONS] = {"multiply", "square_root", "spin"};

/* The code that counts and moved instructions do not matter here. */
static uint8_t plan_code[PLAN_CODE];

static inline struct tr_stubs make_stub_plan(void)
{
	for (size_t i = 0; i < PLAN_CODE; i++)
		plan_code[i] = (uint8_t)(i * 7 >> 3);
	struct tr_stubs plan = {
	    .flags = TR_STUBS_STOPPED | TR_STUBS_MOVABLE,
	    .program_entry = 0x10020,
	    .program_first = {1, 2, 3, 4},
	    .program_size = 123456789012,
	    .program_mtime = 1700000000,
	    .build_id = {0xaa, 0xbb, 0xcc},
	    .build_id_size = 20,
	    .code_offset = TR_STUBS_PAGE,
	    .image = {.code_offset = 3 * TR_STUBS_PAGE,
		      .code_checksum = 0x1122334455667788,
		      .counters = 0x9000,
		      .text_address = 0x10000,
		      .text_size = 0x1234,
		      .text_origin = 0x1000,
		      .text_offset = 7 * TR_STUBS_PAGE,
		      .text_digest = 0x8877665544332211},
	    .code_size = PLAN_CODE,
	    .code_checksum = tr_stubs_checksum(plan_code, PLAN_CODE),
	    .counters = 8,
	    .areas = {{0, TR_STUBS_PAGE, 0x1000, 0xf000},
		      {TR_STUBS_PAGE, TR_STUBS_PAGE, 0x20000, 0xfffff000}},
	    .functions = plan_functions,
	    .function_count = PLAN_FUNCTIONS,
	    .labels = plan_labels,
	    .label_count = PLAN_LABELS,
	};
	return plan;
}

#endif
