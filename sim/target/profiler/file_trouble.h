/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong with a file. */
#ifndef PROF_FILE_TROUBLE_H
#define PROF_FILE_TROUBLE_H

#include <stdint.h>

/* Why a file was not read: one line for the user. */
struct prof_trouble {
	const char *reason; /* static storage */
	uint64_t at;	    /* byte of the file; PROF_NO_BYTE: no byte is to blame */
};
#define PROF_NO_BYTE UINT64_MAX

#endif
