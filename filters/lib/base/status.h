/* SPDX-License-Identifier: Apache-2.0 */
/* Status codes that library calls return: TR_OK, TR_END or a negative error. */
#ifndef TR_STATUS_H
#define TR_STATUS_H

enum tr_status {
	TR_OK = 0,
	TR_END = 1,	       /* no more records: the stream is complete */
	TR_E_IO = -1,	       /* a system call failed; see errno */
	TR_E_TRUNCATED = -2,   /* the input ends before its end record */
	TR_E_CORRUPT = -3,     /* wrong checksum, or a value that no writer produces */
	TR_E_UNSUPPORTED = -4, /* another version, or an unknown must-understand part */
	TR_E_NOMEM = -5,
	TR_E_ARGUMENT = -6,  /* the caller broke the contract of the call */
	TR_E_NO_SOURCE = -7, /* the program that should have written the stream reported a
			      * failure */
};

/* Returns a short lower-case text for a status: static storage, never NULL. */
const char *tr_status_text(enum tr_status status);

#endif
