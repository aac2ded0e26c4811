/* SPDX-License-Identifier: Apache-2.0 */
/* Reads /proc/profiler/. */
#include "kernel_profiler.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FOLDER "/proc/profiler/"

enum { TEXT_ROOM = 64, DROPPED = 64 /* samples at once */ };

static bool tell_file(struct trouble *trouble, const char *name)
{
	return tell_trouble(
	    trouble, FOLDER "%s: %s%s", name, strerror(errno),
	    errno == ENOENT ? " (the kernel has no CONFIG_RUN_TIME_PROFILER)" : "");
}

static bool open_file(const char *name, int flags, int *file, struct trouble *trouble)
{
	char path[TEXT_ROOM];

	snprintf(path, sizeof(path), FOLDER "%s", name);
	*file = open(path, flags | O_CLOEXEC);
	return *file >= 0 || tell_file(trouble, name);
}

/* Who is the daemon; 0: nobody. */
static long read_daemon(void)
{
	char text[TEXT_ROOM] = "";
	int file = open(FOLDER "daemon", O_RDONLY | O_CLOEXEC);
	long pid = file >= 0 && read(file, text, sizeof(text) - 1) > 0 ? atol(text) : 0;

	if (file >= 0)
		close(file);
	return pid;
}

static bool register_daemon(int file, struct trouble *trouble)
{
	char text[TEXT_ROOM];
	int length = snprintf(text, sizeof(text), "%d\n", (int)getpid());

	if (write(file, text, (size_t)length) == length)
		return true;
	if (errno == EBUSY)
		return tell_trouble(trouble, "process %ld is the daemon already",
				    read_daemon());
	return tell_file(trouble, "daemon");
}

bool open_kernel_profiler(struct kernel_profiler *kernel, struct trouble *trouble)
{
	*kernel = (struct kernel_profiler){-1, -1, 0};
	if (open_file("daemon", O_RDWR, &kernel->notices, trouble) &&
	    register_daemon(kernel->notices, trouble) &&
	    open_file("samples", O_RDONLY, &kernel->samples, trouble))
		return true;
	close_kernel_profiler(kernel);
	return false;
}

void close_kernel_profiler(struct kernel_profiler *kernel)
{
	if (kernel->samples >= 0)
		close(kernel->samples);
	if (kernel->notices >= 0)
		close(kernel->notices);
	kernel->samples = kernel->notices = -1;
}

/* Writes "RATE RECORDS [jitter]"; rate 0 is the tick. */
static bool write_rate(uint32_t rate, uint64_t records, bool jitter,
		       struct trouble *trouble)
{
	char text[TEXT_ROOM], name[TEXT_ROOM] = "tick";
	int file, length;

	if (rate)
		snprintf(name, sizeof(name), "%" PRIu32, rate);
	length = snprintf(text, sizeof(text), "%s %" PRIu64 "%s\n", name, records,
			  jitter ? " jitter" : "");
	if (!open_file("rate", O_WRONLY, &file, trouble))
		return false;
	bool done =
	    write(file, text, (size_t)length) == length || tell_file(trouble, "rate");

	close(file);
	return done;
}

/* Reads how many samples a second there are: "RATE RECORDS SAMPLES [jitter]". */
static bool read_rate(uint32_t *rate, struct trouble *trouble)
{
	char text[TEXT_ROOM] = "";
	int file;

	if (!open_file("rate", O_RDONLY, &file, trouble))
		return false;
	ssize_t size = read(file, text, sizeof(text) - 1);

	close(file);
	return (size > 0 && sscanf(text, "%*s %*u %" SCNu32, rate) == 1 && *rate) ||
	       tell_trouble(trouble, FOLDER "rate: not understood: %s", text);
}

/* What was sampled before, or lost when the rate was set, is of no interest. */
static void drop_samples(const struct kernel_profiler *kernel)
{
	struct prof_sample samples[DROPPED];

	while (read_samples(kernel, samples, DROPPED) > 0)
		;
}

bool set_sampling_rate(struct kernel_profiler *kernel, const struct daemon_config *config,
		       struct trouble *trouble)
{
	if (!write_rate(config->rate, 1, false, trouble) ||
	    !read_rate(&kernel->rate, trouble))
		return false;
	uint64_t records = config_ring(config, kernel->rate);

	if (records > PROF_RECORDS_MAX)
		return tell_trouble(trouble,
				    "sampling-period: at %" PRIu32
				    " Hz more than %d samples in four of them",
				    kernel->rate, PROF_RECORDS_MAX);
	if (!write_rate(config->rate, records, config->jitter, trouble))
		return false;
	drop_samples(kernel);
	return true;
}

/* Reads whole records. */
static size_t read_records(int file, void *records, size_t size, size_t count)
{
	ssize_t got;

	do
		got = read(file, records, size * count);
	while (got < 0 && errno == EINTR);
	return got < 0 ? 0 : (size_t)got / size;
}

size_t read_notices(const struct kernel_profiler *kernel, struct prof_notice *notices,
		    size_t count)
{
	return read_records(kernel->notices, notices, sizeof(*notices), count);
}

size_t read_samples(const struct kernel_profiler *kernel, struct prof_sample *samples,
		    size_t count)
{
	return read_records(kernel->samples, samples, sizeof(*samples), count);
}
