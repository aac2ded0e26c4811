/* SPDX-License-Identifier: Apache-2.0 */
/* What the colours of a flame graph show: tones, styles and legends of each mode.
 *
 * The hues of binaries are those of Okabe and Ito (2008), which remain distinct without
 * red or green. */
#include <inttypes.h>
#include <string.h>

#include "flame/flame_internal.h"

/* Tones of FLAME_BINARY after those with a hue. */
enum { OTHER_BINARY = FLAME_HUES, NO_BINARY };
/* Tones of FLAME_PRIVILEGE. */
enum { LEVEL_U, LEVEL_S, LEVEL_M, LEVEL_VU, LEVEL_VS, LEVEL_D, NO_LEVEL };

/* FNV-1a hash, so that a function has the same shade in every graph. */
static unsigned shade_of(const char *name)
{
	uint32_t hash = 2166136261U;
	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 16777619U;
	return (hash ^ hash >> 15) % FLAME_SHADES;
}

static unsigned level_of(uint8_t priv)
{
	switch (priv) {
	case TR_PRIV_U:
		return LEVEL_U;
	case TR_PRIV_S:
		return LEVEL_S;
	case TR_PRIV_M:
		return LEVEL_M;
	case TR_PRIV_V | TR_PRIV_U:
		return LEVEL_VU;
	case TR_PRIV_V | TR_PRIV_S:
		return LEVEL_VS;
	default:
		return tr_mode_of(priv).is_debug && priv != TR_FOLDED_NO_PRIV ? LEVEL_D
									      : NO_LEVEL;
	}
}

unsigned tr_flame_function_tone(const struct flame_function *function,
				enum flame_mode mode)
{
	unsigned colour = function->tint;
	if (mode == FLAME_BINARY)
		colour = function->binary == FLAME_NO_BINARY ? NO_BINARY
			 : function->binary < FLAME_HUES     ? function->binary
							     : OTHER_BINARY;
	else if (mode == FLAME_PRIVILEGE)
		colour = level_of(function->priv);
	return colour * FLAME_SHADES + shade_of(function->name);
}

unsigned tr_flame_tone(const struct flame_layout *layout, enum flame_mode mode,
		       const struct flame_frame *frame)
{
	return mode < FLAME_FUNCTION_MODES
		   ? tr_flame_function_tone(&layout->functions[frame->function], mode)
		   : frame->tone;
}

/* A colour, and its changes from one shade to the next. */
struct ramp {
	uint16_t hue, saturation, light;
	uint8_t hue_step, light_step;
};

static struct flame_colour on_ramp(const struct ramp *ramp, unsigned shade)
{
	return (struct flame_colour){(ramp->hue + ramp->hue_step * shade) % 360U,
				     ramp->saturation,
				     ramp->light + ramp->light_step * shade};
}

static const struct ramp role_ramps[TR_TINTS] = {
    [TR_TINT_USER] = {42, 92, 64, 2, 1},      [TR_TINT_KERNEL] = {14, 82, 62, 2, 1},
    [TR_TINT_FIRMWARE] = {203, 55, 69, 2, 1}, [TR_TINT_PROGRAM] = {34, 32, 76, 1, 1},
    [TR_TINT_OTHER] = {220, 6, 76, 0, 1},     [TR_TINT_CODE] = {66, 52, 66, 3, 1},
};
static const struct ramp binary_ramps[] = {
    {41, 100, 47, 0, 1},
    {202, 77, 62, 0, 1},
    {164, 100, 29, 0, 1},
    {56, 85, 58, 0, 1},
    {202, 100, 33, 0, 1},
    {26, 100, 40, 0, 1},
    {327, 45, 62, 0, 1},
    [OTHER_BINARY] = {30, 8, 56, 0, 1},
    [NO_BINARY] = {220, 6, 76, 0, 1},
};
static const struct ramp level_ramps[] = {
    [LEVEL_U] = {42, 92, 64, 2, 1},    [LEVEL_S] = {14, 82, 62, 2, 1},
    [LEVEL_M] = {203, 55, 69, 2, 1},   [LEVEL_VU] = {66, 52, 66, 3, 1},
    [LEVEL_VS] = {164, 100, 29, 0, 1}, [LEVEL_D] = {327, 45, 62, 0, 1},
    [NO_LEVEL] = {220, 6, 76, 0, 1},
};

/* The larger the change, the further from the ground. */
static struct flame_colour difference_colour(unsigned tone, bool is_dark)
{
	unsigned size =
	    tone < FLAME_NEUTRAL ? FLAME_NEUTRAL - tone : tone - FLAME_NEUTRAL;
	unsigned light = is_dark ? FLAME_DARKEST + 4 * size : 90 - 4 * size;
	if (!size)
		return (struct flame_colour){40, 10, is_dark ? FLAME_DARKEST - 4 : 91};
	return tone < FLAME_NEUTRAL ? (struct flame_colour){214, 78, light}
				    : (struct flame_colour){4, 84, light};
}

static struct flame_colour colour_of(const struct tr_flame *flame, enum flame_mode mode,
				     unsigned tone, bool is_dark)
{
	static const struct ramp *const ramps[FLAME_FUNCTION_MODES] = {
	    role_ramps, binary_ramps, level_ramps};
	if (mode == FLAME_CLASS)
		return tr_flame_class_colour(flame->classes, tone, is_dark);
	if (mode == FLAME_DIFFERENCE)
		return difference_colour(tone, is_dark);
	return on_ramp(&ramps[mode][tone / FLAME_SHADES], tone % FLAME_SHADES);
}

char tr_flame_mode_letter(enum flame_mode mode)
{
	return "rbpcd"[mode];
}

const char *tr_flame_mode_name(enum flame_mode mode)
{
	static const char *const names[FLAME_MODES] = {"role", "binary", "privilege",
						       "class", "difference"};
	return names[mode];
}

/* Writes the styles of a mode's tones in `used`: the frame's, and that of its label if it
 * is not the usual one. */
static void write_tones(const struct tr_flame *flame, enum flame_mode mode,
			const bool *used, bool is_dark, FILE *file)
{
	const char letter = tr_flame_mode_letter(mode);
	for (unsigned tone = 0; tone < FLAME_MAX_TONES; tone++) {
		if (!used[tone])
			continue;
		struct flame_colour colour = colour_of(flame, mode, tone, is_dark);
		bool is_white = tr_flame_needs_white(colour);
		fprintf(file, ".%c%u{fill:hsl(%u,%u%%,%u%%)}\n", letter, tone, colour.hue,
			colour.saturation, colour.light);
		if (is_white || is_dark)
			fprintf(file, ".stage .l%c%u{fill:%s}\n", letter, tone,
				is_white ? "#fff" : "#000");
	}
}

void tr_flame_tones(const struct flame_layout *layout, const struct tr_flame *flame,
		    FILE *file)
{
	struct flame_keys keys;
	for (enum flame_mode mode = 0; mode < FLAME_MODES; mode++) {
		bool used[FLAME_MAX_TONES] = {false};
		if (!layout->offers[mode])
			continue;
		for (uint32_t i = 0; i < layout->count; i++)
			used[tr_flame_tone(layout, mode, &layout->frames[i])] = true;
		tr_flame_keys(layout, flame, mode, &keys);
		for (unsigned i = 0; i < keys.count; i++)
			used[keys.key[i].tone] = true;
		write_tones(flame, mode, used, false, file);
		if (mode < FLAME_FUNCTION_MODES)
			continue;
		fputs("@media (prefers-color-scheme:dark){\n", file);
		write_tones(flame, mode, used, true, file);
		fputs("}\n", file);
	}
}

static void add_colour_key(struct flame_keys *keys, unsigned tone, const char *label)
{
	keys->key[keys->count].tone = tone;
	snprintf(keys->key[keys->count].label, sizeof(keys->key[0].label), "%s", label);
	keys->count++;
}

/* Keys of the colours that functions have. */
static void function_keys(const struct flame_layout *layout, enum flame_mode mode,
			  struct flame_keys *keys)
{
	static const char *const roles[TR_TINTS] = {
	    [TR_TINT_USER] = "user",
	    [TR_TINT_KERNEL] = "kernel",
	    [TR_TINT_FIRMWARE] = "firmware",
	    [TR_TINT_PROGRAM] = "program",
	    [TR_TINT_OTHER] = "trap, gap, unknown",
	    [TR_TINT_CODE] = "code",
	};
	static const char *const levels[] = {
	    [LEVEL_U] = "U-mode",     [LEVEL_S] = "S-mode",   [LEVEL_M] = "M-mode",
	    [LEVEL_VU] = "VU-mode",   [LEVEL_VS] = "VS-mode", [LEVEL_D] = "debug mode",
	    [NO_LEVEL] = "not known",
	};
	const char *const *labels = mode == FLAME_ROLE ? roles : levels;
	uint32_t used = 0;
	for (uint32_t i = 1; i < layout->nfunctions; i++)
		used |= 1U << tr_flame_function_tone(&layout->functions[i], mode) /
				  FLAME_SHADES;
	for (unsigned colour = 0; used >> colour; colour++) {
		if (!(used >> colour & 1))
			continue;
		const char *label = mode != FLAME_BINARY     ? labels[colour]
				    : colour == OTHER_BINARY ? "other binaries"
				    : colour == NO_BINARY    ? "no binary"
							     : layout->binaries[colour];
		add_colour_key(keys, colour * FLAME_SHADES + 2, label);
	}
}

void tr_flame_keys(const struct flame_layout *layout, const struct tr_flame *flame,
		   enum flame_mode mode, struct flame_keys *keys)
{
	keys->count = 0;
	keys->note = NULL;
	if (mode == FLAME_CLASS) {
		tr_flame_class_keys(flame, layout, keys);
	} else if (mode == FLAME_DIFFERENCE) {
		add_colour_key(keys, 1, "less than before");
		add_colour_key(keys, FLAME_NEUTRAL, "as before");
		add_colour_key(keys, FLAME_NEUTRAL + FLAME_SHADES - 1,
			       "more than before");
	} else {
		function_keys(layout, mode, keys);
	}
}
