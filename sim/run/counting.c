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

bool counting_check(struct counting *c, bool traces, struct trouble *trouble)
{
	const char *why;

	if (c->names && !counting_lists(c) && !c->path && !traces)
		return tell_trouble(
		    trouble, "--counters: needs --counters-csv or a trace to write to");
	c->interval = COUNTING_EVERY;
	why = c->every ? tr_cli_number(c->every, &c->interval) : NULL;
	if (why)
		return tell_trouble(trouble, "--counters-every: %s: %s", why, c->every);
	return c->interval ||
	       tell_trouble(trouble, "--counters-every: an interval of 0 cycles");
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

bool counting_choose(struct counting *c, const struct machine *machine,
		     struct trouble *trouble)
{
	size_t n = c->names ? list_counters(machine, &c->list) : 0;
	bool *marked = calloc(n + 1, sizeof(*marked));
	char message[512];

	c->chosen = calloc(n + 1, sizeof(*c->chosen));
	bool done = (marked && c->chosen) || tell_no_memory(trouble);
	if (done && c->names &&
	    !choice_parse(c->names, c->list, n, marked, message, sizeof(message)))
		done = tell_trouble(trouble, "--counters: %s", message);
	for (size_t i = 0; done && i < n; i++)
		if (marked[i])
			c->chosen[c->n++] = i;
	free(marked);
	if (done && choice_twice(c->list, c->chosen, c->n))
		return tell_trouble(
		    trouble,
		    "--counters: two counters %s: the hardware gives both this name",
		    choice_twice(c->list, c->chosen, c->n));
	return done;
}

static bool open_csv(struct counting *c, struct trouble *trouble)
{
	if (strcmp(c->path, "-") == 0) {
		c->path = standard_output;
		c->fd = console_leave_stdout();
	} else {
		c->fd = tr_output_open(c->path);
	}
	if (c->fd < 0)
		return tell_trouble(trouble, "%s: %s", c->path, tr_output_problem(errno));
	c->csv = csv_new(c->fd, c->list, c->chosen, c->n);
	return c->csv || tell_no_memory(trouble);
}

bool counting_begin(struct counting *c, struct machine *machine, struct trace *trace,
		    struct trouble *trouble)
{
	struct sampler_options options = {.machine = machine, .trace = trace};

	if (c->n == 0)
		return true;
	if (c->path && !open_csv(c, trouble))
		return false;
	options.chosen = c->chosen;
	options.n = c->n;
	options.every = c->interval;
	options.csv = c->csv;
	c->sampler = sampler_new(&options);
	return c->sampler || tell_no_memory(trouble);
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
