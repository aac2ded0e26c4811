/* SPDX-License-Identifier: Apache-2.0 */
#include "trouble.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/status.h"

bool tell_trouble(struct trouble *trouble, const char *format, ...)
{
	va_list arguments;

	if (trouble->text[0])
		return false;
	va_start(arguments, format);
	vsnprintf(trouble->text, sizeof(trouble->text), format, arguments);
	va_end(arguments);
	return false;
}

bool tell_no_memory(struct trouble *trouble)
{
	return tell_trouble(trouble, "%s", tr_status_text(TR_E_NOMEM));
}
