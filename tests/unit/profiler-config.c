/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration of prof-daemon: defaults, each key, and the line of each mistake. */
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "target/profiler/command_line.h"
#include "target/profiler/daemon/daemon_config.h"

#define MS UINT64_C(1000000)

static char path[] = "/tmp/config-XXXXXX";

static void write_config(const char *text, size_t size)
{
	FILE *file = fopen(path, "w");

	if (CHECK(file != NULL)) {
		CHECK_EQ(fwrite(text, 1, size, file), size);
		CHECK_EQ(fclose(file), 0);
	}
}

static struct daemon_config read_good(const char *text)
{
	struct trouble trouble = {{0}};
	struct daemon_config config = {.rate = 0};

	write_config(text, strlen(text));
	CHECK(read_daemon_config(path, &config, &trouble));
	CHECK_STR(trouble.text, "");
	return config;
}

/* Expects the message `want` behind the file's name. */
static void read_bad(const char *text, const char *want)
{
	struct trouble trouble = {{0}};
	struct daemon_config config;

	write_config(text, strlen(text));
	CHECK(!read_daemon_config(path, &config, &trouble));
	if (CHECK(strncmp(trouble.text, path, strlen(path)) == 0))
		CHECK_STR(trouble.text + strlen(path), want);
}

static void check_good(void)
{
	struct daemon_config config = read_good("folder = /tmp/.");

	CHECK_STR(config.folder, "/tmp");
	CHECK(!config.global && config.calls && !config.jitter);
	CHECK_EQ(config.rate, 0);
	CHECK_EQ(config.span, 5000 * MS);
	CHECK_EQ(config.snapshot_period, 1000 * MS);
	CHECK_EQ(config.sampling_period, 200 * MS);

	config = read_good("# all of them\n\n\tmode=global # logs\nfolder =/tmp\r\n"
			   "calls = no\nspan = 60s\nsnapshot-period = 20 ms\n"
			   "sampling-period = 5000 us\nrate = 2 kHz\njitter = yes\n");
	CHECK(config.global && !config.calls && config.jitter);
	CHECK_EQ(config.rate, 2000);
	CHECK_EQ(config.span, 60000 * MS);
	CHECK_EQ(config.snapshot_period, 20 * MS);
	CHECK_EQ(config.sampling_period, 5 * MS);
	CHECK_EQ(config_ring(&config, 2000), 40);
	CHECK_EQ(config_ring(&config, 250), 5);
	CHECK_EQ(config_ring(&config, 201), 5);
}

static void check_values(void)
{
	if (access(PROF_FOLDER, F_OK) == 0)
		CHECK_STR(read_good("").folder, PROF_FOLDER);
	else
		read_bad("",
			 ": folder is missing, and " PROF_FOLDER
			 " is not an existing folder, which prof-extract has written");
	read_bad("mode = both\n", ":1: mode: \"both\" is not \"process\" or \"global\"");
	read_bad("calls =\n", ":1: calls: \"\" is not \"yes\" or \"no\"");
	read_bad("\njitter = 1\n", ":2: jitter: \"1\" is not \"yes\" or \"no\"");
	read_bad("folder = /nowhere\n", ":1: folder: \"/nowhere\" is not an existing "
					"folder, which prof-extract has written");
	read_bad("span = 5\n", ":1: span: \"5\" is not a time from 1 ms to 3600 s, such "
			       "as \"5 s\"");
	read_bad("span = 3601 s\n", ":1: span: \"3601 s\" is not a time from 1 ms to "
				    "3600 s, such as \"5 s\"");
	read_bad("span = 18446744073709552 us\n",
		 ":1: span: \"18446744073709552 us\" is not a time from 1 ms to 3600 s, "
		 "such as \"5 s\"");
	read_bad("snapshot-period = 0 s\n", ":1: snapshot-period: \"0 s\" is not a time "
					    "from 1 ms to 60 s, such as \"1 s\"");
	read_bad("sampling-period = -1 s\n",
		 ":1: sampling-period: \"-1 s\" is not a time from 1 ms to 60 s, such as "
		 "\"200 ms\"");
	read_bad("rate = 100001 Hz\n", ":1: rate: \"100001 Hz\" is not \"tick\", or a "
				       "rate from 1 Hz to 100 kHz");
	read_bad("rate = 250\n", ":1: rate: \"250\" is not \"tick\", or a rate from 1 Hz "
				 "to 100 kHz");
}

static void check_lines(void)
{
	char text[3 * PATH_MAX];
	struct trouble trouble = {{0}};
	struct daemon_config config;

	read_bad("# one\nmodus = global\n", ":2: unknown key \"modus\"");
	read_bad("global\n", ":1: not KEY = VALUE: global");
	read_bad("span = 1 s\nspan = 2 s\n", ":2: span is set in line 1 already");
	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	read_bad(text, ":1: the line is too long");
	write_config("folder = /tmp\0\n", 15);
	CHECK(!read_daemon_config(path, &config, &trouble));
	CHECK_STR(trouble.text + strlen(path), ":1: a NUL");
}

static void check_together(void)
{
	read_bad("folder = /tmp\nspan = 500 ms\n",
		 ":2: span: shorter than snapshot-period");
	read_bad("folder = /tmp\nsampling-period = 2 s\n",
		 ":2: snapshot-period: shorter than sampling-period");
	read_bad("folder = /tmp\nspan = 3600 s\nsnapshot-period = 500 ms\n",
		 ":2: span: more than 3600 snapshot periods");
	read_bad("folder = /tmp\njitter = yes\n",
		 ":2: jitter: the tick cannot vary: set a rate");
	read_bad("folder = /tmp\nrate = 10 kHz\n",
		 ":2: rate: more than 2048 samples in four sampling periods");
}

int main(void)
{
	struct trouble trouble = {{0}};
	struct daemon_config config;
	int file = mkstemp(path);

	close(file);
	check_good();
	check_values();
	check_lines();
	check_together();
	unlink(path);
	CHECK(!read_daemon_config(path, &config, &trouble));
	CHECK_STR(trouble.text + strlen(path), ": No such file or directory");
	CHECK(!read_daemon_config("/tmp", &config, &(struct trouble){{0}}));
	return check_done();
}
