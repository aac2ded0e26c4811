/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs of the programs of others, on standard output. They are the same everywhere.
 *
 *     inputs formula [VARIABLES]   3-SAT at the ratio where it is hardest, DIMACS, for
 *                                  minisat
 *     inputs picture               PPM, for cjpeg
 *     inputs clip [FRAMES]         YUV 4:2:0, 8 bits, for x264
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VARIABLES = 175, CLAUSES_OF_1000 = 4300 };
enum { PICTURE_WIDTH = 640, PICTURE_HEIGHT = 480 };
enum { CLIP_WIDTH = 96, CLIP_HEIGHT = 80, CLIP_FRAMES = 4 };

static uint32_t state = 3;

static uint32_t draw_below(uint32_t limit)
{
	state = state * 1664525 + 1013904223;
	return (uint32_t)((uint64_t)state * limit >> 32);
}

static void write_formula(uint32_t variables)
{
	uint32_t clauses = variables * CLAUSES_OF_1000 / 1000;

	printf("p cnf %u %u\n", variables, clauses);
	for (uint32_t i = 0; i < clauses; i++) {
		for (int j = 0; j < 3; j++)
			printf("%s%u ", draw_below(2) ? "-" : "",
			       1 + draw_below(variables));
		puts("0");
	}
}

/* A triangle wave between 0 and 255. */
static uint32_t triangle_wave(uint32_t at)
{
	at %= 510;
	return at < 255 ? at : 510 - at;
}

/* Smooth slopes, sharp edges, and a grain. */
static uint32_t pixel_brightness(uint32_t x, uint32_t y, uint32_t time)
{
	uint32_t value = (triangle_wave(3 * x + 5 * time) + triangle_wave(2 * y + x)) / 2;

	if ((x + 2 * time) / 24 % 2 == (y + time) / 24 % 2)
		value = value * 3 / 4;
	if ((x - 80) * (x - 80) + (y - 70) * (y - 70) < 40 * 40)
		value = 255 - value;
	return (value * 15 + draw_below(256)) / 16;
}

static void write_picture(void)
{
	printf("P6\n%d %d\n255\n", PICTURE_WIDTH, PICTURE_HEIGHT);
	for (uint32_t y = 0; y < PICTURE_HEIGHT; y++)
		for (uint32_t x = 0; x < PICTURE_WIDTH; x++)
			for (uint32_t color = 0; color < 3; color++)
				putchar((int)pixel_brightness(x, y, 31 * color));
}

static void write_plane(uint32_t step, uint32_t time)
{
	for (uint32_t y = 0; y < CLIP_HEIGHT; y += step)
		for (uint32_t x = 0; x < CLIP_WIDTH; x += step)
			putchar((int)pixel_brightness(x, y, time));
}

static void write_clip(uint32_t frames)
{
	for (uint32_t frame = 0; frame < frames; frame++) {
		write_plane(1, frame);
		write_plane(2, frame + 100);
		write_plane(2, frame + 200);
	}
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	uint32_t size = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0;

	if (strcmp(what, "formula") == 0)
		write_formula(size ? size : VARIABLES);
	else if (strcmp(what, "picture") == 0)
		write_picture();
	else if (strcmp(what, "clip") == 0)
		write_clip(size ? size : CLIP_FRAMES);
	else
		return 2;
	return fclose(stdout) == 0 ? 0 : 2;
}
