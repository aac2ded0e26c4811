/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluates probes where they are hit, and shows their values. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "probe/probe_internal.h"

static struct probe_run begin_probe_run(struct tr_probes *probes,
					const struct probe_place *place,
					const struct tr_probe_machine *machine)
{
	const struct probe_binary *binary = &probes->binaries[place->binary];
	probes->scratch.size = 0;
	return (struct probe_run){.machine = machine,
				  .texts = binary->texts,
				  .symbols = binary->symbols,
				  .nsymbols = binary->nsymbols,
				  .scratch = &probes->scratch,
				  .xlen = binary->xlen};
}

void tr_probes_enter(struct tr_probes *probes, size_t i,
		     const struct tr_probe_machine *machine, void *saved)
{
	const struct probe_place *place = &probes->places[i];
	struct probe_run run = begin_probe_run(probes, place, machine);
	uint8_t *to = saved;
	for (size_t n = 0; n < place->nentries; n++) {
		struct probe_slot slot = tr_probe_execute(&run, &place->entries[n]);
		memcpy(to + n * sizeof(slot), &slot, sizeof(slot));
	}
}

static void set_enumerator(const struct probe_column *column,
			   struct tr_probe_value *value)
{
	for (size_t i = 0; i < column->nenumerators && !value->data; i++) {
		if (column->enumerators[i].value != value->number)
			continue;
		value->data = (const uint8_t *)column->enumerators[i].name;
		value->size = strlen(column->enumerators[i].name);
	}
}

/* The data of a string are set when all values are there, since they may move. */
static void set_value(const struct probe_slot *slot, const struct probe_show *show,
		      const struct probe_column *column, struct tr_probe_value *value)
{
	*value = (struct tr_probe_value){.kind = slot->is_missing ? TR_PROBE_MISSING
								  : show->kind,
					 .is_signed = show->is_signed,
					 .number = slot->number};
	switch (value->kind) {
	case TR_PROBE_STRING:
	case TR_PROBE_BYTES:
		value->size = slot->size;
		value->is_cut = slot->is_cut;
		break;
	case TR_PROBE_FLOAT:
		memcpy(&value->real, &slot->number, sizeof(value->real));
		break;
	case TR_PROBE_ENUM:
		set_enumerator(column, value);
		break;
	default:
		break;
	}
}

static void set_data(const struct tr_probes *probes, struct tr_probe_value *values,
		     size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct tr_probe_value *value = &values[i];
		if (value->kind != TR_PROBE_STRING && value->kind != TR_PROBE_BYTES)
			continue;
		value->data = value->size ? probes->scratch.data + value->number
					  : (const uint8_t *)"";
		value->number = 0;
	}
}

bool tr_probes_watched(struct tr_probes *probes, size_t i,
		       const struct tr_probe_machine *machine, const void *saved,
		       uint64_t *value)
{
	const struct probe_place *place = &probes->places[i];
	struct probe_run run = begin_probe_run(probes, place, machine);
	run.saved = saved;
	const struct probe_slot slot = tr_probe_execute(&run, &place->filter);
	*value = slot.number;
	return !slot.is_missing;
}

bool tr_probes_hit(struct tr_probes *probes, size_t i,
		   const struct tr_probe_machine *machine, const void *saved,
		   struct tr_probe_hit *hit)
{
	const struct probe_place *place = &probes->places[i];
	struct probe_probe *probe = &probes->probes[place->place.probe];
	struct probe_run run = begin_probe_run(probes, place, machine);
	run.saved = saved;
	if (place->filter.count) {
		struct probe_slot slot = tr_probe_execute(&run, &place->filter);
		probe->unknown += slot.is_missing;
		if (slot.is_missing || slot.number == 0)
			return false;
	}
	for (size_t n = 0; n < place->nfields; n++) {
		struct probe_slot slot = tr_probe_execute(&run, &place->fields[n]);
		set_value(&slot, &place->shows[n], &place->columns[n], &probe->values[n]);
	}
	set_data(probes, probe->values, place->nfields);
	*hit =
	    (struct tr_probe_hit){.probe = place->place.probe, .values = probe->values};
	return true;
}

/* --- text */

static void print_string(const struct tr_probe_value *value, FILE *out)
{
	putc('"', out);
	for (size_t i = 0; i < value->size; i++) {
		uint8_t c = value->data[i];
		if (c == '\n')
			fputs("\\n", out);
		else if (c == '\t')
			fputs("\\t", out);
		else if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c < 0x20 || c >= 0x7f)
			fprintf(out, "\\x%02x", c);
		else
			putc(c, out);
	}
	fputs(value->is_cut ? "\"..." : "\"", out);
}

static void print_bytes(const struct tr_probe_value *value, FILE *out)
{
	for (size_t i = 0; i < value->size; i++)
		fprintf(out, "%02x", value->data[i]);
	if (value->is_cut)
		fputs("...", out);
}

static void print_number(const struct tr_probe_value *value, bool is_signed, FILE *out)
{
	if (is_signed)
		fprintf(out, "%" PRId64, (int64_t)value->number);
	else
		fprintf(out, "%" PRIu64, value->number);
}

/* A file may have any bytes in the name of an enumerator. */
static bool is_printable_word(const struct tr_probe_value *value)
{
	for (size_t i = 0; i < value->size; i++)
		if (value->data[i] <= ' ' || value->data[i] >= 0x7f ||
		    value->data[i] == '"')
			return false;
	return true;
}

void tr_probe_value_print(const struct tr_probe_value *value, FILE *out)
{
	switch (value->kind) {
	case TR_PROBE_MISSING:
		fputs("missing", out);
		return;
	case TR_PROBE_ADDRESS:
		fprintf(out, "0x%" PRIx64, value->number);
		return;
	case TR_PROBE_BOOL:
		fputs(value->number ? "true" : "false", out);
		return;
	case TR_PROBE_FLOAT:
		fprintf(out, "%.17g", value->real);
		return;
	case TR_PROBE_STRING:
		print_string(value, out);
		return;
	case TR_PROBE_BYTES:
		print_bytes(value, out);
		return;
	case TR_PROBE_ENUM:
		if (value->size == 0)
			print_number(value, value->is_signed, out);
		else if (is_printable_word(value))
			fwrite(value->data, 1, value->size, out);
		else
			print_string(value, out);
		return;
	default:
		print_number(value, value->kind == TR_PROBE_SIGNED, out);
	}
}

static bool all_missing(const struct tr_probe_value *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (values[i].kind != TR_PROBE_MISSING)
			return false;
	return count > 0;
}

/* Prints a line of a shape. Returns the number of its values. */
static size_t print_shape(const char *line, size_t size,
			  const struct tr_probe_value *values, FILE *out)
{
	size_t count = 0, used = 0;
	const char *whole = strstr(line, " = ");
	for (size_t i = 0; i < size; i++)
		count += line[i] == *PROBE_PART;
	if (whole && all_missing(values, count)) {
		fprintf(out, "%.*s = missing\n", (int)(whole - line), line);
		return count;
	}
	for (size_t i = 0; i < size; i++)
		if (line[i] == *PROBE_PART)
			tr_probe_value_print(&values[used++], out);
		else
			putc(isprint((unsigned char)line[i]) ? line[i] : '?', out);
	putc('\n', out);
	return count;
}

void tr_probes_print(const struct tr_probes *probes, const struct tr_probe_hit *hit,
		     FILE *out)
{
	const struct tr_probe_value *values = hit->values;
	for (const char *line = probes->shape; line && *line; line++) {
		size_t size = strcspn(line, "\n");
		values += print_shape(line, size, values, out);
		line += size;
		if (!*line)
			break;
	}
	for (size_t i = 0;
	     !probes->shape && i < tr_probes_field_count(probes, hit->probe); i++) {
		fprintf(out, "%s = ", tr_probes_field_name(probes, hit->probe, i));
		tr_probe_value_print(&hit->values[i], out);
		putc('\n', out);
	}
}
