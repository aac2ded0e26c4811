/* SPDX-License-Identifier: Apache-2.0 */
/* Uses the installed library: counts the tokens of a trace by reading it. */
#include <inttypes.h>
#include <stdio.h>

#include <base/status.h>
#include <stream/classes.h>
#include <stream/counters.h>
#include <stream/decode.h>
#include <stream/header.h>
#include <stream/probes.h>
#include <stream/reader.h>
#include <stream/sp.h>
#include <stream/stream.h>
#include <stream/writer.h>

int main(int argc, char **argv)
{
	struct tr_reader *reader;
	const struct tr_frame *frame;
	int frames = 0, status = tr_reader_open(&reader, argc > 1 ? argv[1] : "-", 1);
	while (status == TR_OK && (status = tr_reader_next(reader, &frame)) == TR_OK)
		frames++;
	if (status != TR_END)
		fprintf(stderr, "%s\n", tr_reader_message(reader));
	else
		printf("%d frames, %s instructions\n", frames,
		       tr_header_get(tr_reader_end(reader), "instructions"));
	tr_reader_close(reader);
	return status != TR_END;
}
