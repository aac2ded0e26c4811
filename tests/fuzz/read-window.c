/* SPDX-License-Identifier: Apache-2.0 */
/* Reads windows of a stream of stacks by its index: read-window FILE
 *
 * However damaged the file is, it is refused with a reason, or each window of it gives a
 * profile. */
#include <stdio.h>
#include <stdlib.h>

#include "profile/profile.h"

static const struct tr_profile_options views[] = {
    {.from.cycle = 1, .to.cycle = UINT64_MAX, .privileges = true},
    {.from.cycle = 0, .to.cycle = 40000, .by = TR_BY_PROCESS, .may_lack_groups = true},
    {.from.cycle = 2000, .to.cycle = 900000, .by = TR_BY_THREAD},
    {.from.cycle = 70000, .to.cycle = 70100, .by = TR_BY_HART},
};

/* Returns the status at the end of the stream. */
static int read_window(const char *path, const struct tr_profile_options *view)
{
	const struct tr_sframe *frame;
	struct tr_reader *reader;
	struct tr_profile *profile = tr_profile_new(view);
	char message[128] = "";
	if (!profile)
		abort();
	int status = tr_reader_open(&reader, path, 1);
	if (!status)
		status = tr_reader_expect(reader, TR_CONTENT_STACKS);
	if (!status) {
		tr_profile_seek(profile, reader, 0);
		while (!(status = tr_reader_next_stacks(reader, &frame)))
			if (tr_profile_take(profile, reader, frame, message,
					    sizeof(message))) {
				status = TR_E_CORRUPT;
				break;
			}
	}
	if (status < 0 && !*message && !*tr_reader_message(reader))
		abort();
	tr_profile_finish(profile, false);
	tr_profile_free(profile);
	tr_reader_close(reader);
	return status;
}

int main(int argc, char **argv)
{
	int status = 0;
	if (argc != 2)
		return 2;
	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++)
		status |= read_window(argv[1], &views[i]);
	return status < 0;
}
