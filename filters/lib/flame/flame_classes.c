/* SPDX-License-Identifier: Apache-2.0 */
/* Flame graphs coloured by lost slots. The hue of a frame is the group of classes that
 * lost most of its slots, callees included; the paler it is, the smaller that share.
 * Below 1/16 the frame is green: its instructions retire. */
#include <inttypes.h>
#include <string.h>

#include "flame/flame_internal.h"
#include "profile/tma.h"

/* Tones: FLAME_SHADES shades of each of these, then of each group. */
enum { RETIRING, UNTRACED, FIRST_GROUP };

/* Returns the slots of a frame by class, and behind them those without one. */
static const uint64_t *lost_of_frame(const struct tr_classes *classes,
				     const struct flame_layout *layout, uint32_t id)
{
	return &layout->lost[(size_t)id * ((size_t)classes->count + 1)];
}

/* Computes the slots of a frame by group. Returns those of no group: without a class, or
 * not traced. */
static uint64_t group_sums(const struct tr_classes *classes,
			   const struct flame_layout *layout, uint32_t id,
			   uint64_t sums[TR_MAX_CLASSES])
{
	const uint64_t *lost = lost_of_frame(classes, layout, id);
	uint64_t rest = layout->total[id] - layout->other[id];
	memset(sums, 0, TR_MAX_CLASSES * sizeof(*sums));
	for (unsigned c = 1; c <= classes->count; c++) {
		sums[classes->group[c]] += lost[c - 1];
		rest -= lost[c - 1];
	}
	return rest;
}

uint16_t tr_flame_class_tone(const struct tr_classes *classes,
			     const struct flame_layout *layout, uint32_t id)
{
	uint64_t sums[TR_MAX_CLASSES], total = layout->total[id];
	unsigned most = 0, shade = 0;
	if (group_sums(classes, layout, id, sums) > total / 2)
		return UNTRACED * FLAME_SHADES;
	for (unsigned group = 1; group < classes->ngroups; group++)
		if (sums[group] > sums[most])
			most = group;
	/* Shades grow with the square root, so that small shares differ visibly. */
	double share = total ? (double)sums[most] / (double)total : 0;
	while (shade < FLAME_SHADES && share > shade * shade / 64.0)
		shade++;
	if (shade <= 2)
		return RETIRING * FLAME_SHADES;
	return (uint16_t)((FIRST_GROUP + most) * FLAME_SHADES + shade - 1);
}

struct flame_colour tr_flame_class_colour(const struct tr_classes *classes, unsigned tone,
					  bool is_dark)
{
	unsigned group = tone / FLAME_SHADES, shade = tone % FLAME_SHADES;
	unsigned palest = is_dark ? FLAME_DARKEST : FLAME_PALEST;
	if (group >= FIRST_GROUP)
		return tr_flame_shaded(
		    tr_flame_group_colour(classes, group - FIRST_GROUP), shade, palest);
	if (group == RETIRING)
		return tr_flame_retiring_colour();
	return (struct flame_colour){0, 0, palest};
}

static void add_class_share(struct flame_keys *keys, unsigned tone, const char *name,
			    double share)
{
	keys->key[keys->count].tone = tone;
	snprintf(keys->key[keys->count].label, sizeof(keys->key[0].label),
		 "%.40s %.2f %%", name, share);
	keys->count++;
}

void tr_flame_class_keys(const struct tr_flame *flame, const struct flame_layout *layout,
			 struct flame_keys *keys)
{
	const struct tr_classes *classes = flame->classes;
	uint32_t top = layout->frames[0].id;
	uint64_t sums[TR_MAX_CLASSES], total = layout->total[top];
	uint64_t unclassified = lost_of_frame(classes, layout, top)[classes->count];
	uint64_t untraced = group_sums(classes, layout, top, sums) - unclassified;
	double percent = total ? 100.0 / (double)total : 0;
	add_class_share(keys, RETIRING * FLAME_SHADES, "retiring",
			(double)layout->other[top] * percent);
	for (unsigned group = 0; group < classes->ngroups; group++)
		if (sums[group])
			add_class_share(keys,
					(FIRST_GROUP + group + 1) * FLAME_SHADES - 1,
					tr_tma_group(classes->group_name[group]),
					(double)sums[group] * percent);
	if (unclassified)
		add_class_share(keys, UNTRACED * FLAME_SHADES, "unclassified",
				(double)unclassified * percent);
	if (untraced)
		add_class_share(keys, UNTRACED * FLAME_SHADES, "not traced",
				(double)untraced * percent);
	keys->note =
	    strcmp(flame->unit, "slots") == 0
		? "a frame has the colour of what lost most of its slots, weaker "
		  "the fewer they are; green: below 1 in 16"
		: "a frame has the colour of what lost most of its cycles, "
		  "weaker the fewer they are; green: below 1 in 16";
}

void tr_flame_class_data(FILE *file, const struct tr_classes *classes,
			 const struct flame_layout *layout)
{
	fputs(",\n\"classes\":[", file);
	for (unsigned c = 1; c <= classes->count; c++) {
		fputs(c > 1 ? ",[" : "[", file);
		tr_flame_quoted(file,
				tr_tma_group(classes->group_name[classes->group[c]]));
		putc(',', file);
		tr_flame_quoted(file, classes->leaf[c]);
		putc(']', file);
	}
	if (lost_of_frame(classes, layout, layout->frames[0].id)[classes->count])
		fputs(",[\"unclassified\",\"\"]", file);
	fputs("],\n\"lost\":[", file);
	for (uint32_t i = 0; i < layout->count; i++) {
		const uint64_t *lost =
		    lost_of_frame(classes, layout, layout->frames[i].id);
		unsigned count = 0;
		for (unsigned c = 0; c <= classes->count; c++)
			count += lost[c] != 0;
		fprintf(file, "%s%s%u", i ? "," : "", i % 8 ? "" : "\n", count);
		for (unsigned c = 0; c <= classes->count; c++)
			if (lost[c])
				fprintf(file, ",%u,%" PRIu64, c, lost[c]);
	}
	putc(']', file);
}
