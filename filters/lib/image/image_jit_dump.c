/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a jitdump, as tools/perf/Documentation/jitdump-specification.txt of Linux
 * describes it, of version 1 and little-endian. */
#include <inttypes.h>
#include <string.h>

#include "base/little.h"
#include "image/image_jit_internal.h"

enum {
	DUMP_HEADER = 40,
	DUMP_PREFIX = 16, /* of each record */
	DUMP_LOAD = 40,	  /* of JIT_CODE_LOAD, up to the name */
	DUMP_MOVE = 48,
	DUMP_LINES = 16, /* of JIT_CODE_DEBUG_INFO, up to the entries */
	DUMP_LINE = 16,	 /* of an entry, up to its name */
	DUMP_VERSION = 1,
	DUMP_RISCV = 243, /* EM_RISCV */
};
#define DUMP_MAGIC    UINT32_C(0x4a695444)
#define DUMP_REVERSED UINT32_C(0x4454694a)

enum dump_kind { KIND_LOAD, KIND_MOVE, KIND_LINES, KIND_CLOSE, KIND_UNWINDING };

struct dump_record {
	const uint8_t *data; /* behind the prefix */
	size_t size;
	uint64_t number, byte;
	uint32_t kind;
};

static int refuse_record(struct tr_image *image, const struct dump_record *record,
			 const char *reason)
{
	return tr_image_fail(image, TR_E_CORRUPT,
			     "record %" PRIu64 ", byte %" PRIu64 ": %s", record->number,
			     record->byte, reason);
}

/* Checks the header. Returns a status; *size is where the records begin. */
static int read_dump_header(struct tr_image *image, size_t *size)
{
	struct image_jit *jit = image->jit;
	const uint8_t *p = jit->data;
	if (jit->size < DUMP_HEADER)
		return tr_image_fail(image, TR_E_CORRUPT,
				     "byte %zu: truncated in the header of a jitdump",
				     jit->size);
	if (tr_load32(p) == DUMP_REVERSED)
		return tr_image_fail(image, TR_E_UNSUPPORTED,
				     "a jitdump of a big-endian machine");
	if (tr_load32(p) != DUMP_MAGIC)
		return tr_image_fail(image, TR_E_CORRUPT, "byte 0: not a jitdump");
	if (tr_load32(p + 4) != DUMP_VERSION)
		return tr_image_fail(image, TR_E_UNSUPPORTED,
				     "byte 4: version %" PRIu32 " of jitdump, not 1",
				     tr_load32(p + 4));
	*size = tr_load32(p + 8);
	if (*size < DUMP_HEADER || *size > jit->size)
		return tr_image_fail(image, TR_E_CORRUPT, "byte 8: a header of %zu bytes",
				     *size);
	if (tr_load32(p + 12) != DUMP_RISCV)
		return tr_image_fail(image, TR_E_UNSUPPORTED,
				     "byte 12: of machine %" PRIu32 ", not RISC-V (243)",
				     tr_load32(p + 12));
	jit->pid = tr_load32(p + 20);
	return TR_OK;
}

/* Remembers where the lines of the latest piece are, which precede its code. */
static int keep_lines(struct tr_image *image, const struct dump_record *lines)
{
	struct image_jit *jit = image->jit;
	if (!tr_grow(&jit->lines, &jit->line_room, jit->nlines + 1, sizeof(*jit->lines)))
		return tr_image_fail(image, TR_E_NOMEM, "out of memory");
	jit->lines[jit->nlines++] =
	    (struct image_jit_lines){.data = lines->data,
				     .size = lines->size,
				     .number = lines->number,
				     .byte = lines->byte,
				     .piece = (uint32_t)jit->npieces - 1};
	return TR_OK;
}

static void claim_line(struct image_places *places, const struct tr_jit_piece *piece,
		       uint64_t address, uint32_t item, uint32_t depth)
{
	const uint64_t high = piece->address + piece->size;
	struct image_claim claim = {.item = item, .depth = depth};
	if (!places || address < piece->address || address >= high)
		return;
	claim.low = tr_jit_address(piece, address);
	claim.high = tr_jit_address(piece, high);
	tr_image_places_claim(places, &claim);
	claim.low += TR_JIT_DOUBT;
	claim.high += TR_JIT_DOUBT;
	if (piece->is_covered)
		tr_image_places_claim(places, &claim);
}

int tr_jit_claim_lines(struct tr_image *image, const struct image_jit_lines *lines,
		       bool with_paths, struct image_places *places)
{
	const struct dump_record record = {.number = lines->number, .byte = lines->byte};
	const struct tr_jit_piece *piece = &image->jit->pieces[lines->piece];
	const uint8_t *p = lines->data + DUMP_LINES, *end = lines->data + lines->size;
	const uint64_t count = tr_load64(lines->data + 8);
	const char *name = "";
	for (uint64_t i = 0; i < count; i++) {
		if (end - p < DUMP_LINE + 1)
			return refuse_record(image, &record, "fewer lines than it says");
		const char *text = (const char *)p + DUMP_LINE;
		const uint8_t *zero = memchr(text, '\0', (size_t)(end - p) - DUMP_LINE);
		if (!zero)
			return refuse_record(image, &record,
					     "the name of a file without an end");
		if (places && strcmp(text, "\xff") != 0) /* as before */
			name = tr_image_name_store(image, text, strlen(text));
		if (!name)
			return tr_image_fail(image, TR_E_NOMEM, "out of memory");
		const char *slash = with_paths ? NULL : strrchr(name, '/');
		const uint32_t item =
		    places ? tr_image_places_item(
				 places,
				 tr_image_places_name(places, slash ? slash + 1 : name),
				 tr_load32(p + 8))
			   : 0;
		claim_line(places, piece, tr_load64(p), item, (uint32_t)i);
		p = zero + 1;
	}
	return places && places->failed
		   ? tr_image_fail(image, TR_E_NOMEM, "out of memory")
		   : TR_OK;
}

/* Adds a piece, and remembers that it is the latest one at its address. */
static int add_piece(struct tr_image *image, const struct tr_jit_piece *piece,
		     const struct dump_record *record)
{
	struct image_jit *jit = image->jit;
	const size_t before = jit->npieces;
	const int status =
	    tr_jit_add(image, piece, "record", record->number, record->byte);
	if (!status && jit->npieces > before &&
	    !tr_map_set(&jit->latest, piece->address, (uint32_t)before))
		return tr_image_fail(image, TR_E_NOMEM, "out of memory");
	return status;
}

static int load_code(struct tr_image *image, const struct dump_record *record)
{
	const uint8_t *p = record->data;
	struct tr_jit_piece piece = {0};
	if (record->size < DUMP_LOAD + 1)
		return refuse_record(image, record, "too short for JIT_CODE_LOAD");
	piece.address = tr_load64(p + 16);
	piece.size = tr_load64(p + 24);
	const char *name = (const char *)p + DUMP_LOAD;
	const size_t room = record->size - DUMP_LOAD;
	const char *end = memchr(name, '\0', room);
	const size_t rest = end ? room - (size_t)(end + 1 - name) : 0;
	if (!end)
		return refuse_record(image, record, "a name without an end");
	if (piece.size != rest)
		return refuse_record(image, record,
				     "the name and the code are not of its size");
	piece.code = (const uint8_t *)end + 1;
	piece.name =
	    tr_image_name_store(image, *name ? name : "[no name]",
				*name ? (size_t)(end - name) : strlen("[no name]"));
	if (!piece.name)
		return tr_image_fail(image, TR_E_NOMEM, "out of memory");
	return add_piece(image, &piece, record);
}

/* Adds the code of the latest piece that begins at the old address, at the new one. Code
 * that was compiled before the dump began is not known. */
static int move_code(struct tr_image *image, const struct dump_record *record)
{
	const struct image_jit *jit = image->jit;
	const uint8_t *p = record->data;
	if (record->size < DUMP_MOVE)
		return refuse_record(image, record, "too short for JIT_CODE_MOVE");
	const uint64_t from = tr_load64(p + 16), size = tr_load64(p + 32);
	const uint32_t i = tr_map_get(&jit->latest, from);
	if (i == TR_MAP_NONE)
		return refuse_record(image, record, "moves code that was not loaded");
	struct tr_jit_piece piece = jit->pieces[i];
	if (piece.size != size)
		return refuse_record(image, record,
				     "moves code of another size than it has");
	piece.address = tr_load64(p + 24);
	return add_piece(image, &piece, record);
}

static int read_dump_code(struct tr_image *image, const struct dump_record *record)
{
	switch (record->kind) {
	case KIND_LOAD:
		return load_code(image, record);
	case KIND_MOVE:
		return move_code(image, record);
	case KIND_LINES:
		return record->size < DUMP_LINES
			   ? refuse_record(image, record,
					   "too short for JIT_CODE_DEBUG_INFO")
			   : TR_OK;
	case KIND_CLOSE:
	case KIND_UNWINDING:
		return TR_OK;
	default:
		return refuse_record(image, record, "of an unknown kind");
	}
}

/* Reads the record at `byte`. Returns a status. */
static int take_record(struct tr_image *image, struct dump_record *record)
{
	const struct image_jit *jit = image->jit;
	const uint8_t *p = jit->data + record->byte;
	const size_t rest = jit->size - (size_t)record->byte;
	if (rest < DUMP_PREFIX)
		return refuse_record(image, record, "truncated");
	const uint32_t total = tr_load32(p + 4);
	if (total < DUMP_PREFIX)
		return refuse_record(image, record, "shorter than a record is");
	if (total > rest)
		return refuse_record(image, record, "truncated");
	record->kind = tr_load32(p);
	record->data = p + DUMP_PREFIX;
	record->size = total - DUMP_PREFIX;
	return TR_OK;
}

/* Reads a record whose bounds were checked; *lines are those of the code to come. */
static int read_dump_record(struct tr_image *image, const struct dump_record *record,
			    struct dump_record *lines)
{
	const size_t before = image->jit->npieces;
	int status = read_dump_code(image, record);
	if (record->kind == KIND_LINES)
		*lines = *record;
	if (record->kind != KIND_LOAD)
		return status;
	if (!status && lines->data && image->jit->npieces > before)
		status = keep_lines(image, lines);
	lines->data = NULL;
	return status;
}

int tr_jit_read_dump(struct tr_image *image)
{
	const struct image_jit *jit = image->jit;
	struct dump_record record = {0}, lines = {0};
	size_t at = 0;
	int status = read_dump_header(image, &at);
	for (record.byte = at; !status && record.byte < jit->size; record.number++) {
		status = take_record(image, &record);
		if (!status)
			status = read_dump_record(image, &record, &lines);
		if (!status && record.kind == KIND_CLOSE)
			break;
		record.byte += DUMP_PREFIX + record.size;
	}
	if (!status && !jit->npieces)
		return tr_image_fail(image, TR_E_CORRUPT, "empty: no code in it");
	return status;
}
