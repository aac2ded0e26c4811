/* SPDX-License-Identifier: Apache-2.0 */
/* The options --counters, --counters-every and --counters-csv, and sampling by them. */
#include "counting.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/output.h"
#include "choice.h"
#include "console.h"

static const char standard_output[] = "<stdout>";

void counting_check(struct counting *c, const struct tr_cli *cli, bool traces)
{
	if (c->names && !counting_lists(c) && !c->path && !traces)
		tr_die(cli, "--counters: needs --counters-csv or a trace to write to");
	c->interval =
	    c->every ? tr_cli_u64(cli, "--counters-every", c->every) : COUNTING_EVERY;
	if (c->interval == 0)
		tr_die(cli, "--counters-every: an interval of 0 cycles");
}

bool counting_lists(const struct counting *c)
{
	return c->names && strcmp(c->names, "list") == 0;
}

static size_t list_counters(const struct machine *machine,
			    const struct machine_counter **list)
{
	*list = NULL;
	return machine->ops->counters ? machine->ops->counters(machine, list) : 0;
}

int counting_list(const struct tr_cli *cli, const struct machine *machine)
{
	const struct machine_counter *list;
	size_t n = list_counters(machine, &list);

	choice_list(stdout, list, n);
	/* EPIPE: the reader, such as head(1), has closed the pipe. */
	if (fclose(stdout) == 0 || errno == EPIPE)
		return TR_EXIT_OK;
	tr_warn(cli, "<stdout>: %s", strerror(errno));
	return TR_EXIT_TROUBLE;
}

void counting_choose(struct counting *c, const struct tr_cli *cli,
		     const struct machine *machine)
{
	size_t n = c->names ? list_counters(machine, &c->list) : 0;
	bool *marked = calloc(n + 1, sizeof(*marked));
	char message[512];

	c->chosen = calloc(n + 1, sizeof(*c->chosen));
	tr_cli_need(cli, marked);
	tr_cli_need(cli, c->chosen);
	if (c->names &&
	    !choice_parse(c->names, c->list, n, marked, message, sizeof(message)))
		tr_die(cli, "--counters: %s", message);
	for (size_t i = 0; i < n; i++)
		if (marked[i])
			c->chosen[c->n++] = i;
	free(marked);
	if (choice_twice(c->list, c->chosen, c->n))
		tr_die(cli,
		       "--counters: two counters %s: the hardware gives both this name",
		       choice_twice(c->list, c->chosen, c->n));
}

static void open_csv(struct counting *c, const struct tr_cli *cli)
{
	if (strcmp(c->path, "-") == 0) {
		c->path = standard_output;
		c->fd = console_leave_stdout();
	} else {
		c->fd = tr_output_open(c->path);
	}
	if (c->fd < 0)
		tr_die(cli, "%s: %s", c->path, tr_output_problem(errno));
	c->csv = csv_new(c->fd, c->list, c->chosen, c->n);
	tr_cli_need(cli, c->csv);
}

void counting_begin(struct counting *c, const struct tr_cli *cli, struct machine *machine,
		    struct trace *trace)
{
	struct sampler_options options = {.machine = machine, .trace = trace};

	if (c->n == 0)
		return;
	if (c->path)
		open_csv(c, cli);
	options.chosen = c->chosen;
	options.n = c->n;
	options.every = c->interval;
	options.csv = c->csv;
	c->sampler = sampler_new(&options);
	tr_cli_need(cli, c->sampler);
}

int counting_end(struct counting *c, const struct tr_cli *cli)
{
	int error = c->csv ? csv_error(c->csv) : 0;

	if (c->csv && !error && close(c->fd) != 0)
		error = errno;
	if (error && !(error == EPIPE && c->path == standard_output))
		tr_warn(cli, "%s: %s", c->path, strerror(error));
	sampler_free(c->sampler);
	csv_free(c->csv);
	free(c->chosen);
	return error ? TR_EXIT_TROUBLE : TR_EXIT_OK;
}
