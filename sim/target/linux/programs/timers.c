/* SPDX-License-Identifier: Apache-2.0 */
/* Time: the vdso's clocks, sleep, a timer as a file, and a loop long enough for ticks
 * of the kernel.
 */
#include <stdint.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static int64_t now(void)
{
	struct timespec time;

	CHECK(clock_gettime(CLOCK_MONOTONIC, &time) == 0);
	return time.tv_sec * 1000000000 + time.tv_nsec;
}

KEEP static void clocks(void)
{
	struct timeval day;
	int64_t last = now();

	for (int i = 0; i < 100; i++) {
		int64_t next = now();

		CHECK(next >= last);
		last = next;
	}
	CHECK(gettimeofday(&day, NULL) == 0);
	CHECK(time(NULL) >= day.tv_sec);
}

KEEP static void sleeps(void)
{
	int64_t start = now();

	for (int i = 0; i < 5; i++)
		usleep(1500);
	CHECK(now() - start >= 5 * 1500000);
}

KEEP static void timer_file(void)
{
	struct itimerspec each = {.it_interval.tv_nsec = 200000,
				  .it_value.tv_nsec = 200000};
	int timer = timerfd_create(CLOCK_MONOTONIC, 0);
	uint64_t count = 0, sum = 0;

	CHECK(timer >= 0 && timerfd_settime(timer, 0, &each, NULL) == 0);
	while (sum < 5) {
		spin(2000);
		CHECK(read(timer, &count, sizeof(count)) == sizeof(count));
		sum += count;
	}
	close(timer);
}

KEEP static void ticks(void)
{
	int64_t start = now();

	while (now() - start < 100000)
		spin(1000);
}

int main(void)
{
	clocks();
	sleeps();
	timer_file();
	ticks();
	return 0;
}
