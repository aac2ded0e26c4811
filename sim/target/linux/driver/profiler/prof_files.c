// SPDX-License-Identifier: GPL-2.0
/* The files in /proc/profiler/, and the process that is registered; see prof_abi.h. */
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/log2.h>
#include <linux/mutex.h>
#include <linux/pid_namespace.h>
#include <linux/proc_fs.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "prof_abi.h"
#include "prof_driver.h"

enum { TEXT_MAX = 64 };

static DEFINE_MUTEX(mutex);
static struct file *daemon_file; /* NULL: no process is registered */
static struct pid *daemon;
static struct prof_rate rate = {.per_second = 0, .records = 256};

/* --- daemon */

static int register_daemon(struct file *file)
{
	int error;

	if (daemon_file)
		return -EBUSY;
	error = prof_start_sampling(&rate, task_active_pid_ns(current));
	if (error)
		return error;
	daemon = get_pid(task_tgid(current));
	daemon_file = file;
	prof_watch(daemon);
	return 0;
}

static void unregister_daemon(void)
{
	prof_unwatch();
	prof_stop_sampling();
	put_pid(daemon);
	daemon = NULL;
	daemon_file = NULL;
}

void prof_forget_daemon(void)
{
	/* Only this process can have registered itself, so without the lock it knows
	 * whether it is the one. */
	if (READ_ONCE(daemon) != task_tgid(current))
		return;
	mutex_lock(&mutex);
	if (daemon == task_tgid(current))
		unregister_daemon();
	mutex_unlock(&mutex);
}

/* Returns 0 and the text without its end of line, or an error. */
static int copy_text(char text[TEXT_MAX], const char __user *buffer, size_t size)
{
	if (!size || size >= TEXT_MAX)
		return -EINVAL;
	if (copy_from_user(text, buffer, size))
		return -EFAULT;
	text[size] = '\0';
	if (strlen(text) != size)
		return -EINVAL;
	if (text[size - 1] == '\n')
		text[size - 1] = '\0';
	return 0;
}

static ssize_t write_daemon(struct file *file, const char __user *buffer, size_t size,
			    loff_t *offset)
{
	char text[TEXT_MAX];
	pid_t pid;
	int error = copy_text(text, buffer, size);

	if (error)
		return error;
	if (kstrtoint(text, 10, &pid) || pid != task_tgid_vnr(current))
		return -EINVAL;
	mutex_lock(&mutex);
	error = register_daemon(file);
	mutex_unlock(&mutex);
	return error ? error : size;
}

static ssize_t read_daemon(struct file *file, char __user *buffer, size_t size,
			   loff_t *offset)
{
	char text[TEXT_MAX];
	ssize_t result;
	int length = 0;

	mutex_lock(&mutex);
	if (daemon_file == file) {
		result = prof_read_notices(buffer, size);
	} else {
		if (daemon)
			length = scnprintf(text, sizeof(text), "%d\n", pid_vnr(daemon));
		result = simple_read_from_buffer(buffer, size, offset, text, length);
	}
	mutex_unlock(&mutex);
	return result;
}

static int release_daemon(struct inode *inode, struct file *file)
{
	mutex_lock(&mutex);
	if (daemon_file == file)
		unregister_daemon();
	mutex_unlock(&mutex);
	return 0;
}

static const struct proc_ops daemon_ops = {
    .proc_read = read_daemon,
    .proc_write = write_daemon,
    .proc_release = release_daemon,
};

/* --- samples */

static ssize_t read_samples(struct file *file, char __user *buffer, size_t size,
			    loff_t *offset)
{
	ssize_t result;

	mutex_lock(&mutex);
	result = prof_read_samples(buffer, size);
	mutex_unlock(&mutex);
	return result;
}

static const struct proc_ops samples_ops = {
    .proc_read = read_samples,
};

/* --- rate */

static int parse_rate(char *text, struct prof_rate *parsed)
{
	char *word = strsep(&text, " ");
	char *records = strsep(&text, " ");
	char *last = strsep(&text, " ");

	*parsed = (struct prof_rate){.jitter = last != NULL};
	if (strcmp(word, "tick") &&
	    (kstrtouint(word, 10, &parsed->per_second) || !parsed->per_second))
		return -EINVAL;
	if (!records || kstrtouint(records, 10, &parsed->records))
		return -EINVAL;
	if (last && (strcmp(last, "jitter") || text || !parsed->per_second))
		return -EINVAL;
	if (parsed->per_second > PROF_RATE_MAX || !parsed->records ||
	    parsed->records > PROF_RECORDS_MAX)
		return -EINVAL;
	parsed->records = roundup_pow_of_two(parsed->records);
	return 0;
}

static ssize_t write_rate(struct file *file, const char __user *buffer, size_t size,
			  loff_t *offset)
{
	char text[TEXT_MAX];
	struct prof_rate parsed;
	int error = copy_text(text, buffer, size);

	if (!error)
		error = parse_rate(text, &parsed);
	if (error)
		return error;
	mutex_lock(&mutex);
	if (daemon_file)
		error = prof_change_sampling(&parsed);
	if (!error)
		rate = parsed;
	mutex_unlock(&mutex);
	return error ? error : size;
}

static ssize_t read_rate(struct file *file, char __user *buffer, size_t size,
			 loff_t *offset)
{
	char text[TEXT_MAX], word[16] = "tick";
	struct prof_rate now;
	int length;

	mutex_lock(&mutex);
	now = rate;
	mutex_unlock(&mutex);
	if (now.per_second)
		scnprintf(word, sizeof(word), "%u", now.per_second);
	length =
	    scnprintf(text, sizeof(text), "%s %u %u%s\n", word, now.records,
		      now.per_second ? now.per_second : HZ, now.jitter ? " jitter" : "");
	return simple_read_from_buffer(buffer, size, offset, text, length);
}

static const struct proc_ops rate_ops = {
    .proc_read = read_rate,
    .proc_write = write_rate,
};

static int __init make_files(void)
{
	struct proc_dir_entry *folder = proc_mkdir_mode("profiler", 0500, NULL);

	proc_create("daemon", 0600, folder, &daemon_ops);
	proc_create("samples", 0400, folder, &samples_ops);
	proc_create("rate", 0600, folder, &rate_ops);
	return 0;
}
device_initcall(make_files);
