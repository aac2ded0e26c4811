/* SPDX-License-Identifier: Apache-2.0 */
/* thread-work FILE COMMAND…: runs the command and appends to FILE the seconds of
 * processor time of all its threads together, and of the thread with most. With a core
 * for each thread it would take at least the latter. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { POLL_NS = 1000000 };

/* Returns the nanoseconds that a thread has run for, 0 if it has ended. */
static unsigned long long thread_time(pid_t process, const char *thread)
{
	char path[64];
	unsigned long long time = 0;
	snprintf(path, sizeof(path), "/proc/%d/task/%.20s/schedstat", (int)process,
		 thread);
	FILE *in = fopen(path, "r");
	if (in && fscanf(in, "%llu", &time) != 1)
		time = 0;
	if (in)
		fclose(in);
	return time;
}

/* Returns the most that a thread of the process has run for, or `most` if that is more.
 */
static unsigned long long busiest_thread(pid_t process, unsigned long long most)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/task", (int)process);
	DIR *threads = opendir(path);
	const struct dirent *entry;
	while (threads && (entry = readdir(threads))) {
		const unsigned long long time =
		    entry->d_name[0] == '.' ? 0 : thread_time(process, entry->d_name);
		most = time > most ? time : most;
	}
	if (threads)
		closedir(threads);
	return most;
}

static double seconds_of(const struct timeval *time)
{
	return (double)time->tv_sec + (double)time->tv_usec / 1e6;
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		fprintf(stderr, "usage: thread-work FILE COMMAND [ARGUMENT ...]\n");
		return 2;
	}
	pid_t child = fork();
	if (child == 0) {
		execvp(argv[2], &argv[2]);
		perror(argv[2]);
		_exit(127);
	}
	int status;
	struct rusage usage;
	unsigned long long most = 0;
	pid_t ended = child < 0 ? -1 : 0;
	while (ended == 0) {
		most = busiest_thread(child, most);
		nanosleep(&(struct timespec){.tv_nsec = POLL_NS}, NULL);
		ended = wait4(child, &status, WNOHANG, &usage);
	}
	FILE *out = ended < 0 ? NULL : fopen(argv[1], "a");
	if (!out || !most)
		return 2;
	fprintf(out, "%.3f %.3f\n",
		seconds_of(&usage.ru_utime) + seconds_of(&usage.ru_stime),
		(double)most / 1e9);
	if (fclose(out))
		return 2;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}
