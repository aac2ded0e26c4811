/* SPDX-License-Identifier: Apache-2.0 */
/* Samples: of which hart and process they are, when they are taken, and how many are
 * lost. */
#include "sampler_samples.h"

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "check.h"
#include "sampler_child.h"

enum { HARTS = 4, SAMPLES = 8192, BATCH = 512, VDSO_BYTES = 8192 };

/* Of one hart. */
struct taken {
	struct prof_sample samples[SAMPLES];
	size_t count;
	uint64_t lost;	      /* in all */
	uint64_t lost_before; /* before the last sample */
};
static struct taken taken[HARTS];

static void keep_sample(const struct prof_sample *sample)
{
	CHECK(sample->hart < HARTS && sample->reserved == 0);
	struct taken *hart = &taken[sample->hart];

	if (sample->flags & PROF_SAMPLE_LOST) {
		CHECK(sample->pc > 0 && sample->pid == 0 && sample->tid == 0);
		hart->lost += sample->pc;
		return;
	}
	CHECK(hart->count < SAMPLES);
	CHECK(hart->count == 0 || sample->time > hart->samples[hart->count - 1].time);
	hart->samples[hart->count++] = *sample;
	hart->lost_before = hart->lost;
}

static void take_samples(void)
{
	static struct prof_sample samples[BATCH];
	size_t count;

	while ((count = read_samples(samples, BATCH)) > 0)
		for (size_t i = 0; i < count; i++)
			keep_sample(&samples[i]);
}

static void forget_samples(void)
{
	take_samples();
	memset(taken, 0, sizeof(taken));
}

/* Reads every `every` ns. */
static void spin_and_take(uint64_t ns, uint64_t every)
{
	uint64_t end = read_clock() + ns;

	while (read_clock() < end) {
		spin_for(every);
		take_samples();
	}
}

static void run_on(int cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET((unsigned)cpu, &cpus);
	CHECK(sched_setaffinity(0, sizeof(cpus), &cpus) == 0);
}

/* Returns the number of the hart, -1 if there is no such processor. */
static int find_hart(int cpu)
{
	FILE *file = fopen("/proc/cpuinfo", "r");
	char line[256];
	int found = -1, processor = -1, hart;

	CHECK(file);
	while (fgets(line, sizeof(line), file)) {
		sscanf(line, "processor : %d", &processor);
		if (sscanf(line, "hart : %d", &hart) == 1 && processor == cpu)
			found = hart;
	}
	fclose(file);
	return found;
}

/* Stays on the hart that it returns, and registers. */
static struct taken *begin_sampling(const char *rate)
{
	int hart = find_hart(0);

	run_on(0);
	set_rate(rate);
	CHECK(hart >= 0 && register_self() >= 0);
	/* The first tick after the idle task may come early. */
	spin_for(5 * MS);
	forget_samples();
	return &taken[hart];
}

/* All interrupts of a timer with this period have a sample, or are counted as lost. */
static void check_each(const struct taken *hart, uint64_t period)
{
	CHECK(hart->count > 1);
	uint64_t span = hart->samples[hart->count - 1].time - hart->samples[0].time;

	CHECK(hart->count + hart->lost_before == (span + period / 2) / period + 1);
}

static bool is_own_code(uint64_t pc)
{
	extern const char __executable_start[], etext[];
	uint64_t vdso = getauxval(AT_SYSINFO_EHDR);

	return (pc >= (uintptr_t)__executable_start && pc < (uintptr_t)etext) ||
	       pc - vdso < VDSO_BYTES;
}

void try_ticks(void)
{
	struct taken *hart = begin_sampling("tick 256");
	size_t own = 0;

	spin_for(400 * MS);
	take_samples();
	CHECK(hart->count >= 99 && hart->count <= 101 && hart->lost == 0);
	check_each(hart, 4 * MS);
	for (size_t i = 0; i < hart->count; i++) {
		const struct prof_sample *sample = &hart->samples[i];
		bool user = sample->flags & PROF_SAMPLE_USER;

		CHECK(!user || sample->pid);
		CHECK(user || sample->pc >> 63);
		if (user && sample->pid == (uint32_t)getpid()) {
			CHECK(sample->tid == sample->pid && is_own_code(sample->pc));
			own++;
		}
	}
	CHECK(own * 10 > hart->count * 9);
}

/* What does not fit is counted. */
void try_ring(void)
{
	struct taken *hart = begin_sampling("10000 16");

	for (unsigned turn = 0; turn < 20; turn++) {
		spin_for((turn % 5) * MS);
		take_samples();
	}
	CHECK(hart->lost > 100);
	/* The last samples are not lost. */
	spin_for(MS / 2);
	take_samples();
	check_each(hart, MS / 10);
}

void try_change(void)
{
	static const struct {
		const char *rate;
		uint64_t period;
	} rates[] = {{"1000 256", MS},
		     {"tick 256", 4 * MS},
		     {"5000 256", MS / 5},
		     {"20000 256", MS / 20},
		     {"tick 256", 4 * MS}};
	struct taken *hart = begin_sampling("1000 256");

	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		set_rate(rates[i].rate);
		forget_samples();
		spin_and_take(30 * MS, MS);
		CHECK(hart->lost == 0 && hart->count >= 30 * MS / rates[i].period - 1);
		check_each(hart, rates[i].period);
	}
	/* What waits while the rings change is lost, and counted. */
	set_rate("10000 256");
	forget_samples();
	spin_for(2 * MS);
	set_rate("10000 512");
	take_samples();
	CHECK(hart->lost >= 19 && hart->lost <= 22 && hart->count <= 1);
	forget_samples();
	spin_and_take(5 * MS, MS);
	CHECK(hart->lost == 0);
	check_each(hart, MS / 10);
}

/* A uniform distribution between half a period and one and a half. */
void try_jitter(void)
{
	struct taken *hart = begin_sampling("2000 1024 jitter");
	const uint64_t period = MS / 2, late = period / 20;
	unsigned quarters[4] = {0};

	spin_and_take(600 * MS, 10 * MS);
	CHECK(hart->lost == 0 && hart->count > 1000);
	for (size_t i = 1; i < hart->count; i++) {
		uint64_t time = hart->samples[i].time - hart->samples[i - 1].time;

		CHECK(time + late >= period / 2 && time <= period * 3 / 2 + late);
		quarters[time <= period / 2	  ? 0
			 : time >= period * 3 / 2 ? 3
						  : (time - period / 2) * 4 / period]++;
	}
	uint64_t span = hart->samples[hart->count - 1].time - hart->samples[0].time;

	/* Five deviations. */
	CHECK(span * 100 > period * (hart->count - 1) * 95 &&
	      span * 100 < period * (hart->count - 1) * 105);
	for (unsigned i = 0; i < 4; i++)
		CHECK(quarters[i] * 5 > hart->count &&
		      quarters[i] * 10 < hart->count * 3);
}

/* 10 us. */
void try_fast(void)
{
	struct taken *hart = begin_sampling("100000 2048");

	spin_and_take(40 * MS, 5 * MS);
	CHECK(hart->lost == 0 && hart->count >= 3900);
	check_each(hart, MS / 100);
}

/* Samples tell the hart, also of the idle task. */
void try_harts(void)
{
	pid_t spinning[HARTS] = {0};
	unsigned harts = 0;

	set_rate("1000 1024");
	CHECK(register_self() >= 0);
	for (int cpu = 0; cpu < HARTS && find_hart(cpu) >= 0; cpu++) {
		harts++;
		spinning[cpu] = fork();
		if (spinning[cpu] == 0) {
			run_on(cpu);
			spin_for(100 * MS);
			_exit(0);
		}
	}
	for (unsigned cpu = 0; cpu < harts; cpu++)
		end_process(spinning[cpu]);
	sleep_for(50 * MS);
	take_samples();
	for (int cpu = 0; cpu < (int)harts; cpu++) {
		struct taken *hart = &taken[find_hart(cpu)];
		unsigned own = 0, idle = 0;

		for (size_t i = 0; i < hart->count; i++) {
			const struct prof_sample *sample = &hart->samples[i];

			own += sample->pid == (uint32_t)spinning[cpu] &&
			       (sample->flags & PROF_SAMPLE_USER);
			idle += sample->pid == 0 && !(sample->flags & PROF_SAMPLE_USER);
			for (unsigned other = 0; other < harts; other++)
				CHECK(other == (unsigned)cpu ||
				      sample->pid != (uint32_t)spinning[other] ||
				      !(sample->flags & PROF_SAMPLE_USER));
		}
		CHECK(own >= 80 && idle >= 45);
		CHECK(hart->lost == 0);
		check_each(hart, MS);
	}
}
