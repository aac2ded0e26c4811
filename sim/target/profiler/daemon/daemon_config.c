/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the configuration of prof-daemon. */
#include "daemon_config.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "target/linux/driver/profiler/prof_abi.h"
#include "target/profiler/command_line.h"

#define MS UINT64_C(1000000)
#define S  (1000 * MS)

enum { LINE_ROOM = PATH_MAX + 256, RING_PERIODS = 4 };

struct config_key {
	const char *name;
	/* Returns NULL, or what was expected. */
	const char *(*set)(struct daemon_config *config, const char *value);
};

/* --- values */

static bool parse_choice(bool *choice, const char *value, const char *yes, const char *no)
{
	*choice = strcmp(value, yes) == 0;
	return *choice || strcmp(value, no) == 0;
}

static const char *set_mode(struct daemon_config *config, const char *value)
{
	return parse_choice(&config->global, value, "global", "process")
		   ? NULL
		   : "\"process\" or \"global\"";
}

static const char *set_calls(struct daemon_config *config, const char *value)
{
	return parse_choice(&config->calls, value, "yes", "no") ? NULL
								: "\"yes\" or \"no\"";
}

static const char *set_jitter(struct daemon_config *config, const char *value)
{
	return parse_choice(&config->jitter, value, "yes", "no") ? NULL
								 : "\"yes\" or \"no\"";
}

static const char *set_folder(struct daemon_config *config, const char *value)
{
	struct stat about;
	char *path = realpath(value, NULL);
	bool is = path && stat(path, &about) == 0 && S_ISDIR(about.st_mode) &&
		  strlen(path) < sizeof(config->folder);

	if (is)
		strcpy(config->folder, path);
	free(path);
	return is ? NULL : "an existing folder, which prof-extract has written";
}

/* Parses a whole number and its unit, which are separated by spaces or nothing. Returns
 * false unless the unit is one of `units`, of which the factor is set in *number. */
static bool parse_quantity(const char *value, const char *const *units,
			   const uint64_t *factors, uint64_t *number)
{
	char *end;

	if (!isdigit((unsigned char)*value))
		return false;
	errno = 0;
	*number = strtoull(value, &end, 10);
	if (errno)
		return false;
	end += strspn(end, " \t");
	for (; *units; units++, factors++)
		if (strcmp(end, *units) == 0)
			return !__builtin_mul_overflow(*number, *factors, number);
	return false;
}

static bool parse_time(uint64_t *time, const char *value, uint64_t most)
{
	static const char *const units[] = {"us", "ms", "s", NULL};
	static const uint64_t factors[] = {1000, MS, S};

	return parse_quantity(value, units, factors, time) && *time >= MS &&
	       *time <= most;
}

static const char *set_span(struct daemon_config *config, const char *value)
{
	return parse_time(&config->span, value, 3600 * S)
		   ? NULL
		   : "a time from 1 ms to 3600 s, such as \"5 s\"";
}

static const char *set_snapshot_period(struct daemon_config *config, const char *value)
{
	return parse_time(&config->snapshot_period, value, 60 * S)
		   ? NULL
		   : "a time from 1 ms to 60 s, such as \"1 s\"";
}

static const char *set_sampling_period(struct daemon_config *config, const char *value)
{
	return parse_time(&config->sampling_period, value, 60 * S)
		   ? NULL
		   : "a time from 1 ms to 60 s, such as \"200 ms\"";
}

static const char *set_rate(struct daemon_config *config, const char *value)
{
	static const char *const units[] = {"Hz", "kHz", NULL};
	static const uint64_t factors[] = {1, 1000};
	uint64_t rate;

	config->rate = 0;
	if (strcmp(value, "tick") == 0)
		return NULL;
	if (!parse_quantity(value, units, factors, &rate) || rate == 0 ||
	    rate > PROF_RATE_MAX)
		return "\"tick\", or a rate from 1 Hz to 100 kHz";
	config->rate = (uint32_t)rate;
	return NULL;
}

static const struct config_key keys[] = {
    {"mode", set_mode},	    {"calls", set_calls},
    {"folder", set_folder}, {"span", set_span},
    {"rate", set_rate},	    {"snapshot-period", set_snapshot_period},
    {"jitter", set_jitter}, {"sampling-period", set_sampling_period},
};
enum { KEYS = sizeof(keys) / sizeof(*keys) };

/* --- lines */

/* Where the file is, for messages. */
struct config_place {
	const char *path;
	unsigned line;
	unsigned set[KEYS]; /* the line of each key; 0: it has none */
};

static char *trim_text(char *text)
{
	text += strspn(text, " \t");
	size_t length = strlen(text);

	while (length && isspace((unsigned char)text[length - 1]))
		text[--length] = '\0';
	return text;
}

static bool take_value(struct config_place *place, struct daemon_config *config,
		       const char *name, const char *value, struct trouble *trouble)
{
	unsigned k = 0;

	while (k < KEYS && strcmp(keys[k].name, name) != 0)
		k++;
	if (k == KEYS)
		return tell_trouble(trouble, "%s:%u: unknown key \"%s\"", place->path,
				    place->line, name);
	if (place->set[k])
		return tell_trouble(trouble, "%s:%u: %s is set in line %u already",
				    place->path, place->line, name, place->set[k]);
	place->set[k] = place->line;
	const char *wanted = keys[k].set(config, value);

	return !wanted || tell_trouble(trouble, "%s:%u: %s: \"%s\" is not %s",
				       place->path, place->line, name, value, wanted);
}

static bool take_line(struct config_place *place, struct daemon_config *config,
		      char *line, struct trouble *trouble)
{
	line[strcspn(line, "#")] = '\0';
	line = trim_text(line);
	char *equals = strchr(line, '=');

	if (!*line)
		return true;
	if (!equals)
		return tell_trouble(trouble, "%s:%u: not KEY = VALUE: %s", place->path,
				    place->line, line);
	*equals = '\0';
	return take_value(place, config, trim_text(line), trim_text(equals + 1), trouble);
}

static bool take_lines(struct config_place *place, struct daemon_config *config,
		       FILE *file, struct trouble *trouble)
{
	char line[LINE_ROOM];

	while (fgets(line, sizeof(line), file)) {
		size_t length = strlen(line);

		place->line++;
		if (length + 1 == sizeof(line) ||
		    (length && line[length - 1] != '\n' && !feof(file)))
			return tell_trouble(
			    trouble, "%s:%u: %s", place->path, place->line,
			    length + 1 == sizeof(line) ? "the line is too long"
						       : "a NUL");
		if (!take_line(place, config, line, trouble))
			return false;
	}
	return !ferror(file) ||
	       tell_trouble(trouble, "%s: %s", place->path, strerror(errno));
}

/* --- what belongs together */

static unsigned line_of(const struct config_place *place, const char *name)
{
	unsigned k = 0;

	while (strcmp(keys[k].name, name) != 0)
		k++;
	return place->set[k];
}

/* The line to blame is that of `name`, or the last one if that has its default. */
static bool blame_key(const struct config_place *place, const char *name,
		      const char *reason, struct trouble *trouble)
{
	unsigned line = line_of(place, name);

	return tell_trouble(trouble, "%s:%u: %s: %s", place->path,
			    line ? line : place->line, name, reason);
}

uint64_t config_ring(const struct daemon_config *config, uint32_t rate)
{
	return (config->sampling_period * rate * RING_PERIODS + S - 1) / S;
}

static bool complete_config(const struct config_place *place,
			    struct daemon_config *config, struct trouble *trouble)
{
	const char *expected =
	    line_of(place, "folder") ? NULL : set_folder(config, PROF_FOLDER);

	return !expected ||
	       tell_trouble(trouble, "%s: folder is missing, and %s is not %s",
			    place->path, PROF_FOLDER, expected);
}

static bool check_config(const struct config_place *place,
			 const struct daemon_config *config, struct trouble *trouble)
{
	if (config->snapshot_period < config->sampling_period)
		return blame_key(place, "snapshot-period", "shorter than sampling-period",
				 trouble);
	if (config->span < config->snapshot_period)
		return blame_key(place, "span", "shorter than snapshot-period", trouble);
	if (config->span / config->snapshot_period > PROF_SNAPSHOTS_MAX)
		return blame_key(place, "span", "more than 3600 snapshot periods",
				 trouble);
	if (config->jitter && config->rate == 0)
		return blame_key(place, "jitter", "the tick cannot vary: set a rate",
				 trouble);
	if (config_ring(config, config->rate) > PROF_RECORDS_MAX)
		return blame_key(place, "rate",
				 "more than 2048 samples in four sampling periods",
				 trouble);
	return true;
}

bool read_daemon_config(const char *path, struct daemon_config *config,
			struct trouble *trouble)
{
	struct config_place place = {.path = path};
	FILE *file = fopen(path, "re");

	if (!file)
		return tell_trouble(trouble, "%s: %s", path, strerror(errno));
	*config = (struct daemon_config){.calls = true,
					 .span = 5 * S,
					 .snapshot_period = 1 * S,
					 .sampling_period = 200 * MS};
	bool done = take_lines(&place, config, file, trouble) &&
		    complete_config(&place, config, trouble) &&
		    check_config(&place, config, trouble);

	fclose(file);
	return done;
}
