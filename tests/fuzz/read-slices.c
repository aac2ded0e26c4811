/* SPDX-License-Identifier: Apache-2.0 */
/* Reads counts by slice, and shows functions of them: read-slices FILE
 *
 * However damaged the file is, it is refused with a reason, or each function of it is
 * shown as JSON or called damaged. */
#include <stdio.h>
#include <stdlib.h>

#include "annotate/slices.h"
#include "valid-json.h"

enum { MOST_FUNCTIONS = 50 };

static void show(const struct tr_slices_file *file, uint32_t function,
		 const struct tr_slices_choice *choice)
{
	char *text = NULL;
	size_t size = 0;
	FILE *memory = open_memstream(&text, &size);
	if (!memory)
		abort();
	putc('{', memory);
	const int status = tr_slices_show(file, function, choice, memory);
	putc('}', memory);
	if (fclose(memory) || (status && status != TR_E_CORRUPT) ||
	    (!status && !is_valid_json(text, size)))
		abort();
	free(text);
}

static void show_all(const struct tr_slices_file *file)
{
	uint32_t nlanes;
	const struct tr_slices_lane *lanes = tr_slices_lanes(file, &nlanes);
	bool *has_lane = calloc(nlanes + 1UL, sizeof(*has_lane));
	if (!has_lane || !lanes)
		abort();
	for (uint32_t i = 0; i < nlanes; i++)
		has_lane[i] = lanes[i].hart || lanes[i].pair.process;
	const struct tr_slices_choice choices[] = {
	    {0, UINT64_MAX, NULL}, {3, 90, NULL}, {0, UINT64_MAX, has_lane}};
	for (uint32_t i = 0; i < tr_slices_functions(file) && i < MOST_FUNCTIONS; i++)
		for (size_t k = 0; k < sizeof(choices) / sizeof(*choices); k++)
			show(file, i, &choices[k]);
	free(has_lane);
}

int main(int argc, char **argv)
{
	struct tr_slices_file *file;
	char message[400] = "";
	if (argc != 2)
		return 2;
	const int status = tr_slices_open(&file, argv[1], message, sizeof(message));
	if (status ? !*message || file : !file)
		abort();
	if (!status)
		show_all(file);
	tr_slices_close(file);
	return status ? 1 : 0;
}
