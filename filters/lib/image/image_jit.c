/* SPDX-License-Identifier: Apache-2.0 */
/* Opens what a just-in-time compiler tells of its code as an image. */
#include "image/image_jit.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/little.h"
#include "image/image_jit_internal.h"

/* Above any address of user mode, and of the memory of a machine. */
#define ADDRESS_LIMIT (UINT64_C(1) << TR_JIT_LAYER_SHIFT)

const char *tr_jit_part_of(const char *path)
{
	uint8_t magic[4] = {0};
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return TR_PART_PERF_MAP;
	const bool has = pread(fd, magic, sizeof(magic), 0) == (ssize_t)sizeof(magic);
	close(fd);
	return has && (memcmp(magic, "DTiJ", 4) == 0 || memcmp(magic, "JiTD", 4) == 0)
		   ? TR_PART_JITDUMP
		   : TR_PART_PERF_MAP;
}

int tr_jit_add(struct tr_image *image, const struct tr_jit_piece *piece, const char *what,
	       uint64_t number, uint64_t byte)
{
	struct image_jit *jit = image->jit;
	if (!piece->size)
		return TR_OK;
	if (piece->address >= ADDRESS_LIMIT ||
	    piece->size > ADDRESS_LIMIT - piece->address)
		return tr_image_fail(image, TR_E_CORRUPT,
				     "%s %" PRIu64 ", byte %" PRIu64 ": 0x%" PRIx64
				     " bytes of code at 0x%" PRIx64
				     ", where no program's code can be",
				     what, number, byte, piece->size, piece->address);
	if (jit->npieces >= UINT32_MAX / 4 ||
	    !tr_grow(&jit->pieces, &jit->room, jit->npieces + 1, sizeof(*jit->pieces)))
		return tr_image_fail(image, TR_E_NOMEM, "out of memory");
	jit->pieces[jit->npieces] = *piece;
	jit->pieces[jit->npieces].number = (uint32_t)jit->npieces;
	jit->npieces++;
	return TR_OK;
}

/* Reads the whole file. Returns a status. */
static int read_whole_file(struct tr_image *image)
{
	struct image_jit *jit = image->jit;
	struct stat stat;
	int fd = open(image->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return tr_image_fail(image, TR_E_IO, "%s", strerror(errno));
	int status = TR_OK;
	if (fstat(fd, &stat) < 0)
		status = tr_image_fail(image, TR_E_IO, "%s", strerror(errno));
	else if (!S_ISREG(stat.st_mode))
		status = tr_image_fail(image, TR_E_UNSUPPORTED, "not a regular file");
	if (!status) {
		jit->size = (size_t)stat.st_size;
		jit->data = malloc(jit->size + 1);
		if (!jit->data)
			status = tr_image_fail(image, TR_E_NOMEM, "out of memory");
	}
	for (size_t at = 0; !status && at < jit->size;) {
		const ssize_t got = read(fd, jit->data + at, jit->size - at);
		if (got > 0)
			at += (size_t)got;
		else if (got == 0)
			status = tr_image_fail(image, TR_E_IO, "became shorter");
		else if (errno != EINTR)
			status = tr_image_fail(image, TR_E_IO, "%s", strerror(errno));
	}
	close(fd);
	return status;
}

static int compare_functions(const void *a, const void *b)
{
	const struct tr_function *x = a, *y = b;
	return (x->low > y->low) - (x->low < y->low);
}

static int compare_code(const void *a, const void *b)
{
	const struct tr_code *x = a, *y = b;
	return (x->address > y->address) - (x->address < y->address);
}

/* Adds the function of a piece, and its code, `doubt` above its address. */
static void add_function_of(struct tr_image *image, const struct tr_jit_piece *piece,
			    const char *name, uint64_t doubt)
{
	const uint64_t low = tr_jit_address(piece, piece->address) + doubt;
	image->functions[image->nfunctions++] =
	    (struct tr_function){.name = name,
				 .entry = low,
				 .low = low,
				 .high = low + piece->size,
				 .is_entry = true};
	if (piece->code)
		image->code[image->ncode++] = (struct tr_code){
		    .data = piece->code, .address = low, .size = piece->size};
}

static int add_functions(struct tr_image *image)
{
	static const char DOUBT[] = " [or compiled later]";
	const struct image_jit *jit = image->jit;
	image->functions = calloc(2 * jit->npieces + 1, sizeof(*image->functions));
	image->code = calloc(2 * jit->npieces + 1, sizeof(*image->code));
	if (!image->functions || !image->code)
		return tr_image_fail(image, TR_E_NOMEM, "out of memory");
	for (size_t i = 0; i < jit->npieces; i++) {
		const struct tr_jit_piece *piece = &jit->pieces[i];
		add_function_of(image, piece, piece->name, 0);
		if (!piece->is_covered)
			continue;
		const size_t length = strlen(piece->name);
		char *name = tr_arena_take(&image->names, length + sizeof(DOUBT));
		if (!name)
			return tr_image_fail(image, TR_E_NOMEM, "out of memory");
		memcpy(name, piece->name, length);
		memcpy(name + length, DOUBT, sizeof(DOUBT));
		add_function_of(image, piece, name, TR_JIT_DOUBT);
	}
	qsort(image->functions, image->nfunctions, sizeof(*image->functions),
	      compare_functions);
	qsort(image->code, image->ncode, sizeof(*image->code), compare_code);
	return TR_OK;
}

/* Makes an index of the lines of a jitdump. */
static int add_lines(struct tr_image *image, enum image_index_kind kind)
{
	const struct image_jit *jit = image->jit;
	const struct image_key key = {.file_bytes = jit->size};
	struct image_places places = {0};
	struct tr_buffer *bytes = &image->index_bytes[kind];
	int status = TR_OK;
	for (size_t i = 0; i < jit->nlines && !status; i++)
		status = tr_jit_claim_lines(image, &jit->lines[i],
					    kind == IMAGE_INDEX_PATHS, &places);
	tr_image_places_settle(&places);
	tr_image_index_finish(&places.index, kind, &key, "", bytes);
	if (!status && (places.failed || bytes->failed))
		return tr_image_fail(image, TR_E_NOMEM, "out of memory");
	if (!status && !tr_image_index_read(&image->index[kind], kind, bytes->data,
					    bytes->size, &key))
		return tr_image_fail(image, TR_E_CORRUPT, "too many source lines");
	return status;
}

int tr_jit_open(struct tr_image *image, const struct tr_image_options *options)
{
	image->jit = calloc(1, sizeof(*image->jit));
	if (!image->jit)
		return tr_image_fail(image, TR_E_NOMEM, "out of memory");
	image->pie = true;
	int status = read_whole_file(image);
	if (!status) {
		image->jit->hash = XXH64(image->jit->data, image->jit->size, 0);
		status = strcmp(options->part, TR_PART_JITDUMP) == 0
			     ? tr_jit_read_dump(image)
			     : tr_jit_read_map(image);
	}
	if (!status)
		status = tr_jit_layer(image);
	if (!status)
		status = add_functions(image);
	for (size_t i = 0; i < image->jit->nlines && !status; i++)
		status = tr_jit_claim_lines(image, &image->jit->lines[i], false, NULL);
	if (!status && options->lines && image->jit->nlines)
		status = add_lines(image, IMAGE_INDEX_LINES);
	if (!status && options->paths && image->jit->nlines)
		status = add_lines(image, IMAGE_INDEX_PATHS);
	return status;
}

void tr_jit_free(struct tr_image *image)
{
	if (!image->jit)
		return;
	free(image->jit->data);
	free(image->jit->pieces);
	free(image->jit->by_place);
	free(image->jit->lines);
	tr_map_free(&image->jit->latest);
	free(image->jit);
}

bool tr_image_is_jit(const struct tr_image *image)
{
	return image->jit;
}

uint32_t tr_jit_count(const struct tr_image *image)
{
	return (uint32_t)image->jit->npieces;
}

uint32_t tr_jit_layers(const struct tr_image *image)
{
	return image->jit->nlayers;
}

const struct tr_jit_piece *tr_jit_piece(const struct tr_image *image, uint32_t number)
{
	return &image->jit->pieces[number];
}

bool tr_jit_has_code(const struct tr_image *image)
{
	return image->jit->npieces && image->jit->pieces[0].code;
}

uint32_t tr_jit_pid(const struct tr_image *image)
{
	return image->jit->pid;
}

const struct tr_jit_piece *tr_jit_overlap(const struct tr_image *image, uint32_t layer,
					  uint64_t low, uint64_t high)
{
	const struct image_jit *jit = image->jit;
	size_t first = 0, last = jit->npieces;
	while (first < last) { /* to the first piece that ends behind `low` */
		const size_t middle = first + (last - first) / 2;
		const struct tr_jit_piece *piece = &jit->pieces[jit->by_place[middle]];
		if (piece->layer < layer ||
		    (piece->layer == layer && piece->address + piece->size <= low))
			first = middle + 1;
		else
			last = middle;
	}
	if (first == jit->npieces)
		return NULL;
	const struct tr_jit_piece *piece = &jit->pieces[jit->by_place[first]];
	return piece->layer == layer && piece->address < high ? piece : NULL;
}
