/* SPDX-License-Identifier: Apache-2.0 */
/* Saves places of a stream of rows, so that a reader can continue there: also in the
 * middle of a generation, whose definitions up to there are part of the place. */
#ifndef TR_SAVER_H
#define TR_SAVER_H

#include "base/buffer.h"
#include "base/varint.h"
#include "stream/chunk.h"
#include "stream/reader.h"

struct tr_saver;

/* Returns a saver for one reader, or NULL when out of memory. */
struct tr_saver *tr_saver_new(void);
void tr_saver_free(struct tr_saver *saver);
/* Appends the place behind the current frame to `out`: where it is in the file, and what
 * the dictionary got since the last place in the same generation; the first byte is 1 for
 * the first place of a generation, else 0. Returns TR_OK,
 * TR_E_NOMEM, or TR_E_UNSUPPORTED if reading cannot begin there, or if the stream defines
 * a delay twice; `out` is then incomplete. */
int tr_saver_put(struct tr_saver *saver, const struct tr_reader *reader,
		 struct tr_buffer *out);

/* Gets where the next frame begins. Returns false if reading cannot begin there. */
bool tr_reader_place_next(const struct tr_reader *reader, struct tr_place *place);
/* Sets the reader to a place: call it for the first place of the generation, and then in
 * order for each one up to the wanted one, but not with bytes of another stream. The
 * reader owns no pointer into `in`. Returns TR_OK, TR_E_NOMEM, or TR_E_CORRUPT, after
 * which only another first place makes the reader usable. */
int tr_reader_load(struct tr_reader *reader, struct tr_bytes *in, struct tr_place *place);
/* Continues at the loaded place. Returns TR_OK or an error of the reader. */
int tr_reader_go(struct tr_reader *reader, const struct tr_place *place);

#endif
