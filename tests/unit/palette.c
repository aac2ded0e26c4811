/* SPDX-License-Identifier: Apache-2.0 */
/* The colours of classes are distinguishable, also without red or green: their distances
 * by CIEDE2000 (Sharma, Wu, Dalal 2005), seen through the matrices of Machado, Oliveira
 * and Fernandes (2009) for protanopia and deuteranopia. */
#include <math.h>

#include "check.h"
#include "flame/picture.h"

enum { GROUPS = 5, COLOURS = GROUPS + 2 };

struct lab {
	double l, a, b;
};

static const double visions[][3][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{0.152286, 1.052583, -0.204868},
     {0.114503, 0.786281, 0.099216},
     {-0.003882, -0.048116, 1.051998}},
    {{0.367322, 0.860646, -0.227968},
     {0.280085, 0.672501, 0.047413},
     {-0.011820, 0.042940, 0.968881}},
};

static double linear(double c)
{
	return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

/* Returns a channel of hsl(), as defined by CSS. */
static double channel(const struct flame_colour *colour, double n)
{
	double s = colour->saturation / 100.0, l = colour->light / 100.0;
	double k = fmod(n + colour->hue / 30.0, 12);
	double a = s * fmin(l, 1 - l);
	return l - a * fmax(-1, fmin(fmin(k - 3, 9 - k), 1));
}

static double f(double t)
{
	return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

static struct lab seen(struct flame_colour colour, const double vision[3][3])
{
	const double rgb[3] = {linear(channel(&colour, 0)), linear(channel(&colour, 8)),
			       linear(channel(&colour, 4))};
	double c[3];
	for (unsigned i = 0; i < 3; i++)
		c[i] = fmin(1, fmax(0, vision[i][0] * rgb[0] + vision[i][1] * rgb[1] +
					   vision[i][2] * rgb[2]));
	double x = f((0.4124564 * c[0] + 0.3575761 * c[1] + 0.1804375 * c[2]) / 0.95047);
	double y = f(0.2126729 * c[0] + 0.7151522 * c[1] + 0.0721750 * c[2]);
	double z = f((0.0193339 * c[0] + 0.1191920 * c[1] + 0.9503041 * c[2]) / 1.08883);
	return (struct lab){116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

static double cosine(double degrees)
{
	return cos(degrees * acos(-1) / 180);
}

static double hue(double a, double b)
{
	double degrees = atan2(b, a) * 180 / acos(-1);
	return degrees < 0 ? degrees + 360 : degrees;
}

static double distance(struct lab x, struct lab y)
{
	const double far = pow(25, 7);
	double mean = pow((hypot(x.a, x.b) + hypot(y.a, y.b)) / 2, 7);
	double g = 1 + (1 - sqrt(mean / (mean + far))) / 2;
	double cx = hypot(x.a * g, x.b), cy = hypot(y.a * g, y.b), c = (cx + cy) / 2;
	double hx = hue(x.a * g, x.b), hy = hue(y.a * g, y.b), h = (hx + hy) / 2;
	double turn = hy - hx, l = (x.l + y.l) / 2 - 50;
	if (fabs(turn) > 180) {
		turn += turn > 0 ? -360 : 360;
		h += h < 180 ? 180 : -180;
	}
	double dh = 2 * sqrt(cx * cy) * sin(turn / 2 * acos(-1) / 180);
	double t = 1 - 0.17 * cosine(h - 30) + 0.24 * cosine(2 * h) +
		   0.32 * cosine(3 * h + 6) - 0.2 * cosine(4 * h - 63);
	double rotation = -2 * sqrt(pow(c, 7) / (pow(c, 7) + far)) *
			  sin(acos(-1) / 3 * exp(-pow((h - 275) / 25, 2)));
	double sl = (y.l - x.l) / (1 + 0.015 * l * l / sqrt(20 + l * l));
	double sc = (cy - cx) / (1 + 0.045 * c), sh = dh / (1 + 0.015 * c * t);
	return sqrt(sl * sl + sc * sc + sh * sh + rotation * sc * sh);
}

/* Pairs of the paper's table, with hues on the same side and on both sides of 0. */
static void check_distance(void)
{
	static const struct {
		struct lab x, y;
		double distance;
	} pairs[] = {
	    {{50, 2.6772, -79.7751}, {50, 0, -82.7485}, 2.0425},
	    {{50, -1.3802, -84.2814}, {50, 0, -82.7485}, 1.0000},
	    {{50, 2.5, 0}, {50, 3.1736, 0.5854}, 1.0000},
	    {{50, 2.5, 0}, {58, 24, 15}, 19.4535},
	    {{50, 2.5, 0}, {61, -5, 29}, 22.8977},
	    {{60.2574, -34.0099, 36.2677}, {60.4626, -34.1751, 39.4387}, 1.2644},
	    {{2.0776, 0.0795, -1.1350}, {0.9033, -0.0636, -0.5514}, 0.9082},
	};
	for (unsigned i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
		CHECK(fabs(distance(pairs[i].x, pairs[i].y) - pairs[i].distance) < 1e-4);
}

/* Returns the minimum distance of any two colours, in any vision. */
static double least(const struct flame_colour *colours, unsigned count)
{
	double found = INFINITY;
	for (unsigned v = 0; v < sizeof(visions) / sizeof(*visions); v++)
		for (unsigned i = 0; i < count; i++)
			for (unsigned k = 0; k < i; k++)
				found =
				    fmin(found, distance(seen(colours[i], visions[v]),
							 seen(colours[k], visions[v])));
	return found;
}

int main(void)
{
	static const char *const names[GROUPS] = {"frontend", "badspec", "memory", "core",
						  "idle"};
	struct tr_classes classes = {.ngroups = GROUPS};
	struct flame_colour colours[COLOURS], paler[GROUPS];
	for (unsigned i = 0; i < GROUPS; i++) {
		classes.group_name[i] = names[i];
		colours[i] = tr_flame_group_colour(&classes, i);
	}
	colours[GROUPS] = tr_flame_retiring_colour();
	colours[GROUPS + 1] = (struct flame_colour){0, 0, FLAME_PALEST}; /* not traced */
	check_distance();
	CHECK(least(colours, COLOURS) >= 16);
	colours[GROUPS + 1].light = FLAME_DARKEST;
	CHECK(least(colours, COLOURS) >= 16);
	/* Colours of frames that lost half of their cycles, on both grounds. */
	for (unsigned dark = 0; dark < 2; dark++) {
		for (unsigned i = 0; i < GROUPS; i++)
			paler[i] = tr_flame_shaded(colours[i], 5,
						   dark ? FLAME_DARKEST : FLAME_PALEST);
		CHECK(least(paler, GROUPS) >= 11);
	}
	/* The former colours fail. */
	const struct flame_colour blues[] = {{208, 75, 64}, {285, 55, 64}};
	CHECK(least(blues, 2) < 5);
	return check_done();
}
