/* SPDX-License-Identifier: Apache-2.0 */
/* Process 1: runs one program on the console, by default a shell, and powers the machine
 * off when it ends.
 *
 *     init [PROGRAM [ARGUMENT...]]
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/wait.h>
#include <unistd.h>

static char *const environment[] = {
    "PATH=/bin", "HOME=/", "TERM=linux", "PS1=soc:\\w# ", NULL,
};

/* Starts a session with the console as its terminal, so that ctrl-C works. */
static void take_console(void)
{
	setsid();
	ioctl(STDIN_FILENO, TIOCSCTTY, 1);
}

/* Mounts /proc, for ps and others, if the folder exists. */
static void mount_proc(void)
{
	mount("proc", "/proc", "proc", 0, NULL);
}

static void run(char **argv)
{
	take_console();
	execve(argv[0], argv, environment);
	dprintf(STDERR_FILENO, "init: %s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

/* Reaps orphans as well. */
static int wait_for(pid_t child)
{
	int status;
	pid_t pid;

	do
		pid = wait(&status);
	while (pid >= 0 && pid != child);
	return pid == child ? status : -1;
}

int main(int argc, char **argv)
{
	static char *shell[] = {"/bin/sh", NULL};
	pid_t child;
	int status;

	mount_proc();
	child = vfork();
	if (child == 0)
		run(argc > 1 ? argv + 1 : shell);
	status = wait_for(child);
	if (status != 0)
		dprintf(STDERR_FILENO, "init: status 0x%x\n", (unsigned)status);
	reboot(RB_POWER_OFF);
	return 1;
}
