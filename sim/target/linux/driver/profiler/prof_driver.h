/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of the run-time profiler. Calls that do not say otherwise may sleep. */
#ifndef PROF_DRIVER_H
#define PROF_DRIVER_H

#include <linux/types.h>

struct file;
struct pid;
struct pid_namespace;

/* --- prof_notices.c; the caller makes sure that only one call runs at a time */

/* Notices for the process `daemon` begin; numbers are those of its namespace. */
void prof_watch(struct pid *daemon);
/* Notices end, all programs go on, and notices that wait are freed. */
void prof_unwatch(void);
/*
 * Releases the programs whose notices have been read, and copies notices to user space.
 * Returns the bytes copied, -EAGAIN, -EFAULT, or -EINVAL if `size` is too small.
 */
ssize_t prof_read_notices(char __user *buffer, size_t size);

/* --- prof_samples.c; the caller makes sure that only one call runs at a time */

struct prof_rate {
	unsigned int per_second; /* 0: ticks */
	unsigned int records;	 /* a power of two */
	bool jitter;
};

/* Allocates rings and samples. Returns 0 or -ENOMEM. */
int prof_start_sampling(const struct prof_rate *rate, struct pid_namespace *ns);
/* Stops, and frees the rings. */
void prof_stop_sampling(void);
/* Goes on with another rate. Returns 0, or -ENOMEM: nothing has changed. */
int prof_change_sampling(const struct prof_rate *rate);
/* Copies samples to user space. Returns as prof_read_notices(). */
ssize_t prof_read_samples(char __user *buffer, size_t size);

/* --- prof_files.c */

/* current exits: it is no longer registered, if it was. */
void prof_forget_daemon(void);

#endif
