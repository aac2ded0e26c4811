/* SPDX-License-Identifier: Apache-2.0 */
/* Draws a histogram: bars on an axis with buckets of equal width, which is roughly
 * logarithmic, and marks for the median and the tail. */
#include <inttypes.h>

#include "flame/flame.h"
#include "base/number.h"
#include "flame/histogram.h"
#include "flame/picture.h"

static const char *const style[] = {
#include "flame/histogram.css.inc"
    NULL,
};

/* Pixels. */
enum {
	LEFT = 70,
	RIGHT = FLAME_WIDTH - 30,
	TOP = 84,
	BOTTOM = 404,
	HEIGHT = 474,
	LABEL_ROOM = 64, /* width of a tick's label */
};

struct axis {
	const struct tr_histogram *h;
	double step; /* pixels per bucket */
};

static double value_to_x(const struct axis *axis, uint64_t value)
{
	const struct tr_histogram *h = axis->h;
	uint64_t bucket = tr_histogram_bucket(value, h->bits);
	uint64_t lowest = tr_histogram_lowest(bucket, h->bits);
	uint64_t width = tr_histogram_lowest(bucket + 1, h->bits) - lowest;
	double inside = (double)(value - lowest) / (double)width;
	return LEFT + axis->step * ((double)bucket - (double)h->first + inside);
}

/* Formats "20k", and 1500 unchanged. */
static void short_number(uint64_t number, char text[28])
{
	static const char powers[] = "kMGTPE";
	unsigned power = 0;
	while (number && number % 1000 == 0) {
		number /= 1000;
		power++;
	}
	snprintf(text, 28, "%" PRIu64 "%.1s", number, power ? &powers[power - 1] : "");
}

static void write_tick(const struct axis *axis, uint64_t value, double *last, FILE *file)
{
	char number[28];
	double x = value_to_x(axis, value);
	if (x < *last + LABEL_ROOM || x > RIGHT)
		return;
	*last = x;
	short_number(value, number);
	fprintf(file,
		"<path class=\"axis\" d=\"M%.1f %dv5\"/><text class=\"note\" x=\"%.1f\" "
		"y=\"%d\" text-anchor=\"middle\">%s</text>\n",
		x, BOTTOM, x, BOTTOM + 18, number);
}

/* Draws as many round values as fit on the axis. */
static void write_ticks(const struct axis *axis, FILE *file)
{
	const struct tr_histogram *h = axis->h;
	uint64_t low = tr_histogram_lowest(h->first, h->bits);
	uint64_t high = tr_histogram_lowest(h->first + h->rows, h->bits);
	static const uint8_t factors[] = {10, 20, 50};
	uint64_t step = 1;
	double last = 0;
	/* A narrow range has equidistant ticks. */
	if (high / 4 < low) {
		for (unsigned i = 0; (high - low) / step > 12 && step < high; i++)
			step = step * (i % 3 == 1 ? 5 : 4) / 2;
		for (uint64_t v = (low + step - 1) / step * step; v <= high; v += step)
			write_tick(axis, v, &last, file);
		return;
	}
	if (low == 0)
		write_tick(axis, 0, &last, file);
	for (; step <= high / 10; step *= 10)
		for (unsigned i = 0; i < 3; i++)
			if (step * factors[i] / 10 >= low &&
			    step * factors[i] / 10 <= high)
				write_tick(axis, step * factors[i] / 10, &last, file);
	for (unsigned i = 0; i < 3; i++)
		if (step * factors[i] / 10 >= low && step * factors[i] / 10 <= high)
			write_tick(axis, step * factors[i] / 10, &last, file);
}

static void write_histogram_bars(const struct axis *axis,
				 const struct tr_histogram_text *text, FILE *file)
{
	const struct tr_histogram *h = axis->h;
	double gap = axis->step > 4 ? 1 : 0;
	for (uint32_t row = 0; row < h->rows && h->count; row++) {
		uint64_t from = tr_histogram_lowest(h->first + row, h->bits);
		uint64_t to = tr_histogram_lowest(h->first + row + 1, h->bits) - 1;
		uint64_t count = h->counts[row];
		double height = (BOTTOM - TOP) * ((double)count / (double)h->most);
		char number[3][28];
		if (!count)
			continue;
		if (height < 1)
			height = 1;
		fprintf(file,
			"<rect class=\"bar\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
			"height=\"%.1f\"><title>%s to %s ",
			LEFT + axis->step * row, BOTTOM - height, axis->step - gap,
			height, tr_flame_number(from, number[0]),
			tr_flame_number(to, number[1]));
		tr_flame_xml(file, text->unit);
		fprintf(file, "\n%s call%s, %.2f %%</title></rect>\n",
			tr_flame_number(count, number[2]), tr_plural(count),
			100.0 * (double)count / (double)h->count);
	}
}

/* Draws a dashed line from the bottom to its label. */
static void write_mark(const struct axis *axis, const char *label, uint64_t value,
		       unsigned level, FILE *file)
{
	double x = value_to_x(axis, value);
	int y = TOP - 4 - 12 * (int)level;
	fprintf(file,
		"<path class=\"mark\" d=\"M%.1f %dV%d\"/><text class=\"note\" x=\"%.1f\" "
		"y=\"%d\"%s>%s</text>\n",
		x, BOTTOM, y + 2, x + (x > RIGHT - 60 ? -3 : 3), y + 2,
		x > RIGHT - 60 ? " text-anchor=\"end\"" : "", label);
}

/* Returns a round step that gives at most five ticks. */
static uint64_t round_tick_step(uint64_t most)
{
	uint64_t step = 1;
	for (unsigned i = 0; most / step > 5; i++)
		step = step * (i % 3 == 1 ? 5 : 4) / 2;
	return step;
}

/* Draws the axes, and ticks of the vertical one with lines across. */
static void write_histogram_axes(const struct tr_histogram *h, FILE *file)
{
	const uint64_t step = round_tick_step(h->most);
	char number[28];
	for (uint64_t tick = 0; tick <= h->most; tick += step) {
		double y =
		    h->most ? BOTTOM - (BOTTOM - TOP) * ((double)tick / (double)h->most)
			    : BOTTOM;
		fprintf(file,
			"<path class=\"grid\" d=\"M%d %.1fH%d\"/><path class=\"axis\" "
			"d=\"M%d %.1fh5\"/><text class=\"note\" x=\"%d\" "
			"y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
			LEFT, y, RIGHT, LEFT - 5, y, LEFT - 8, y + 4,
			tr_flame_number(tick, number));
	}
	fprintf(file,
		"<path class=\"axis\" d=\"M%d %dV%dH%d\"/>\n"
		"<text class=\"note fixed\" transform=\"translate(14 %d) rotate(-90)\" "
		"text-anchor=\"middle\">calls</text>\n",
		LEFT, TOP, BOTTOM, RIGHT, (TOP + BOTTOM) / 2);
}

/* Writes "1 234 calls: min 80, …", and the same as time if that is known. */
static void write_figures(const struct tr_histogram *h,
			  const struct tr_histogram_text *text, FILE *file)
{
	static const char *const names[] = {"min", "median", "p90", "p99", "max"};
	const uint64_t values[] = {h->min, h->median, h->p90, h->p99, h->max};
	char number[28], total[96];
	fprintf(file, "%s call%s", tr_flame_number(h->count, number),
		tr_plural(h->count));
	if (text->calls > h->count)
		fprintf(file, ", and %s that did not end",
			tr_flame_number(text->calls - h->count, number));
	for (unsigned i = 0; i < 5 && h->count; i++)
		fprintf(file, "%s%s %s%s", i ? ", " : ": ", names[i],
			h->rounded && i % 4 ? "~" : "",
			tr_flame_number(values[i], number));
	if (!h->count || !text->clock_hz)
		return;
	tr_flame_total(total, sizeof(total), h->median, "cycles", text->clock_hz);
	fprintf(file, "; the median is %s", total);
}

static void write_histogram_head(const struct tr_histogram *h,
				 const struct tr_histogram_text *text, FILE *file)
{
	tr_flame_open(file, text->title, HEIGHT, style);
	fputs("</style>\n", file);
	fprintf(file,
		"<rect class=\"paper\" width=\"%d\" height=\"%d\"/>\n<text class=\"title "
		"middle\" "
		"x=\"%d\" y=\"24\" text-anchor=\"middle\">",
		FLAME_WIDTH, HEIGHT, FLAME_WIDTH / 2);
	tr_flame_xml(file, text->title);
	fprintf(file,
		": %s of a call</text>\n<text class=\"note middle\" x=\"%d\" y=\"43\" "
		"text-anchor=\"middle\">",
		text->unit, FLAME_WIDTH / 2);
	write_figures(h, text, file);
	fputs("</text>\n", file);
}

void tr_histogram_svg(const struct tr_histogram *h, const struct tr_histogram_text *text,
		      FILE *file)
{
	const struct axis axis = {.h = h, .step = (double)(RIGHT - LEFT) / h->rows};
	write_histogram_head(h, text, file);
	write_histogram_axes(h, file);
	if (h->count) {
		write_ticks(&axis, file);
		write_histogram_bars(&axis, text, file);
		write_mark(&axis, "median", h->median, 0, file);
		write_mark(&axis, "p90", h->p90, 1, file);
		write_mark(&axis, "p99", h->p99, 2, file);
	}
	fprintf(file,
		"<text class=\"note\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s of a "
		"call, callees included, logarithmic</text>\n<text class=\"note\" "
		"x=\"%d\" y=\"%d\">",
		(LEFT + RIGHT) / 2, BOTTOM + 38, text->unit, FLAME_PAD, HEIGHT - 10);
	tr_flame_xml(file, text->footer);
	fputs("</text>\n", file);
	tr_flame_fit_script(file, LEFT, FLAME_WIDTH - RIGHT);
	fputs("</svg>\n", file);
}
