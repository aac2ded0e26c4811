/* SPDX-License-Identifier: Apache-2.0 */
/* A filter of stationary noise: spectral subtraction in overlapping windows. The signal
 * is synthetic: tones that come and go, with noise that is alone at first, where the
 * filter learns its spectrum.
 *
 *     denoise [FRAMES]
 */
#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 256, HOP = SIZE / 2, LEARNED = 16, FRAMES = 150, FRAMES_MAX = 4000 };
static const double pi = 3.14159265358979323846;

static double window[SIZE];
static double complex roots[SIZE / 2], spectrum[SIZE];
static double noise_power[SIZE];
static double *clean, *noisy, *filtered;
static unsigned samples;

/* --- the signal */

static double draw_noise(uint32_t *state)
{
	double sum = 0;

	for (int i = 0; i < 4; i++) {
		*state = *state * 1664525 + 1013904223;
		sum += (double)(*state >> 8) / (1 << 24) - 0.5;
	}
	return sum;
}

static double tone_value(unsigned at, double pitch, double beat)
{
	return sin(2 * pi * pitch * at / SIZE) *
	       (0.5 - 0.5 * cos(2 * pi * beat * at / SIZE));
}

static double clean_sample(unsigned at)
{
	if (at < LEARNED * HOP)
		return 0;
	return tone_value(at, 9.3, 0.05) + 0.7 * tone_value(at, 21.7, 0.11) +
	       0.4 * tone_value(at, 40.1, 0.3);
}

static double *new_samples(void)
{
	double *made = calloc(samples, sizeof(*made));

	if (!made)
		exit(1);
	return made;
}

static void make_signal(void)
{
	uint32_t state = 1;

	clean = new_samples();
	noisy = new_samples();
	filtered = new_samples();
	for (unsigned i = 0; i < samples; i++) {
		clean[i] = clean_sample(i);
		noisy[i] = clean[i] + 0.6 * draw_noise(&state);
	}
}

/* --- Fourier transform, radix 2 */

static void make_tables(void)
{
	for (unsigned i = 0; i < SIZE; i++)
		window[i] = 0.5 - 0.5 * cos(2 * pi * i / SIZE);
	for (unsigned i = 0; i < SIZE / 2; i++)
		roots[i] = cos(2 * pi * i / SIZE) - I * sin(2 * pi * i / SIZE);
}

static unsigned reverse_bits(unsigned value)
{
	unsigned reversed = 0;

	for (unsigned bit = 1; bit < SIZE; bit <<= 1, value >>= 1)
		reversed = reversed << 1 | (value & 1);
	return reversed;
}

static void swap_values(double complex *a, double complex *b)
{
	double complex value = *a;

	*a = *b;
	*b = value;
}

static void sort_values(double complex *values)
{
	for (unsigned i = 0; i < SIZE; i++)
		if (reverse_bits(i) > i)
			swap_values(&values[i], &values[reverse_bits(i)]);
}

/* Multiplies without the cases of infinity that C99 demands. */
static double complex multiply_values(double complex a, double complex b)
{
	double real = creal(a) * creal(b) - cimag(a) * cimag(b);
	double imaginary = creal(a) * cimag(b) + cimag(a) * creal(b);

	return real + I * imaginary;
}

static void cross_values(double complex *a, double complex *b, double complex root)
{
	double complex turned = multiply_values(*b, root);

	*b = *a - turned;
	*a = *a + turned;
}

static void transform_bins(double complex *values)
{
	sort_values(values);
	for (unsigned half = 1; half < SIZE; half *= 2)
		for (unsigned start = 0; start < SIZE; start += 2 * half)
			for (unsigned i = 0; i < half; i++)
				cross_values(&values[start + i],
					     &values[start + half + i],
					     roots[i * (SIZE / 2 / half)]);
}

static void transform_bins_back(double complex *values)
{
	for (unsigned i = 0; i < SIZE; i++)
		values[i] = conj(values[i]);
	transform_bins(values);
	for (unsigned i = 0; i < SIZE; i++)
		values[i] = conj(values[i]) / SIZE;
}

/* --- the filter */

static void load_frame(const double *from)
{
	for (unsigned i = 0; i < SIZE; i++)
		spectrum[i] = from[i] * sqrt(window[i]);
	transform_bins(spectrum);
}

static double bin_power(double complex bin)
{
	return creal(bin) * creal(bin) + cimag(bin) * cimag(bin);
}

static void learn_noise(void)
{
	unsigned frames = LEARNED - 1;

	for (unsigned frame = 0; frame < frames; frame++) {
		load_frame(noisy + frame * HOP);
		for (unsigned i = 0; i < SIZE; i++)
			noise_power[i] += bin_power(spectrum[i]) / frames;
	}
}

/* The part of a bin that is not noise; some of it stays, against tones of the filter's
 * own. */
static double bin_gain(double power, double noise)
{
	double left = 1 - 3 * noise / (power + 1e-12);

	return left > 0.01 ? sqrt(left) : 0.1;
}

static void subtract_noise(void)
{
	for (unsigned i = 0; i < SIZE; i++)
		spectrum[i] *= bin_gain(bin_power(spectrum[i]), noise_power[i]);
}

static void add_frame(double *to)
{
	transform_bins_back(spectrum);
	for (unsigned i = 0; i < SIZE; i++)
		to[i] += creal(spectrum[i]) * sqrt(window[i]);
}

static void filter_signal(void)
{
	for (unsigned at = 0; at + SIZE <= samples; at += HOP) {
		load_frame(noisy + at);
		subtract_noise();
		add_frame(filtered + at);
	}
}

/* --- the result */

static double squared_error(const double *signal)
{
	double sum = 0;

	for (unsigned i = LEARNED * HOP; i < samples - HOP; i++)
		sum += (signal[i] - clean[i]) * (signal[i] - clean[i]);
	return sum;
}

static uint32_t signal_checksum(void)
{
	uint32_t sum = 0;

	for (unsigned i = 0; i < samples; i++)
		sum = sum * 31 + (uint32_t)lround(filtered[i] * 1000);
	return sum;
}

int main(int argc, char **argv)
{
	unsigned frames = argc > 1 ? (unsigned)atoi(argv[1]) : FRAMES;
	double before, after;

	if (frames < 2 * LEARNED || frames > FRAMES_MAX)
		return 1;
	samples = (frames + 1) * HOP;
	make_signal();
	make_tables();
	learn_noise();
	filter_signal();
	before = squared_error(noisy);
	after = squared_error(filtered);
	printf("denoise: %u frames, error %.3f, then %.3f, %08x\n", frames, before, after,
	       (unsigned)signal_checksum());
	return after < before / 5 ? 0 : 1;
}
