/* SPDX-License-Identifier: Apache-2.0 */
/* A fixture that links a large part of the C library. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int main(void)
{
	const char *words[] = {"one", "two", "three"};
	char line[64];
	qsort(words, 3, sizeof(*words), compare);
	snprintf(line, sizeof(line), "%s %d %ld", words[0], atoi("3"),
		 strtol("4", NULL, 0));
	puts(line);
	return 0;
}
