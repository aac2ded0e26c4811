/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of counters as FireSim's AutoCounter writes them, version 1 of its CSV. */
#include "csv.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct csv {
	int fd, error;
	size_t n;
	char *row; /* buffer for a row of numbers */
};

enum { DIGITS = 21 }; /* per number, including its comma */

/* Removes an incomplete row. */
static void remove_partial_row(struct csv *c, size_t written)
{
	off_t end = lseek(c->fd, 0, SEEK_CUR);
	struct stat status;

	if (written > 0 && end >= (off_t)written && fstat(c->fd, &status) == 0 &&
	    S_ISREG(status.st_mode) && ftruncate(c->fd, end - (off_t)written) != 0)
		c->error = errno;
}

static void put_csv_text(struct csv *c, const char *text, size_t size)
{
	size_t done = 0;

	while (done < size && !c->error) {
		ssize_t n = write(c->fd, text + done, size - done);

		if (n >= 0)
			done += (size_t)n;
		else if (errno != EINTR)
			c->error = errno;
	}
	if (c->error)
		remove_partial_row(c, done);
}

static void put_quoted_field(FILE *out, const char *text)
{
	fputs(",\"", out);
	for (; *text; text++)
		fprintf(out, *text == '"' ? "\"\"" : "%c", *text);
	fputc('"', out);
}

/* Writes the rows that have one word per column. */
static void put_counter_rows(FILE *out, const struct machine_counter *list,
			     const size_t *chosen, size_t n)
{
	fputs("label,local_cycle", out);
	for (size_t i = 0; i < n; i++)
		fprintf(out, ",%s", list[chosen[i]].label);
	fputs("\n\"description\"", out);
	put_quoted_field(out, "Clock cycles elapsed in the local domain.");
	for (size_t i = 0; i < n; i++)
		put_quoted_field(out, list[chosen[i]].description);
	fputs("\ntype,Accumulate", out);
	for (size_t i = 0; i < n; i++)
		fputs(",Accumulate", out);
	fputs("\nevent width,1", out);
	for (size_t i = 0; i < n; i++)
		fprintf(out, ",%u", list[chosen[i]].width);
	fputs("\naccumulator width,64", out);
	for (size_t i = 0; i < n; i++)
		fputs(",64", out);
	fputc('\n', out);
}

static bool put_csv_head(struct csv *c, const struct machine_counter *list,
			 const size_t *chosen, size_t n)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return false;
	fputs("version,1\n"
	      "Clock Domain Name, BaseClock, Base Multiplier, 1, Base Divisor, 1\n",
	      out);
	put_counter_rows(out, list, chosen, n);
	if (fclose(out) != 0) {
		free(text);
		return false;
	}
	put_csv_text(c, text, size);
	free(text);
	return true;
}

struct csv *csv_new(int fd, const struct machine_counter *list, const size_t *chosen,
		    size_t n)
{
	struct csv *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->fd = fd;
	c->n = n;
	c->row = malloc((n + 2) * DIGITS + 1);
	if (c->row && put_csv_head(c, list, chosen, n))
		return c;
	csv_free(c);
	return NULL;
}

void csv_free(struct csv *c)
{
	if (!c)
		return;
	free(c->row);
	free(c);
}

void csv_row(struct csv *c, uint64_t cycle, uint64_t counted, const uint64_t *values)
{
	char *end = c->row;

	end += snprintf(end, DIGITS, "%" PRIu64, cycle);
	end += snprintf(end, DIGITS + 1, ",%" PRIu64, counted);
	for (size_t i = 0; i < c->n; i++)
		end += snprintf(end, DIGITS + 1, ",%" PRIu64, values[i]);
	*end++ = '\n';
	put_csv_text(c, c->row, (size_t)(end - c->row));
}

int csv_error(const struct csv *c)
{
	return c->error;
}
