/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a flame graph as JSON, for its script. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "flame/flame_internal.h"

static void write_model_text(FILE *file, const char *key, const char *text)
{
	fprintf(file, ",\n\"%s\":", key);
	tr_flame_quoted(file, text);
}

/* A mode: name, letter of its styles, note, keys (tone and label). */
static void write_modes(const struct flame_layout *layout, const struct tr_flame *flame,
			FILE *file)
{
	struct flame_keys keys;
	bool any = false;
	fputs(",\n\"modes\":[", file);
	for (enum flame_mode mode = 0; mode < FLAME_MODES; mode++) {
		if (!layout->offers[mode])
			continue;
		tr_flame_keys(layout, flame, mode, &keys);
		fprintf(file, "%s\n[\"%s\",\"%c\",", any ? "," : "",
			tr_flame_mode_name(mode), tr_flame_mode_letter(mode));
		any = true;
		tr_flame_quoted(file, keys.note ? keys.note : "");
		fputs(",[", file);
		for (unsigned i = 0; i < keys.count; i++) {
			fprintf(file, "%s[%u,", i ? "," : "", keys.key[i].tone);
			tr_flame_quoted(file, keys.key[i].label);
			putc(']', file);
		}
		fputs("]]", file);
	}
	fprintf(file, "],\n\"mode\":\"%s\"", tr_flame_mode_name(layout->mode));
}

static void write_binaries(const struct flame_layout *layout, FILE *file)
{
	fputs(",\n\"binaries\":[", file);
	for (uint32_t i = 0; i < layout->nbinaries; i++) {
		if (i)
			fputs(i % 8 ? "," : ",\n", file);
		tr_flame_quoted(file, layout->binaries[i]);
	}
	putc(']', file);
}

/* A function: name, index of its binary or -1, address in the binary in hexadecimal,
 * kind, privilege or -1, tones. */
static void write_functions(const struct flame_layout *layout, FILE *file)
{
	fputs(",\n\"functions\":[", file);
	for (uint32_t i = 0; i < layout->nfunctions; i++) {
		const struct flame_function *f = &layout->functions[i];
		fputs(i ? i % 4 ? "," : ",\n" : "\n", file);
		tr_flame_quoted(file, f->name);
		fprintf(file, ",%d,\"",
			f->binary == FLAME_NO_BINARY ? -1 : (int)f->binary);
		if (f->func && f->func->address)
			fprintf(file, "%" PRIx64, f->func->address);
		fprintf(file, "\",%u,%d", f->func ? f->func->kind : 0U,
			f->priv == TR_FOLDED_NO_PRIV ? -1 : f->priv);
		for (enum flame_mode mode = 0; mode < FLAME_FUNCTION_MODES; mode++)
			fprintf(file, ",%u", tr_flame_function_tone(f, mode));
	}
	putc(']', file);
}

/* A frame: depth, function, tone, units between it and its left neighbour, total, other
 * total, and own value (for a difference: its change). */
static void write_frames(const struct flame_layout *layout,
			 const struct tr_folded *folded, const struct tr_flame *flame,
			 FILE *file)
{
	uint64_t edges[FLAME_MAX_DEPTH + 1] = {0};
	fputs(",\n\"frames\":[", file);
	for (uint32_t i = 0; i < layout->count; i++) {
		const struct flame_frame *frame = &layout->frames[i];
		const uint64_t *self = tr_folded_node(folded, frame->id)->self;
		fprintf(file, "%s%s%u,%u,%u,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",",
			i ? "," : "", i % 8 ? "" : "\n", frame->depth, frame->function,
			frame->tone, frame->start - edges[frame->depth], frame->total,
			layout->other[frame->id]);
		if (flame->difference && self[0] > self[1])
			fprintf(file, "-%" PRIu64, self[0] - self[1]);
		else if (flame->difference)
			fprintf(file, "%" PRIu64, self[1] - self[0]);
		else
			fprintf(file, "%" PRIu64, self[flame->which]);
		edges[frame->depth] = frame->start + frame->total;
		edges[frame->depth + 1] = frame->start;
	}
	putc(']', file);
}

/* Of each frame of a sampled run: its error, -1 if that is unknown, and the windows that
 * it rests on, -1 if it is exact. */
static void write_bars(const struct flame_layout *layout, const struct tr_flame *flame,
		       FILE *file)
{
	fputs(",\n\"bars\":[", file);
	for (uint32_t i = 0; i < layout->count; i++) {
		const struct tr_bar *bar = &flame->bars[layout->frames[i].id];
		fprintf(file, "%s%s", i ? "," : "", i % 16 ? "" : "\n");
		if (!(bar->value > 0))
			fputs("0,-1", file);
		else if (isinf(bar->error))
			fprintf(file, "-1,%" PRIu32, bar->windows);
		else
			fprintf(file, "%.0f,%" PRIu32,
				ceil(bar->error * flame->bar_units), bar->windows);
	}
	fprintf(file, "],\"few\":%d", TR_ESTIMATE_FEW);
}

static void write_notes(const struct flame_layout *layout, const struct tr_flame *flame,
			FILE *file)
{
	struct flame_notes notes;
	tr_flame_notes(layout, flame, &notes);
	fputs(",\n\"notes\":[", file);
	for (unsigned i = 0; i < notes.count; i++) {
		fputs(i ? ",\n" : "", file);
		tr_flame_quoted(file, notes.line[i]);
	}
	putc(']', file);
}

void tr_flame_layout_model(const struct flame_layout *layout,
			   const struct tr_folded *folded, const struct tr_flame *flame,
			   FILE *file)
{
	fprintf(file, "{\"rows\":%u,\"difference\":%s", layout->rows,
		flame->difference ? "true" : "false");
	write_model_text(file, "title", flame->title);
	write_model_text(file, "subtitle", flame->subtitle);
	write_model_text(file, "unit", flame->unit);
	write_model_text(file, "otherUnit", flame->other_unit);
	if (flame->annotated)
		write_model_text(file, "annotated", flame->annotated);
	write_notes(layout, flame, file);
	write_modes(layout, flame, file);
	write_binaries(layout, file);
	write_functions(layout, file);
	write_frames(layout, folded, flame, file);
	if (flame->bars)
		write_bars(layout, flame, file);
	if (flame->classes)
		tr_flame_class_data(file, flame->classes, layout);
	else
		fputs(",\n\"classes\":[],\"lost\":[]", file);
}

/* Writes the styles of the tones inside a string. Returns a status. */
static int write_styles(const struct flame_layout *layout, const struct tr_flame *flame,
			FILE *file)
{
	char *text = NULL;
	size_t size = 0;
	FILE *memory = open_memstream(&text, &size);
	if (!memory)
		return TR_E_NOMEM;
	tr_flame_tones(layout, flame, memory);
	int failed = fclose(memory);
	for (size_t i = 0; i < size && !failed; i++)
		putc(text[i] == '\n' ? ' ' : text[i], file);
	free(text);
	return failed ? TR_E_NOMEM : TR_OK;
}

int tr_flame_model(const struct tr_folded *folded, const struct tr_flame *flame,
		   FILE *file)
{
	struct flame_layout layout;
	int status = tr_flame_layout(&layout, folded, flame);
	if (status)
		return status;
	tr_flame_layout_model(&layout, folded, flame, file);
	fputs(",\"styles\":\"", file);
	status = write_styles(&layout, flame, file);
	fputs("\"}", file);
	tr_flame_layout_free(&layout);
	return status;
}
