// SPDX-License-Identifier: GPL-2.0
/*
 * Notices of processes that begin and end, and the hold of new programs.
 *
 * Each exec notice has a ticket, a number that counts up. A program waits until its
 * ticket has been released, so the queue does not refer to processes that wait, and they
 * do not refer to the queue: any of them may end first.
 */
#include <linux/hrtimer.h>
#include <linux/list.h>
#include <linux/pid_namespace.h>
#include <linux/prof_hooks.h>
#include <linux/ptrace.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#include "prof_abi.h"
#include "prof_driver.h"

struct queued_notice {
	struct list_head list;
	struct prof_notice notice;
	u64 ticket; /* of an exec notice */
};

DEFINE_STATIC_KEY_FALSE(prof_watches);

/* Protects what follows. */
static DEFINE_SPINLOCK(lock);
static struct pid *watcher; /* the registered process; NULL: none */
static LIST_HEAD(queue);
static unsigned int queued;
static u64 last_ticket; /* that has been given */
/* Is in the queue if notices are lost; there are none behind it. */
static struct queued_notice lost_notice = {
    .list = LIST_HEAD_INIT(lost_notice.list),
    .notice.kind = PROF_NOTICE_LOST,
};

/* Only written by the functions of prof_driver.h: the last ticket that has been read, and
 * the last that has been released. */
static u64 read_ticket;
static u64 released;
static DECLARE_WAIT_QUEUE_HEAD(release_queue);

/* The process that notices call the parent. Called under RCU. */
static struct task_struct *find_parent(enum prof_notice_kind kind,
				       struct task_struct *task)
{
	switch (kind) {
	case PROF_NOTICE_EXEC:
		return rcu_dereference(task->real_parent);
	case PROF_NOTICE_FORK:
		return current;
	default:
		return NULL;
	}
}

/*
 * Whether the registered process gets notices of `task`, which is another process, is
 * seen in its namespace, and as a new program is not traced by it. Called with the lock
 * and under RCU.
 */
static bool is_watched(enum prof_notice_kind kind, struct task_struct *task)
{
	struct task_struct *tracer = ptrace_parent(task);

	if (!watcher || task_tgid(task) == watcher ||
	    !task_tgid_nr_ns(task, ns_of_pid(watcher)))
		return false;
	return kind != PROF_NOTICE_EXEC || !tracer || task_tgid(tracer) != watcher;
}

static void fill_notice(struct prof_notice *notice, enum prof_notice_kind kind,
			struct task_struct *task)
{
	struct task_struct *parent = find_parent(kind, task);
	struct pid_namespace *ns = ns_of_pid(watcher);

	notice->kind = kind;
	notice->pid = task_tgid_nr_ns(task, ns);
	notice->parent = parent ? task_tgid_nr_ns(parent, ns) : 0;
}

static void append(struct queued_notice *entry)
{
	entry->notice.time = ktime_get_mono_fast_ns();
	list_add_tail(&entry->list, &queue);
	queued++;
}

/* Queues `entry`, or the lost notice instead: there is no memory if it is NULL. */
static bool queue_notice(struct queued_notice *entry)
{
	if (!list_empty(&lost_notice.list))
		return false;
	if (!entry || queued >= PROF_NOTICES_MAX) {
		append(&lost_notice);
		return false;
	}
	append(entry);
	return true;
}

/* Called under RCU; `process` may have ended. */
static void signal_watcher(struct task_struct *process, u32 pid)
{
	struct kernel_siginfo info;

	clear_siginfo(&info);
	info.si_signo = SIGIO;
	info.si_code = SI_QUEUE;
	info.si_int = pid;
	do_send_sig_info(SIGIO, &info, process, PIDTYPE_TGID);
}

/* Returns the ticket of an exec notice that has been queued, else 0. */
static u64 add_notice(enum prof_notice_kind kind, struct task_struct *task)
{
	struct queued_notice *entry = kzalloc(sizeof(*entry), GFP_KERNEL | __GFP_NOWARN);
	struct task_struct *signalled = NULL;
	bool kept = false;
	u64 ticket = 0;
	u32 pid = 0;

	rcu_read_lock();
	spin_lock(&lock);
	if (is_watched(kind, task)) {
		if (entry)
			fill_notice(&entry->notice, kind, task);
		kept = queue_notice(entry);
	}
	if (kept && kind == PROF_NOTICE_EXEC) {
		ticket = entry->ticket = ++last_ticket;
		pid = entry->notice.pid;
		signalled = pid_task(watcher, PIDTYPE_TGID);
	}
	spin_unlock(&lock);
	if (signalled)
		signal_watcher(signalled, pid);
	rcu_read_unlock();
	if (!kept)
		kfree(entry);
	return ticket;
}

void __prof_exec(void)
{
	u64 ticket = add_notice(PROF_NOTICE_EXEC, current);

	/* It goes on if time is up, and if there is a signal: it has a program in any
	 * case. */
	if (ticket)
		(void)wait_event_interruptible_hrtimeout(release_queue,
							 READ_ONCE(released) >= ticket,
							 ns_to_ktime(PROF_HOLD_NS));
}

void __prof_fork(struct task_struct *child)
{
	/* Threads have no notices, and neither do the kernel's. */
	if (thread_group_leader(child) && !(child->flags & PF_KTHREAD))
		add_notice(PROF_NOTICE_FORK, child);
}

void __prof_exit(void)
{
	prof_forget_daemon();
	if (!(current->flags & PF_KTHREAD))
		add_notice(PROF_NOTICE_EXIT, current);
}

static void release_up_to(u64 ticket)
{
	if (released == ticket)
		return;
	WRITE_ONCE(released, ticket);
	wake_up_all(&release_queue);
}

static void free_notice(struct queued_notice *entry)
{
	if (entry != &lost_notice)
		kfree(entry);
}

void prof_watch(struct pid *daemon)
{
	spin_lock(&lock);
	watcher = get_pid(daemon);
	spin_unlock(&lock);
	static_branch_enable(&prof_watches);
}

void prof_unwatch(void)
{
	struct queued_notice *entry, *next;
	struct pid *daemon;
	LIST_HEAD(unread);

	static_branch_disable(&prof_watches);
	spin_lock(&lock);
	daemon = watcher;
	watcher = NULL;
	list_splice_init(&queue, &unread);
	queued = 0;
	read_ticket = last_ticket;
	spin_unlock(&lock);
	release_up_to(read_ticket);
	list_for_each_entry_safe(entry, next, &unread, list)
	{
		list_del_init(&entry->list);
		free_notice(entry);
	}
	put_pid(daemon);
}

/* Only readers remove notices, so the first one stays. */
static struct queued_notice *first_notice(void)
{
	struct queued_notice *entry;

	spin_lock(&lock);
	entry = list_first_entry_or_null(&queue, struct queued_notice, list);
	spin_unlock(&lock);
	return entry;
}

static void remove_notice(struct queued_notice *entry)
{
	spin_lock(&lock);
	list_del_init(&entry->list);
	queued--;
	spin_unlock(&lock);
	if (entry->ticket)
		read_ticket = entry->ticket;
	free_notice(entry);
}

ssize_t prof_read_notices(char __user *buffer, size_t size)
{
	struct queued_notice *entry;
	size_t done = 0;

	if (size < sizeof(entry->notice))
		return -EINVAL;
	release_up_to(read_ticket);
	while (size - done >= sizeof(entry->notice) && (entry = first_notice())) {
		if (copy_to_user(buffer + done, &entry->notice, sizeof(entry->notice)))
			return done ? done : -EFAULT;
		done += sizeof(entry->notice);
		remove_notice(entry);
	}
	return done ? done : -EAGAIN;
}
