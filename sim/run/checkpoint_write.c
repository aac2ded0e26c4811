/* SPDX-License-Identifier: Apache-2.0 */
/* Writes checkpoints. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "base/little.h"
#include "base/status.h"
#include "checkpoint_internal.h"
#include "feature_text.h"

/* The fastest level: RAM is written at the speed of a disk. */
enum { LEVEL = 1 };

struct out {
	FILE *file;
	ZSTD_CCtx *zstd;
	uint8_t *room; /* a compressed run of pages */
	size_t size;   /* of the room */
};

static bool fail_checkpoint_write(char *message, const char *path, int error)
{
	snprintf(message, CHECKPOINT_MESSAGE, "%s: %s", path, strerror(error));
	return false;
}

/* Adds the states of all harts to the keys. Returns TR_OK or TR_E_NOMEM. */
static int put_all_states(struct tr_header *keys, const struct checkpoint_source *s)
{
	int status = s->harts > 1 ? tr_header_set_u64(keys, "harts", s->harts) : TR_OK;

	for (unsigned i = 0; i < s->harts && !status; i++)
		status = checkpoint_put_hart(keys, i, &s->states[i], &s->features);
	return status;
}

/* Returns the version of the file. */
static uint32_t choose_version(const struct checkpoint_source *s)
{
	if (s->uses)
		return CHECKPOINT_VERSION_USES;
	if (s->features.disk)
		return CHECKPOINT_VERSION_DISK;
	return s->harts > 1 ? CHECKPOINT_VERSION_HARTS : CHECKPOINT_VERSION;
}

/* Adds what identifies the disk, if there is one. Returns TR_OK, TR_E_NOMEM or, with
 * errno set, TR_E_IO. */
static int put_disk_keys(struct tr_header *keys, const struct checkpoint_source *s)
{
	uint64_t digest;
	char text[24];

	if (!s->features.disk)
		return TR_OK;
	if (!soc_disk_digest(s->disk, &digest))
		return TR_E_IO;
	snprintf(text, sizeof(text), "%016" PRIx64, digest);
	const int status =
	    tr_header_set_u64(keys, "disk.sectors", soc_disk_sectors(s->disk));
	return status ? status : tr_header_set(keys, "disk.hash", text);
}

/* Writes the keys and the state. Returns 0, or errno. */
static int put_state_text(struct out *out, const struct checkpoint_source *s)
{
	struct tr_header *keys = tr_header_copy(s->keys);
	uint8_t head[CHECKPOINT_HEAD] = CHECKPOINT_MAGIC;
	XXH64_state_t *hash = XXH64_createState();
	char *text = NULL;
	size_t size = 0;

	errno = ENOMEM;
	if (keys &&
	    tr_header_set(keys, "isa", features_name_isa(&s->features)) == TR_OK &&
	    features_put_units(keys, &s->features, CHECKPOINT_YES) == TR_OK &&
	    tr_header_set_u64(keys, "ram", s->ram_size) == TR_OK &&
	    put_disk_keys(keys, s) == TR_OK &&
	    (!s->uses || tr_header_set_u64(keys, "uses", s->uses->n) == TR_OK) &&
	    put_all_states(keys, s) == TR_OK)
		text = tr_header_format(keys, &size);
	if (text && hash) {
		tr_store32(head + 8, choose_version(s));
		tr_store32(head + 12, (uint32_t)size);
		XXH64_reset(hash, 0);
		XXH64_update(hash, head, 16);
		XXH64_update(hash, text, size);
		tr_store64(head + 16, XXH64_digest(hash));
		if (fwrite(head, sizeof(head), 1, out->file) == 1 &&
		    fwrite(text, 1, size, out->file) == size)
			errno = 0;
	}
	XXH64_freeState(hash);
	free(text);
	tr_header_free(keys);
	return errno;
}

/* Writes a record of this many compressed bytes in the room. */
static bool put_record(struct out *out, uint64_t address, uint32_t pages, size_t size)
{
	uint8_t *head = out->room;

	tr_store64(head, address);
	tr_store32(head + 8, pages);
	tr_store32(head + 12, (uint32_t)size);
	memmove(head + 16, head + CHECKPOINT_RECORD, size);
	tr_store64(head + 16 + size, XXH64(head, 16 + size, 0));
	return fwrite(head, 16 + size + 8, 1, out->file) == 1;
}

static bool is_zero(const uint8_t *page)
{
	return page[0] == 0 && memcmp(page, page + 1, CHECKPOINT_PAGE - 1) == 0;
}

/* Returns how many of these pages, up to the most of a record, are not zero. */
static uint32_t count_nonzero_pages(const uint8_t *ram, uint64_t pages)
{
	uint32_t n = 0;

	while (n < CHECKPOINT_RUN && n < pages && !is_zero(ram + n * CHECKPOINT_PAGE))
		n++;
	return n;
}

/* Compresses pages, and writes them as a record. Returns 0, or errno. */
static int put_pages(struct out *out, uint64_t address, const uint8_t *from, uint32_t n)
{
	const size_t size = ZSTD_compressCCtx(out->zstd, out->room + CHECKPOINT_RECORD,
					      out->size - CHECKPOINT_RECORD, from,
					      n * CHECKPOINT_PAGE, LEVEL);
	if (ZSTD_isError(size))
		return ENOMEM;
	return put_record(out, address, n, size) ? 0 : errno;
}

/* Writes what the target has written to the disk, and adds to the number of pages.
 * Returns 0, or errno. */
static int put_disk(struct out *out, const struct checkpoint_source *s, uint64_t *total)
{
	uint64_t page = 0;
	const uint8_t *from;
	int error = 0;

	while (s->disk && !error && (from = soc_disk_written(s->disk, &page))) {
		error = put_pages(out, CHECKPOINT_DISK + page * CHECKPOINT_PAGE, from, 1);
		++*total;
		page++;
	}
	return error;
}

/* Writes the last uses of RAM, if they are kept, and adds to the number of pages. Returns
 * 0, or errno. */
static int put_uses(struct out *out, const struct checkpoint_source *s, uint64_t *total)
{
	const uint32_t n = s->uses ? checkpoint_pages_of_uses(s->uses->n) : 0;
	uint8_t *pages = n ? checkpoint_put_uses(s->uses) : NULL;
	int error = n ? ENOMEM : 0;

	if (pages)
		error = put_pages(out, CHECKPOINT_USES, pages, n);
	*total += n;
	free(pages);
	return error;
}

/* Returns 0, or errno. */
static int put_memory(struct out *out, const struct checkpoint_source *s)
{
	uint64_t pages = s->ram_size / CHECKPOINT_PAGE, total = 0;
	int error = 0;
	uint32_t n;

	for (uint64_t i = 0; i < pages && !error; i += n ? n : 1) {
		const uint8_t *from = s->ram + i * CHECKPOINT_PAGE;

		n = count_nonzero_pages(from, pages - i);
		if (n)
			error =
			    put_pages(out, SOC_RAM_BASE + i * CHECKPOINT_PAGE, from, n);
		total += n;
	}
	if (!error)
		error = put_uses(out, s, &total);
	if (!error)
		error = put_disk(out, s, &total);
	if (error)
		return error;
	return put_record(out, total, 0, 0) ? 0 : errno;
}

/* Writes to the descriptor, and closes it. Returns 0, or errno. */
static int write_checkpoint_to(int fd, const struct checkpoint_source *source)
{
	struct out out = {.file = fdopen(fd, "wb"), .zstd = ZSTD_createCCtx()};
	int error = ENOMEM;

	out.size =
	    CHECKPOINT_RECORD + ZSTD_compressBound(CHECKPOINT_RUN * CHECKPOINT_PAGE);
	out.room = malloc(out.size);
	if (!out.file)
		close(fd);
	else if (out.zstd && out.room)
		error = put_state_text(&out, source);
	if (!error)
		error = put_memory(&out, source);
	if (out.file && fclose(out.file) != 0 && !error)
		error = errno;
	ZSTD_freeCCtx(out.zstd);
	free(out.room);
	return error;
}

/* Returns the file that `path` stands for, through symbolic links, which the caller
 * frees; NULL with errno set. `*direct`: it exists and is not a regular file. */
static char *resolve_target(const char *path, bool *direct)
{
	struct stat st;

	*direct = false;
	if (stat(path, &st) != 0)
		return strdup(path);
	if (S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		return NULL;
	}
	*direct = !S_ISREG(st.st_mode);
	return realpath(path, NULL);
}

bool checkpoint_may_write(const char *path, char *message)
{
	bool direct;
	char *target = resolve_target(path, &direct);
	int error = target ? 0 : errno;

	if (target) {
		char *slash = strrchr(target, '/');
		if (direct)
			error = access(target, W_OK) ? errno : 0;
		else if (slash)
			slash[slash == target] = 0;
		if (!direct && access(slash ? target : ".", W_OK | X_OK) != 0)
			error = errno;
		free(target);
	}
	return error ? fail_checkpoint_write(message, path, error) : true;
}

/* Writes beside the target, which it then replaces. Returns 0, or errno. */
static int replace_target(const char *target, const struct checkpoint_source *source)
{
	char part[PATH_MAX];
	mode_t mask = umask(0);

	umask(mask);
	if (snprintf(part, sizeof(part), "%s.XXXXXX", target) >= (int)sizeof(part))
		return ENAMETOOLONG;
	int fd = mkostemp(part, O_CLOEXEC);
	if (fd < 0)
		return errno;
	int error = fchmod(fd, 0666 & ~mask) ? errno : 0;
	if (error)
		close(fd);
	else
		error = write_checkpoint_to(fd, source);
	if (!error && rename(part, target) != 0)
		error = errno;
	if (error)
		unlink(part);
	return error;
}

bool checkpoint_write(const char *path, const struct checkpoint_source *source,
		      char *message)
{
	bool direct;
	char *target = resolve_target(path, &direct);
	int error = target ? 0 : errno;

	if (target && direct) {
		int fd = open(target, O_WRONLY | O_CLOEXEC);
		error = fd < 0 ? errno : write_checkpoint_to(fd, source);
	} else if (target) {
		error = replace_target(target, source);
	}
	free(target);
	return error ? fail_checkpoint_write(message, path, error) : true;
}
