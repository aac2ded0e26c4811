/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * What the files in /proc/profiler/ hold. Only root may open them.
 *
 * daemon	Writing "PID\n", the number of the writing process, registers it; EBUSY if
 *a process is registered, EINVAL for another number. Closing the file, or the end of the
 *process, unregisters it. Through the file that registered, read() returns as many
 *prof_notice as fit, EAGAIN if there are none, EINVAL if not even one fits. Through
 *another file it returns "PID\n" of the registered process, or nothing.
 *
 *		A new program waits in execve() until its notice has been read and the
 *file is read again; until a signal, PTRACE_INTERRUPT included; or at most PROF_HOLD_NS.
 *Each exec notice sends SIGIO to the registered process, with the number of the new
 *program's process in si_int. SIGIO does not queue: it says that there are notices, not
 *how many. An execve() of the registered process, or of a process that it traces, neither
 *waits nor has a notice.
 *
 * samples	read() returns as many prof_sample as fit, of one hart after the other,
 *each in the order of time; EAGAIN if there are none, EINVAL if not even one fits.
 *
 * rate		"RATE RECORDS [jitter]". RATE is "tick", for the timer interrupts of the
 *		scheduler, or samples a second and hart, 1 to PROF_RATE_MAX, for a timer
 *of its own. RECORDS is how many samples of a hart wait for a reader, rounded up to a
 *power of two, at most PROF_RECORDS_MAX. "jitter" makes the time between two samples of
 *the own timer uniform between half a period and one and a half. Samples that wait while
 *RECORDS changes are lost, and counted as such. read() returns "RATE RECORDS
 *SAMPLES_PER_SECOND", and " jitter".
 *
 * Numbers of processes are those of the PID namespace of the registered process. There
 *are notices and samples only while a process is registered.
 */
#ifndef PROF_ABI_H
#define PROF_ABI_H

#include <linux/types.h>

#define PROF_HOLD_NS	 10000000
#define PROF_NOTICES_MAX 65536 /* that wait for a reader */
#define PROF_RATE_MAX	 100000
#define PROF_RECORDS_MAX 2048

enum prof_notice_kind {
	PROF_NOTICE_EXEC = 1, /* parent: the parent process */
	PROF_NOTICE_FORK = 2, /* of a process; parent: the process that called fork() */
	PROF_NOTICE_EXIT = 3, /* of the last thread; parent: 0 */
	/*
	 * Notices between the previous one and the read() of this one are lost, and did
	 * not make any program wait: see /proc for the processes. pid and parent are 0.
	 */
	PROF_NOTICE_LOST = 4,
};

struct prof_notice {
	__u64 time; /* CLOCK_MONOTONIC, ns */
	__u32 kind;
	__u32 pid;
	__u32 parent;
	__u32 reserved; /* 0 */
};

enum prof_sample_flags {
	PROF_SAMPLE_USER = 1, /* the hart was in user mode */
	PROF_SAMPLE_LOST =
	    2, /* pc: how many samples did not fit after the previous ones */
};

struct prof_sample {
	__u64 time; /* CLOCK_MONOTONIC, ns */
	__u64 pc;
	__u32 pid; /* the process; 0: the idle task, or none of the namespace */
	__u32 tid;
	__u16 hart;
	__u16 flags;
	__u32 reserved; /* 0 */
};

#endif
