/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the histogram of a gmon.out: "rate,N" with the samples a second, "bin,N" with
 * the bytes of code that a bin stands for, and "ADDRESS,SAMPLES" of each bin that has
 * some.
 *
 *     print_histogram FILE
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 20, TAG_HISTOGRAM = 0 };

struct histogram {
	uint64_t low, high;
	uint32_t bins, rate;
	char dimension[15], abbreviation;
};

static void read_bytes(FILE *file, void *bytes, size_t size)
{
	if (fread(bytes, 1, size, file) != size) {
		fputs("print_histogram: the file is too short\n", stderr);
		exit(1);
	}
}

/* How many bins there are for each 65536 halfwords of code, as the C library computes it
 * for profil(): there may be more bins than the code needs. */
static uint64_t bins_scale(const struct histogram *histogram)
{
	float range = (float)(histogram->high - histogram->low);

	return (uint64_t)((float)(histogram->bins * sizeof(uint16_t)) / range * 65536);
}

static void print_bins(FILE *file)
{
	struct histogram histogram;
	uint64_t scale;
	uint16_t count;

	read_bytes(file, &histogram, sizeof(histogram));
	scale = bins_scale(&histogram);
	printf("rate,%" PRIu32 "\nbin,%" PRIu64 "\n", histogram.rate,
	       (2 * 65536 + scale / 2) / scale);
	for (uint64_t i = 0; i < histogram.bins; i++) {
		read_bytes(file, &count, sizeof(count));
		if (count)
			printf("0x%" PRIx64 ",%u\n",
			       histogram.low + 2 * ((i * 65536 + scale - 1) / scale),
			       (unsigned)count);
	}
}

int main(int argc, char **argv)
{
	FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
	char header[HEADER];

	if (!file) {
		fputs("print_histogram: no file\n", stderr);
		return 1;
	}
	read_bytes(file, header, sizeof(header));
	if (memcmp(header, "gmon", 4) != 0 || fgetc(file) != TAG_HISTOGRAM) {
		fputs("print_histogram: it does not begin with a histogram\n", stderr);
		return 1;
	}
	print_bins(file);
	return 0;
}
