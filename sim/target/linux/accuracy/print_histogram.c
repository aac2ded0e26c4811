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

static void print_bins(FILE *file)
{
	struct histogram histogram;
	uint64_t width;
	uint16_t count;

	read_bytes(file, &histogram, sizeof(histogram));
	width = histogram.bins ? (histogram.high - histogram.low) / histogram.bins : 0;
	printf("rate,%" PRIu32 "\nbin,%" PRIu64 "\n", histogram.rate, width);
	for (uint32_t i = 0; i < histogram.bins; i++) {
		read_bytes(file, &count, sizeof(count));
		if (count)
			printf("0x%" PRIx64 ",%u\n", histogram.low + i * width,
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
