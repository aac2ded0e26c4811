/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters of an E-Trace encoder, from options and files.
 *
 * A file has a line for each, as the configurations of the specification's reference
 * flow: names may end in _p, sections are ignored, as are parameters that a decoder does
 * not need. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/import_etrace.h"

enum { LINE_BYTES = 512, WHAT_BYTES = 80, UNKNOWN = 1 };

struct name {
	const char *name;
	size_t at;
	uint64_t least, most;
};
#define FIELD(name, least, most)                                                         \
	{                                                                                \
#name, offsetof(struct etrace_params, name), least, most                 \
	}
static const struct name names[] = {
    FIELD(bpred_size, 0, 16),
    FIELD(cache_size, 0, 16),
    FIELD(call_counter_size, 0, 16),
    FIELD(return_stack_size, 0, 16),
    FIELD(context_width, 1, 64),
    FIELD(time_width, 1, 64),
    FIELD(ecause_width, 1, 64),
    FIELD(privilege_width, 1, 4),
    FIELD(f0s_width, 0, 2),
    FIELD(iaddress_lsb, 0, 2),
    FIELD(iaddress_width, 8, 64),
    FIELD(nocontext, 0, 1),
    FIELD(notime, 0, 1),
    FIELD(encoder_mode_width, 0, 8),
    FIELD(srcid_width, 0, 16),
    FIELD(type_width, 0, 8),
    FIELD(inst_type, 0, 255),
    FIELD(timestamp_width, 0, 64),
    FIELD(mtvec, 0, UINT64_MAX),
    FIELD(stvec, 0, UINT64_MAX),
    FIELD(records, 0, 1),
};

/* In the order of enum etrace_mode; those of the reference flow's packets first, in
 * theirs. */
static const char *const modes[ETRACE_MODES] = {"implicit_return",   "implicit_exception",
						"full_address",	     "jump_target_cache",
						"branch_prediction", "sijump",
						"delta_address"};
enum { REFERENCE_MODES = 5 };

/* Returns the number of a mode, or -1. */
static int find_mode(const char *name, size_t size)
{
	for (int i = 0; i < ETRACE_MODES; i++)
		if (strlen(modes[i]) == size && memcmp(modes[i], name, size) == 0)
			return i;
	return -1;
}

/* Sets the order of the bits: "MODE+MODE…", the lowest first. */
static bool set_order(struct etrace_params *p, const char *text)
{
	p->orders = 0;
	while (*text) {
		const size_t size = strcspn(text, "+");
		const int mode = find_mode(text, size);
		if (mode < 0 || p->orders == ETRACE_MODES)
			return false;
		p->order[p->orders++] = (uint8_t)(1 << mode);
		text += size + (text[size] == '+');
	}
	return true;
}

static bool parse_param_number(const char *text, uint64_t *value)
{
	char *end;
	errno = 0;
	*value = strtoull(text, &end, 0);
	return *text >= '0' && *text <= '9' && !*end && !errno;
}

static const struct name *find_param_name(const char *name, size_t size)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strlen(names[i].name) == size &&
		    memcmp(names[i].name, name, size) == 0)
			return &names[i];
	return NULL;
}

/* Returns TR_OK, TR_E_ARGUMENT for a bad value, or UNKNOWN for a name; and writes what
 * was expected. */
static int set_param(struct etrace_params *p, const char *name, const char *value,
		     char what[WHAT_BYTES])
{
	size_t size = strlen(name);
	uint64_t number;
	const bool is_number = parse_param_number(value, &number);
	if (size > 2 && strcmp(name + size - 2, "_p") == 0)
		size -= 2;
	const struct name *n = find_param_name(name, size);
	const int mode = find_mode(name, size);
	if (size == strlen("ioptions") && memcmp(name, "ioptions", size) == 0) {
		snprintf(what, WHAT_BYTES, "MODE+MODE…");
		return set_order(p, value) ? TR_OK : TR_E_ARGUMENT;
	}
	if (!n && mode < 0) {
		snprintf(what, WHAT_BYTES, "the name of a parameter");
		return UNKNOWN;
	}
	const uint64_t least = n ? n->least : 0, most = n ? n->most : 1;
	snprintf(what, WHAT_BYTES, "a number from %" PRIu64 " to %" PRIu64, least, most);
	if (!is_number || number < least || number > most)
		return TR_E_ARGUMENT;
	if (n)
		memcpy((char *)p + n->at, &number, sizeof(number));
	else
		p->modes =
		    (uint8_t)((p->modes & ~(1u << mode)) | (unsigned)number << mode);
	return TR_OK;
}

/* Splits "NAME = VALUE" in place, without blanks. Returns the value, or NULL. */
static char *split_param_line(char *text, char **name)
{
	static const char blanks[] = " \t\r\n";
	char *value = strchr(text, '=');
	if (!value)
		return NULL;
	*value++ = '\0';
	*name = text + strspn(text, blanks);
	(*name)[strcspn(*name, blanks)] = '\0';
	value += strspn(value, blanks);
	value[strcspn(value, blanks)] = '\0';
	return value;
}

static int read_list(struct etrace_params *p, const char *text, char *message,
		     size_t size)
{
	char piece[LINE_BYTES], what[WHAT_BYTES] = "NAME=VALUE", *name, *value;
	while (*text) {
		const size_t bytes = strcspn(text, ",");
		int status = TR_E_ARGUMENT;
		snprintf(piece, sizeof(piece), "%.*s", (int)bytes, text);
		value = split_param_line(piece, &name);
		if (value)
			status = set_param(p, name, value, what);
		if (status) {
			snprintf(message, size, "--encoder %.*s: expected %s", (int)bytes,
				 text, what);
			return TR_E_ARGUMENT;
		}
		text += bytes + (text[bytes] == ',');
	}
	return TR_OK;
}

static int read_params_file(struct etrace_params *p, const char *path, char *message,
			    size_t size)
{
	char line[LINE_BYTES], what[WHAT_BYTES], *name, *value;
	int status = TR_OK, number = 0;
	FILE *file = fopen(path, "r");
	if (!file) {
		snprintf(message, size, "%s: %s", path, strerror(errno));
		return TR_E_IO;
	}
	while (!status && fgets(line, sizeof(line), file)) {
		number++;
		line[strcspn(line, "#;[")] = '\0';
		value = split_param_line(line, &name);
		if (value && set_param(p, name, value, what) == TR_E_ARGUMENT) {
			snprintf(message, size, "%s: line %d: %.40s: expected %s", path,
				 number, name, what);
			status = TR_E_ARGUMENT;
		}
	}
	if (!status && ferror(file)) {
		snprintf(message, size, "%s: %s", path, strerror(errno));
		status = TR_E_IO;
	}
	fclose(file);
	return status;
}

/* Returns a status, after a look at what belongs together. */
static int check_params(const struct etrace_params *p, char *message, size_t size)
{
	const char *what =
	    p->timestamp_width % 8 ? "timestamp_width is a multiple of 8"
	    : p->call_counter_size && p->return_stack_size
		? "an encoder has call_counter_size or return_stack_size, not both"
		: NULL;
	if (!what)
		return TR_OK;
	snprintf(message, size, "--encoder: %s", what);
	return TR_E_ARGUMENT;
}

int tr_etrace_params(struct etrace_params *params, unsigned xlen,
		     const char *const *texts, size_t count, char *message, size_t size)
{
	*params = (struct etrace_params){.context_width = 1,
					 .time_width = 1,
					 .ecause_width = 4,
					 .privilege_width = 2,
					 .iaddress_lsb = 1,
					 .iaddress_width = xlen,
					 .nocontext = 1,
					 .notime = 1,
					 .encoder_mode_width = 1,
					 .mtvec = 1,
					 .stvec = 1,
					 .records = 2,
					 .orders = REFERENCE_MODES};
	int status = TR_OK;
	for (int i = 0; i < REFERENCE_MODES; i++)
		params->order[i] = (uint8_t)(1 << i);
	for (size_t i = 0; !status && i < count; i++)
		status = strchr(texts[i], '=')
			     ? read_list(params, texts[i], message, size)
			     : read_params_file(params, texts[i], message, size);
	return status ? status : check_params(params, message, size);
}
