/* SPDX-License-Identifier: Apache-2.0 */
#include "trace_header.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "feature_text.h"
#include "model/satp.h"

static unsigned trace_width_of(const struct simulator *simulator)
{
	return simulator->commit_width ? simulator->commit_width : 1;
}

unsigned trace_harts(const struct machine *machine)
{
	return machine->harts + (machine->sample ? 1 : 0);
}

unsigned trace_hart_width(const struct simulator *simulator,
			  const struct machine *machine, unsigned hart)
{
	if (machine->sample && hart < machine->harts)
		return 1;
	if (machine->sample)
		hart = 0;
	return simulator->hart_width ? simulator->hart_width(hart)
				     : trace_width_of(simulator);
}

/* Tells which harts commit fewer instructions in a cycle than others. */
static int set_hart_widths(struct tr_header *header, const struct simulator *simulator,
			   const struct machine *machine)
{
	char key[40];
	int status = TR_OK;

	for (unsigned hart = 0; hart < trace_harts(machine) && !status; hart++) {
		const unsigned width = trace_hart_width(simulator, machine, hart);

		snprintf(key, sizeof(key), "commit_width.%u", hart);
		if (width != trace_width_of(simulator))
			status = tr_header_set_u64(header, key, width);
	}
	return status;
}

static int set_text(struct tr_header *header, const struct simulator *simulator,
		    const struct machine *machine)
{
	const char *classes =
	    simulator->classes ? simulator->classes(&machine->features) : NULL;
	char source[64], harts[16], width[16], va_bits[16];
	const char *const keys[][2] = {
	    {"content", "rows"},
	    {"xlen", "64"},
	    {"va_bits", va_bits},
	    {"harts", harts},
	    {"commit_width", width},
	    {"mtime_origin", "0"},
	    {"precision", simulator->precision},
	    {classes ? "classes" : "cannot_supply", classes ? classes : "classes"},
	    {"watch", "2,4"}};

	snprintf(harts, sizeof(harts), "%u", trace_harts(machine));
	snprintf(width, sizeof(width), "%u", trace_width_of(simulator));
	snprintf(va_bits, sizeof(va_bits), "%u", SV39_VA_BITS);
	snprintf(source, sizeof(source), "%s %s", simulator->name, TR_VERSION);
	int status = tr_header_set(header, "source", source);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]) && !status; i++)
		status = tr_header_set(header, keys[i][0], keys[i][1]);
	return status ? status : set_hart_widths(header, simulator, machine);
}

/* Describes counter set 0: its labels, and the description of each. */
static int name_counters(struct tr_header *header, const struct trace_options *options)
{
	char *labels = NULL, key[40];
	size_t size;
	FILE *out = open_memstream(&labels, &size);
	int status = TR_OK;

	if (!out)
		return TR_E_NOMEM;
	for (size_t i = 0; i < options->nchosen && !status; i++) {
		const struct machine_counter *c = &options->counters[options->chosen[i]];

		fprintf(out, "%s%s", i ? "," : "", c->label);
		snprintf(key, sizeof(key), "counter.0.%zu", i);
		status = tr_header_set(header, key, c->description);
	}
	if (fclose(out) != 0)
		status = TR_E_NOMEM;
	if (!status)
		status = tr_header_set(header, "counters.0", labels);
	free(labels);
	return status;
}

/* What a reader must know of a sampled run. */
static int set_sample_keys(struct tr_header *header, const struct machine *machine)
{
	const struct machine_sample *sample = machine->sample;
	int status = tr_header_set_u64(header, "sampled_hart", machine->harts);

	if (!status)
		status = tr_header_set_u64(header, "sample_interval", sample->interval);
	if (!status)
		status = tr_header_set_u64(header, "sample_length", sample->length);
	return status ? status : tr_header_set_u64(header, "sample_warm", sample->warm);
}

/* What a replay must know of the machine. */
static int set_machine_keys(struct tr_header *header, const struct machine *machine)
{
	int status = tr_header_set(header, "isa", features_name_isa(&machine->features));

	if (!status)
		status = tr_header_set_u64(header, "ram_size", machine->image->size);
	if (!status)
		status = tr_header_set_u64(header, "reset_a1", machine->image->tree);
	if (!status)
		status = features_put_units(header, &machine->features, "yes");
	if (!status && machine->has_nic)
		status = tr_header_set(header, "nic", "yes");
	return status;
}

int trace_fill_header(struct tr_header *header, const struct machine *machine,
		      const struct trace_options *options)
{
	int status = set_text(header, options->simulator, machine);

	if (!status && machine->is_node)
		status = tr_header_set_u64(header, "node", machine->node);
	if (!status)
		status = set_machine_keys(header, machine);
	if (!status)
		status = tr_header_set_u64(header, "clock_hz", SOC_CLOCK_HZ);
	if (!status)
		status = tr_header_set_u64(header, "timebase_hz", SOC_TIMEBASE_HZ);
	if (!status)
		status = identity_fill(header, options->identity);
	if (!status && options->nchosen)
		status = name_counters(header, options);
	if (!status && machine->sample)
		status = set_sample_keys(header, machine);
	return status;
}
