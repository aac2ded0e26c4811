// SPDX-License-Identifier: GPL-2.0
/*
 * The sampler: in timer interrupts, what each hart executes. A hart's interrupts are the
 * only producer of its ring, and the reader of /proc/profiler/samples is the only
 * consumer.
 */
#include <linux/cpu.h>
#include <linux/hrtimer.h>
#include <linux/pid_namespace.h>
#include <linux/prof_hooks.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>

#include <asm/irq_regs.h>
#include <asm/ptrace.h>
#include <asm/smp.h>

#include "prof_abi.h"
#include "prof_driver.h"

struct prof_ring {
	/* Of the interrupts; positions count up. */
	struct hrtimer timer;
	u64 random;
	u32 head;
	u32 mask;
	u64 lost;
	u16 hart;
	struct prof_sample *samples;
	/* Of the reader. */
	u32 tail ____cacheline_aligned_in_smp;
	u64 lost_told;
};

DEFINE_STATIC_KEY_FALSE(prof_samples_ticks);

static struct prof_ring __percpu *rings; /* NULL: no sampling */
static struct pid_namespace *numbers;	 /* of processes */
static unsigned int period;		 /* ns; 0: ticks */
static bool jitter;

static void fill_sample(struct prof_sample *sample, const struct prof_ring *ring)
{
	struct pt_regs *regs = get_irq_regs();
	/* task_tgid_nr_ns() is slow, and not needed if there are no namespaces. */
	bool plain = numbers == &init_pid_ns;

	sample->time = ktime_get_mono_fast_ns();
	sample->pc = instruction_pointer(regs);
	sample->pid = plain ? current->tgid : task_tgid_nr_ns(current, numbers);
	sample->tid = plain ? current->pid : task_pid_nr_ns(current, numbers);
	sample->hart = ring->hart;
	sample->flags = user_mode(regs) ? PROF_SAMPLE_USER : 0;
	sample->reserved = 0;
}

static void take_sample(struct prof_ring *ring)
{
	u32 head = ring->head;

	/* Pairs with the release in read_ring(): the reader has copied what is
	 * overwritten. */
	if (head - smp_load_acquire(&ring->tail) > ring->mask) {
		WRITE_ONCE(ring->lost, ring->lost + 1);
		return;
	}
	fill_sample(&ring->samples[head & ring->mask], ring);
	/* Pairs with the acquire in read_ring(): the sample is complete. */
	smp_store_release(&ring->head, head + 1);
}

void __prof_tick(void)
{
	take_sample(this_cpu_ptr(rings));
}

/* xorshift64*; uniform between half a period and one and a half. */
static u64 random_period(struct prof_ring *ring)
{
	u64 x = ring->random;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	ring->random = x;
	return period / 2 + ((x * 0x2545f4914f6cdd1dULL >> 32) * period >> 32);
}

static enum hrtimer_restart sample_and_restart(struct hrtimer *timer)
{
	struct prof_ring *ring = container_of(timer, struct prof_ring, timer);

	take_sample(ring);
	hrtimer_forward_now(timer, ns_to_ktime(jitter ? random_period(ring) : period));
	return HRTIMER_RESTART;
}

static void start_timer(void *unused)
{
	struct prof_ring *ring = this_cpu_ptr(rings);

	hrtimer_start(&ring->timer, ns_to_ktime(jitter ? random_period(ring) : period),
		      HRTIMER_MODE_REL_PINNED_HARD);
}

static void start_interrupts(const struct prof_rate *rate)
{
	period = rate->per_second ? NSEC_PER_SEC / rate->per_second : 0;
	jitter = rate->jitter;
	if (period)
		on_each_cpu(start_timer, NULL, 1);
	else
		static_branch_enable(&prof_samples_ticks);
}

static void let_interrupt_end(void *unused)
{
}

/* No interrupt uses the rings afterwards. */
static void stop_interrupts(void)
{
	int cpu;

	if (!period) {
		static_branch_disable(&prof_samples_ticks);
		on_each_cpu(let_interrupt_end, NULL, 1);
		return;
	}
	for_each_online_cpu(cpu) hrtimer_cancel(&per_cpu_ptr(rings, cpu)->timer);
}

static void free_samples(struct prof_sample *samples[NR_CPUS])
{
	int cpu;

	for_each_online_cpu(cpu) kvfree(samples[cpu]);
}

static int allocate_samples(struct prof_sample *samples[NR_CPUS], unsigned int records)
{
	int cpu;

	memset(samples, 0, NR_CPUS * sizeof(samples[0]));
	for_each_online_cpu(cpu)
	{
		samples[cpu] = kvmalloc_array(records, sizeof(*samples[0]), GFP_KERNEL);
		if (!samples[cpu]) {
			free_samples(samples);
			return -ENOMEM;
		}
	}
	return 0;
}

/* Gives the rings empty `samples`; what they had is lost. */
static void replace_samples(struct prof_sample *samples[NR_CPUS], unsigned int records)
{
	int cpu;

	for_each_online_cpu(cpu)
	{
		struct prof_ring *ring = per_cpu_ptr(rings, cpu);

		ring->lost += ring->head - ring->tail;
		ring->head = ring->tail = 0;
		ring->mask = records - 1;
		swap(ring->samples, samples[cpu]);
	}
	free_samples(samples);
}

int prof_start_sampling(const struct prof_rate *rate, struct pid_namespace *ns)
{
	struct prof_sample *samples[NR_CPUS];
	int cpu;

	rings = alloc_percpu(struct prof_ring);
	if (!rings)
		return -ENOMEM;
	if (allocate_samples(samples, rate->records) < 0) {
		free_percpu(rings);
		rings = NULL;
		return -ENOMEM;
	}
	replace_samples(samples, rate->records);
	for_each_online_cpu(cpu)
	{
		struct prof_ring *ring = per_cpu_ptr(rings, cpu);

		ring->hart = cpuid_to_hartid_map(cpu);
		ring->random = get_random_u64() | 1;
		hrtimer_init(&ring->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
		ring->timer.function = sample_and_restart;
	}
	numbers = get_pid_ns(ns);
	start_interrupts(rate);
	return 0;
}

void prof_stop_sampling(void)
{
	int cpu;

	stop_interrupts();
	for_each_online_cpu(cpu) kvfree(per_cpu_ptr(rings, cpu)->samples);
	free_percpu(rings);
	rings = NULL;
	put_pid_ns(numbers);
}

int prof_change_sampling(const struct prof_rate *rate)
{
	bool other_size = rate->records != this_cpu_ptr(rings)->mask + 1;
	struct prof_sample *samples[NR_CPUS];

	if (other_size && allocate_samples(samples, rate->records) < 0)
		return -ENOMEM;
	stop_interrupts();
	if (other_size)
		replace_samples(samples, rate->records);
	start_interrupts(rate);
	return 0;
}

/* The reader's position in user space. */
struct output {
	char __user *next;
	size_t left; /* samples that still fit */
};

static int put_samples(struct output *output, const struct prof_sample *samples,
		       size_t count)
{
	if (copy_to_user(output->next, samples, count * sizeof(*samples)))
		return -EFAULT;
	output->next += count * sizeof(*samples);
	output->left -= count;
	return 0;
}

static int put_lost(struct output *output, struct prof_ring *ring, u64 lost)
{
	const struct prof_sample sample = {
	    .time = ktime_get_mono_fast_ns(),
	    .pc = lost - ring->lost_told,
	    .hart = ring->hart,
	    .flags = PROF_SAMPLE_LOST,
	};

	ring->lost_told = lost;
	return put_samples(output, &sample, 1);
}

static int read_ring(struct output *output, struct prof_ring *ring)
{
	u64 lost = READ_ONCE(ring->lost);
	/* Pairs with the release in take_sample(). */
	u32 head = smp_load_acquire(&ring->head);
	int error = 0;

	/* At most two turns: up to the end of the array, and from its begin. */
	while (!error && output->left && ring->tail != head) {
		u32 at = ring->tail & ring->mask;
		u32 count = min_t(size_t, min(head - ring->tail, ring->mask + 1 - at),
				  output->left);

		error = put_samples(output, &ring->samples[at], count);
		/* Pairs with the acquire in take_sample(). */
		if (!error)
			smp_store_release(&ring->tail, ring->tail + count);
	}
	if (!error && output->left && lost != ring->lost_told)
		error = put_lost(output, ring, lost);
	return error;
}

ssize_t prof_read_samples(char __user *buffer, size_t size)
{
	struct output output = {buffer, size / sizeof(struct prof_sample)};
	int error = 0;
	int cpu;

	if (!output.left)
		return -EINVAL;
	for_each_online_cpu(cpu)
	{
		if (rings && !error)
			error = read_ring(&output, per_cpu_ptr(rings, cpu));
	}
	if (output.next == buffer)
		return error ? error : -EAGAIN;
	return output.next - buffer;
}
