/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of the library's status codes. */
#include "base/status.h"

const char *tr_status_text(enum tr_status status)
{
	switch (status) {
	case TR_OK:
		return "no error";
	case TR_END:
		return "end of the stream";
	case TR_E_IO:
		return "input or output failed";
	case TR_E_TRUNCATED:
		return "truncated: no end record";
	case TR_E_CORRUPT:
		return "damaged";
	case TR_E_UNSUPPORTED:
		return "not supported by this version";
	case TR_E_NOMEM:
		return "out of memory";
	case TR_E_ARGUMENT:
		return "wrong use of the library";
	case TR_E_NO_SOURCE:
		return "the program before this one failed and wrote no stream";
	}
	return "unknown status";
}
