/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the stream that a replay reads, with a PROBE event at each hit of a probe:
 *
 * 	while (tr_reader_next(reader, &frame) == TR_OK) {
 * 		annotate_take(a, frame);
 * 		replay_frame(replay, frame); // calls annotate_hit()
 * 		annotate_write(a);
 * 	}
 * 	replay_end(replay);
 * 	annotate_write(a);
 *
 * With the addresses of the accesses, frames have these, too, in place of those that they
 * had. Everything else of a frame is written as it was. A frame is written when the
 * replay has followed all of its harts, and retained until then. */
#ifndef REPLAY_ANNOTATE_H
#define REPLAY_ANNOTATE_H

#include "addresses.h"
#include "page_marks.h"
#include "probe/probe.h"
#include "replay.h"
#include "stream/writer.h"
#include "watch.h"

struct annotate;

/* All remain the caller's; `writer` has the header that annotate_header() completed;
 * `addresses` may be NULL. Returns NULL if memory runs out. */
struct annotate *annotate_new(struct replay *replay, struct tr_reader *reader,
			      struct tr_writer *writer, struct addresses *addresses);
void annotate_free(struct annotate *a);

/* Adds the probes, which may be NULL, to the header, behind those that it names, and with
 * `has_marks` one called "mark" behind these. Returns TR_OK, TR_E_NOMEM, or TR_E_ARGUMENT
 * if there are too many probes, or fields of one. */
int annotate_header(struct tr_header *header, const struct tr_probes *probes,
		    bool has_marks);

/* Takes the frame that the reader has returned. Returns TR_OK or TR_E_NOMEM. */
int annotate_take(struct annotate *a, const struct tr_frame *frame);
/* Adds a hit. Returns TR_OK, TR_E_NOMEM, TR_E_UNSUPPORTED if its values are too large, or
 * those of all hits of its frame, or TR_E_ARGUMENT if no frame has its row. */
int annotate_hit(struct annotate *a, const struct tr_probes *probes,
		 const struct replay_reached *at, const struct tr_probe_hit *hit);
/* Adds a mark, as a hit of the probe behind `probes`, which may be NULL. Returns the
 * same. */
int annotate_mark(struct annotate *a, const struct tr_probes *probes,
		  const struct page_mark *mark);
/* Writes the frames that are complete, and copies the others, so that the reader may
 * read its next frame.
 * Returns a status of the writer. */
int annotate_write(struct annotate *a);

/* Return how many hits were added, and how many of them were written. */
uint64_t annotate_hits(const struct annotate *a);
uint64_t annotate_hits_written(const struct annotate *a);

#endif
