/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a file of slices, and shows functions of it. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>
#include <zstd.h>

#include "annotate/slices_state.h"
#include "base/fuzzed.h"
#include "base/varint.h"
#include "flame/picture.h"

enum {
	MOST_FILE = 1 << 30,	 /* bytes */
	MOST_FUNCTION = 1 << 28, /* bytes of one that is unpacked */
	MOST_TEXT = 2000,	 /* bytes of a text that is shown */
	MOST_LANES = 1 << 24,
	TAB = 4, /* blanks */
};

/* A text in the file, which does not end with a zero. */
struct text {
	const char *data;
	size_t size;
};

struct function {
	struct text name, binary;
	uint64_t address;
	struct text packed;
};

struct tr_slices_file {
	uint8_t *data;
	size_t size;
	uint64_t instructions, cycles, length;
	uint32_t width, columns, nlanes, nfunctions;
	struct text classes[TR_MAX_CLASSES];
	bool has_pairs;
	struct tr_slices_lane *lanes;
	struct function *functions;
};

static struct text take_text(struct tr_bytes *in)
{
	const uint64_t size = tr_varint(in);
	const uint8_t *data = tr_bytes_take(in, size);
	return (struct text){(const char *)data, data ? (size_t)size : 0};
}

static bool is_text(const struct text *text, const char *wanted)
{
	return text->size == strlen(wanted) &&
	       (!text->size || memcmp(text->data, wanted, text->size) == 0);
}

/* ------------------------------------------------------------ the file */

/* Reads the lanes. Returns a status. */
static int read_lanes(struct tr_slices_file *f, struct tr_bytes *in)
{
	f->has_pairs = tr_varint_below(in, 2);
	f->nlanes = (uint32_t)tr_varint_below(in, MOST_LANES);
	f->lanes = in->bad ? NULL : calloc(f->nlanes + 1UL, sizeof(*f->lanes));
	if (in->bad)
		return TR_E_CORRUPT;
	for (uint32_t i = 0; i < f->nlanes && f->lanes; i++) {
		struct tr_slices_lane *lane = &f->lanes[i];
		lane->hart = (uint32_t)tr_varint_below(in, UINT32_MAX);
		if (!f->has_pairs)
			continue;
		lane->pair.process = (uint32_t)tr_varint_below(in, UINT32_MAX);
		lane->pair.thread = (uint32_t)tr_varint_below(in, UINT32_MAX);
		lane->instructions = tr_varint(in);
	}
	return f->lanes ? TR_OK : TR_E_NOMEM;
}

static int read_head(struct tr_slices_file *f, struct tr_bytes *in)
{
	f->instructions = tr_varint(in);
	f->cycles = tr_varint(in);
	f->length = tr_varint(in);
	f->width = (uint32_t)tr_varint_below(in, UINT32_MAX);
	f->columns = (uint32_t)tr_varint_below(in, TR_MAX_CLASSES + 1);
	for (uint32_t c = 1; c < f->columns; c++)
		f->classes[c] = take_text(in);
	const int status = read_lanes(f, in);
	f->nfunctions = (uint32_t)tr_varint_below(in, f->size);
	in->bad |= !f->length || (f->length & (f->length - 1)) ||
		   f->length > UINT64_MAX / TR_SLICES || !f->width || !f->columns;
	return status ? status : in->bad ? TR_E_CORRUPT : TR_OK;
}

/* Reads what there is. Returns a status. */
static int read_all(struct tr_slices_file *f)
{
	struct tr_bytes in = {f->data + SLICES_MAGIC_SIZE,
			      f->data + f->size - SLICES_HASH_SIZE, false};
	const int status = read_head(f, &in);
	if (status)
		return status;
	f->functions = calloc(f->nfunctions + 1UL, sizeof(*f->functions));
	if (!f->functions)
		return TR_E_NOMEM;
	for (uint32_t i = 0; i < f->nfunctions; i++) {
		struct function *function = &f->functions[i];
		function->name = take_text(&in);
		function->binary = take_text(&in);
		function->address = tr_varint(&in);
		function->packed = take_text(&in);
	}
	return in.bad || in.at != in.end ? TR_E_CORRUPT : TR_OK;
}

static bool is_whole(const struct tr_slices_file *f)
{
	uint64_t hash = 0;
	if (f->size < SLICES_MAGIC_SIZE + SLICES_HASH_SIZE ||
	    memcmp(f->data, SLICES_MAGIC, SLICES_MAGIC_SIZE) != 0)
		return false;
	for (unsigned i = 0; i < SLICES_HASH_SIZE; i++)
		hash |= (uint64_t)f->data[f->size - SLICES_HASH_SIZE + i] << (8 * i);
	return TR_IS_FUZZED || hash == XXH64(f->data, f->size - SLICES_HASH_SIZE, 0);
}

/* Reads the bytes of an open file. Returns a status; errno is set. */
static int read_bytes(struct tr_slices_file *f, FILE *file)
{
	struct stat st;
	errno = 0;
	if (fstat(fileno(file), &st) < 0)
		return TR_E_IO;
	if (!S_ISREG(st.st_mode) || st.st_size > MOST_FILE)
		return TR_E_CORRUPT;
	f->data = malloc((size_t)st.st_size + 1);
	if (!f->data)
		return TR_E_NOMEM;
	f->size = fread(f->data, 1, (size_t)st.st_size, file);
	return ferror(file) ? TR_E_IO : TR_OK;
}

int tr_slices_open(struct tr_slices_file **result, const char *path, char *message,
		   size_t size)
{
	*result = NULL;
	FILE *file = fopen(path, "re");
	if (!file && errno == ENOENT)
		return TR_END;
	struct tr_slices_file *f = file ? calloc(1, sizeof(*f)) : NULL;
	int status = !file ? TR_E_IO : f ? read_bytes(f, file) : TR_E_NOMEM;
	if (status == TR_E_IO)
		snprintf(message, size, "%s", strerror(errno));
	if (file)
		fclose(file);
	if (!status)
		status = is_whole(f) ? read_all(f) : TR_E_CORRUPT;
	if (status == TR_E_CORRUPT)
		snprintf(message, size, "it is damaged, or of another version");
	if (status)
		tr_slices_close(f);
	else
		*result = f;
	return status;
}

void tr_slices_close(struct tr_slices_file *f)
{
	if (!f)
		return;
	free(f->functions);
	free(f->lanes);
	free(f->data);
	free(f);
}

bool tr_slices_are_of(const struct tr_slices_file *f, uint64_t instructions,
		      uint64_t cycles)
{
	return f->instructions == instructions && f->cycles == cycles;
}

const struct tr_slices_lane *tr_slices_lanes(const struct tr_slices_file *f,
					     uint32_t *count)
{
	*count = f->nlanes;
	return f->lanes;
}

bool tr_slices_have_pairs(const struct tr_slices_file *f)
{
	return f->has_pairs;
}

uint32_t tr_slices_functions(const struct tr_slices_file *f)
{
	return f->nfunctions;
}

uint32_t tr_slices_find(const struct tr_slices_file *f, const char *name,
			const char *binary, uint64_t address, uint32_t which,
			uint32_t *count)
{
	uint32_t found = UINT32_MAX;
	*count = 0;
	for (uint32_t i = 0; i < f->nfunctions; i++)
		if (f->functions[i].address == address &&
		    is_text(&f->functions[i].name, name) &&
		    is_text(&f->functions[i].binary, binary) && (*count)++ == which)
			found = i;
	return found;
}

/* ------------------------------------------------------------ a function */

struct row {
	uint64_t address;
	struct text text;
	unsigned flags;
	int64_t place;
	uint64_t counted; /* its number among those that were counted */
};

/* What is shown of a function. */
struct shown {
	const struct tr_slices_file *file;
	const struct tr_slices_choice *choice;
	FILE *to;
	uint32_t first, end; /* slices */
	struct row *rows;
	struct tr_sum *sums; /* of what was counted */
	uint64_t *lost;	     /* the columns of each */
	uint64_t nrows, ncounted;
};

/* Writes a text, of which what is beyond MOST_TEXT is left out, with blanks for tabs. */
static void put_text(FILE *to, const struct text *text)
{
	char copy[MOST_TEXT + TAB + 1];
	size_t size = 0;
	for (size_t i = 0; i < text->size && size < MOST_TEXT; i++) {
		const bool is_tab = text->data[i] == '\t';
		memset(copy + size, is_tab ? ' ' : text->data[i], TAB);
		size += is_tab ? TAB : 1;
	}
	copy[size] = '\0';
	tr_flame_quoted(to, copy);
}

/* Reads a place, and writes it. */
static void show_place(struct tr_bytes *in, FILE *to)
{
	const struct text path = take_text(in);
	const uint64_t line = tr_varint(in);
	const struct text source = take_text(in);
	const uint64_t calls = tr_varint_below(in, TR_LISTING_CALLS + 1);
	putc('[', to);
	put_text(to, &path);
	fprintf(to, ",%" PRIu64 ",", line);
	put_text(to, &source);
	fputs(",[", to);
	for (uint64_t i = 0; i < calls; i++) {
		const struct text call = take_text(in);
		fputs(i ? "," : "", to);
		put_text(to, &call);
	}
	fputs("]]", to);
}

/* Reads the rows, and writes their places. Returns a status. */
static int read_rows(struct shown *shown, struct tr_bytes *in)
{
	int64_t place = -1, places = 0;
	uint64_t address = 0, counted = 0;
	fputs(",\n\"places\":[", shown->to);
	for (uint64_t i = 0; i < shown->nrows && !in->bad; i++) {
		struct row *row = &shown->rows[i];
		row->flags = (unsigned)tr_varint_below(in, SLICES_FLAGS);
		address += tr_unzigzag(tr_varint(in));
		row->address = address;
		row->text = take_text(in);
		if (row->flags & SLICES_HAS_PLACE) {
			fputs(places ? ",\n" : "\n", shown->to);
			show_place(in, shown->to);
			place = places++;
		} else if (!(row->flags & SLICES_SAME_PLACE)) {
			place = -1;
		}
		row->place = place;
		row->counted = counted;
		counted += row->flags & SLICES_COUNTED;
	}
	putc(']', shown->to);
	return in->bad || counted > shown->ncounted ? TR_E_CORRUPT : TR_OK;
}

/* Reads the sums, and adds those of the choice. Returns a status. */
static int read_sums(struct shown *shown, struct tr_bytes *in)
{
	const struct tr_slices_file *f = shown->file;
	while (in->at != in->end && !in->bad) {
		const uint64_t list =
		    tr_varint_below(in, f->nlanes * (uint64_t)TR_SLICES);
		const uint64_t at = tr_varint_below(in, shown->ncounted);
		const uint64_t executions = tr_varint(in), cycles = tr_varint(in);
		const uint64_t traps = tr_varint(in);
		const uint64_t slice = list % TR_SLICES;
		const bool is_wanted = !in->bad && slice >= shown->first &&
				       slice < shown->end &&
				       (!shown->choice->has_lane ||
					shown->choice->has_lane[list / TR_SLICES]);
		if (is_wanted) {
			shown->sums[at].instructions += executions;
			shown->sums[at].cycles += cycles;
			shown->sums[at].calls += traps;
		}
		for (uint64_t used = tr_varint_below(in, f->columns + 1UL); used;
		     used--) {
			const uint64_t c = tr_varint_below(in, f->columns);
			const uint64_t slots = tr_varint(in);
			if (is_wanted && !in->bad)
				shown->lost[at * f->columns + c] += slots;
		}
	}
	return in->bad ? TR_E_CORRUPT : TR_OK;
}

/* Writes the slots of an instruction by class. Those of no class are what is left of its
 * cycles, if a cycle is a slot, as in counts.h. */
static void show_lost(const struct shown *shown, const struct tr_sum *sum,
		      const uint64_t *lost)
{
	const struct tr_slices_file *f = shown->file;
	uint64_t known = sum->instructions, rest = lost[0];
	bool any = false;
	for (uint32_t c = 1; c < f->columns; c++)
		known += lost[c];
	if (f->columns > 1 && f->width == 1)
		rest = sum->cycles > known ? sum->cycles - known : 0;
	for (uint32_t c = 0; c < f->columns; c++) {
		const uint64_t slots = c ? lost[c] : f->columns > 1 ? rest : 0;
		if (slots)
			fprintf(shown->to, "%s%u,%" PRIu64, any ? "," : "", c, slots);
		any |= slots != 0;
	}
}

static void show_rows(const struct shown *shown)
{
	static const struct tr_sum none = {0};
	static const uint64_t nothing[TR_MAX_CLASSES + 1];
	fputs(",\n\"rows\":[", shown->to);
	for (uint64_t i = 0; i < shown->nrows; i++) {
		const struct row *row = &shown->rows[i];
		const bool has = row->flags & SLICES_COUNTED;
		const struct tr_sum *sum = has ? &shown->sums[row->counted] : &none;
		fprintf(shown->to, "%s[\"%" PRIx64 "\",", i ? ",\n" : "\n", row->address);
		put_text(shown->to, &row->text);
		fprintf(shown->to,
			",%" PRId64 ",%u,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",[",
			row->place, row->flags & (SLICES_DIFFERS | SLICES_FAR),
			sum->instructions, sum->cycles, sum->calls);
		show_lost(shown, sum,
			  has ? &shown->lost[row->counted * shown->file->columns]
			      : nothing);
		fputs("]]", shown->to);
	}
	putc(']', shown->to);
}

static void show_head(struct shown *shown)
{
	const struct tr_slices_file *f = shown->file;
	const uint64_t from = shown->choice->from / f->length;
	const uint64_t to =
	    shown->choice->to / f->length + (shown->choice->to % f->length != 0);
	shown->first = from < TR_SLICES ? (uint32_t)from : TR_SLICES;
	shown->end = to < TR_SLICES ? (uint32_t)to : TR_SLICES;
	fprintf(shown->to,
		"\"from\":%" PRIu64 ",\"to\":%" PRIu64 ",\"length\":%" PRIu64
		",\"classes\":[\"unclassified\"",
		shown->first * f->length, shown->end * f->length, f->length);
	for (uint32_t c = 1; c < f->columns; c++) {
		putc(',', shown->to);
		put_text(shown->to, &f->classes[c]);
	}
	putc(']', shown->to);
}

/* Shows what was unpacked. Returns a status. */
static int show_plain(struct shown *shown, struct tr_bytes in)
{
	const uint64_t size = (uint64_t)(in.end - in.at);
	shown->ncounted = tr_varint_below(&in, size + 1);
	shown->nrows = tr_varint_below(&in, size + 1);
	if (in.bad)
		return TR_E_CORRUPT;
	shown->rows = calloc(shown->nrows + 1, sizeof(*shown->rows));
	shown->sums = calloc(shown->ncounted + 1, sizeof(*shown->sums));
	shown->lost =
	    calloc(shown->ncounted * shown->file->columns + 1, sizeof(*shown->lost));
	int status = shown->rows && shown->sums && shown->lost ? TR_OK : TR_E_NOMEM;
	if (!status)
		status = read_rows(shown, &in);
	if (!status)
		status = read_sums(shown, &in);
	if (!status)
		show_rows(shown);
	free(shown->rows);
	free(shown->sums);
	free(shown->lost);
	return status;
}

int tr_slices_show(const struct tr_slices_file *f, uint32_t function,
		   const struct tr_slices_choice *choice, FILE *to)
{
	struct shown shown = {.file = f, .choice = choice, .to = to};
	if (function >= f->nfunctions || choice->from >= choice->to)
		return TR_E_ARGUMENT;
	const struct text *packed = &f->functions[function].packed;
	const unsigned long long size =
	    ZSTD_getFrameContentSize(packed->data, packed->size);
	if (size > MOST_FUNCTION)
		return TR_E_CORRUPT;
	uint8_t *plain = malloc(size + 1);
	if (!plain)
		return TR_E_NOMEM;
	int status = TR_E_CORRUPT;
	if (ZSTD_decompress(plain, size, packed->data, packed->size) == size) {
		show_head(&shown);
		status =
		    show_plain(&shown, (struct tr_bytes){plain, plain + size, false});
	}
	free(plain);
	return status;
}
