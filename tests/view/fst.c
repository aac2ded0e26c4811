/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a waveform with the library of GTKWave, which shares no code with the writer:
 * fst FILE prints the first and last time and the number of signals;
 * fst FILE SIGNAL prints the values of a signal, with their times. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gtkwave/fstapi.h"

static fstHandle wanted;

static void print_value(void *user, uint64_t time, fstHandle signal,
			const unsigned char *value)
{
	(void)user;
	if (signal == wanted)
		printf("%" PRIu64 " %s\n", time, value);
}

/* Returns the signal of this path below the top, such as "soc.u_hart.commit". */
static fstHandle find(void *file, const char *path)
{
	struct fstHier *hier;
	fstHandle found = 0;

	while ((hier = fstReaderIterateHier(file)) != NULL) {
		const char *scope = NULL;
		if (hier->htyp == FST_HT_SCOPE)
			scope = fstReaderPushScope(file, hier->u.scope.name, NULL);
		else if (hier->htyp == FST_HT_UPSCOPE)
			scope = fstReaderPopScope(file);
		(void)scope;
		if (hier->htyp != FST_HT_VAR)
			continue;
		size_t length = strcspn(hier->u.var.name, " ");
		const char *current = fstReaderGetCurrentFlatScope(file);
		size_t size = strlen(current);
		size_t whole = strlen(path);
		if (whole >= length + 1 && whole - length - 1 <= size &&
		    strncmp(path + whole - length, hier->u.var.name, length) == 0 &&
		    strncmp(current + size - (whole - length - 1), path,
			    whole - length - 1) == 0)
			found = hier->u.var.handle;
	}
	return found;
}

int main(int argc, char **argv)
{
	void *file = argc > 1 ? fstReaderOpen(argv[1]) : NULL;
	if (!file) {
		fprintf(stderr, "fst: no waveform\n");
		return 2;
	}
	if (argc < 3) {
		printf("%" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
		       fstReaderGetStartTime(file), fstReaderGetEndTime(file),
		       fstReaderGetVarCount(file));
		return 0;
	}
	wanted = find(file, argv[2]);
	if (!wanted) {
		fprintf(stderr, "fst: no signal %s\n", argv[2]);
		return 2;
	}
	fstReaderSetFacProcessMaskAll(file);
	fstReaderIterBlocks(file, print_value, NULL, NULL);
	fstReaderClose(file);
	return 0;
}
