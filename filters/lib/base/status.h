/* SPDX-License-Identifier: Apache-2.0 */
/* What every library call returns: zero, TR_END, or a negative error. */
#ifndef TR_STATUS_H
#define TR_STATUS_H

enum tr_status {
	TR_OK = 0,
	TR_END = 1,	       /* no more records: the stream ended as it should */
	TR_E_IO = -1,	       /* the system refused: errno tells */
	TR_E_TRUNCATED = -2,   /* the input stops before its end record */
	TR_E_CORRUPT = -3,     /* checksum, or a value that no writer makes */
	TR_E_UNSUPPORTED = -4, /* another version, or a must-understand unknown */
	TR_E_NOMEM = -5,
	TR_E_ARGUMENT = -6,  /* the caller broke the contract of the call */
	TR_E_NO_SOURCE = -7, /* what should have written the stream failed, and said so */
};

/* A short lower-case text for a status, never NULL; static storage. */
const char *tr_status_text(enum tr_status status);

#endif
