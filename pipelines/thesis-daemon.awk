# SPDX-License-Identifier: Apache-2.0
# What the daemon of the run-time profiler and the kernel's sampler do in the runs of the thesis's
# tables, by the names of their functions; after thesis-change.awk. Reads, of each PROGRAM,
#     PROGRAM-MODE-HARTS.functions    tr-report functions
#     PROGRAM.csv                     prof-extract --list
BEGIN {
	clock = 3.2e9 # Hz: the nominal clock
	thesis_rate = 250; thesis_wakes = 5; thesis_updates = 1 # a second
	sample_limit = 600 # cycles more than the tick
	update_limit = 64000; update_functions = 600 # cycles for so many functions
	hart_limit = 0.2 # % of a hart
}
# Of equal names, the one with the most cycles: the timer interrupt of the kernel, not of the firmware.
kind == "functions" {
	name = $(column["function"])
	if ($(column["binary"]) == "prof-daemon") name = "prof-daemon:" name
	if ($(column["total_cycles"]) + 0 >= totals[program, mode, harts, name] + 0) {
		totals[program, mode, harts, name] = $(column["total_cycles"])
		calls_of[program, mode, harts, name] = $(column["calls"])
		medians[program, mode, harts, name] = $(column["median_cycles"])
	}
	run_cycles[program, mode, harts] += $(column["self_cycles"])
}
kind == "csv" && $(NF - 2) ~ /^(near|far)$/ { functions_of[program]++ }

function total(program, mode, harts, name) { return totals[program, mode, harts, name] + 0 }
function calls(program, mode, harts, name) { return calls_of[program, mode, harts, name] + 0 }
# Cycles a call, or "" without any.
function mean(program, mode, harts, name,	number) {
	number = calls(program, mode, harts, name)
	return number ? total(program, mode, harts, name) / number : ""
}

# gprof's sampling: a signal at each of its periods, from the kernel's tick that sends it to the
# return from its handler.
function gprof_sampling(program) {
	return total(program, "gprof", 1, "[signal]") + total(program, "gprof", 1, "send_signal_locked") + total(program, "gprof", 1, "get_signal")
}

# --- who has the change, by name

function print_daemon_header() {
	print "The change by name, in % of the cycles without: timer interrupts, in which samples are taken and the data thread is woken;"
	print "the daemon's main thread, which takes processes over, and its data thread, both with what the kernel does for them; and the"
	print "rest: stubs, switches between threads, and what the program itself loses. Samples, times that samples were read, and updates"
	print "of the log"
	printf "%-12s %-14s %8s %10s %8s %8s %8s %8s %8s %8s\n", "program", "mode", "change", "interrupts", "main", "data", "rest", \
		"samples", "reads", "updates"
}
function interrupt_cycles(program, mode, harts) {
	return total(program, mode, harts, "[timer interrupt]") - total(program, "base", harts, "[timer interrupt]")
}
function periodic_data(program, mode, harts) {
	return reads(program, mode, harts) * read_cost(program, mode, harts) + \
		calls(program, mode, harts, "prof-daemon:update_logs") * medians[program, mode, harts, "prof-daemon:update_logs"]
}
# The change if what there is at each period were as often as in the thesis.
function unscaled_change(program, mode, harts) {
	return value[program, mode, harts, "change_cycles"] - (1 - 1 / times) * \
		(interrupt_cycles(program, mode, harts) + periodic_data(program, mode, harts))
}
# The same of a program that runs for so long that what the daemon does once for it is nothing.
function long_change(program, mode, harts) {
	return unscaled_change(program, mode, harts) - total(program, mode, harts, "prof-daemon:main") - \
		(total(program, mode, harts, "prof-daemon:process_data") - periodic_data(program, mode, harts))
}
function print_daemon(program, mode, harts, label,	before, interrupts, main, data, samples, updates) {
	before = cycles_before(program, mode, harts)
	interrupts = interrupt_cycles(program, mode, harts)
	main = total(program, mode, harts, "prof-daemon:main")
	data = total(program, mode, harts, "prof-daemon:process_data")
	samples = calls(program, mode, harts, "sample_and_restart")
	updates = calls(program, mode, harts, "prof-daemon:update_logs")
	printf "%-12s %-14s %8s %10s %8s %8s %8s %8d %8d %8d\n", program, label, change_percent(program, mode, harts), \
		percent(interrupts, before), percent(main, before), percent(data, before), \
		percent(value[program, mode, harts, "change_cycles"] - interrupts - main - data, before), samples, reads(program, mode, harts), updates
	if (!samples || !reads(program, mode, harts) || !updates) fail(program ": " mode " has no samples, or they are not read, or there is no log")
}

# --- what each of it costs, and what that is at the thesis's periods

function reads(program, mode, harts) { return calls(program, mode, harts, "prof-daemon:__pthread_cond_timedwait") }
# The timer interrupts of a tick: one is too early now and then, and ends with nothing but another.
function tick_cost(program, harts) {
	return total(program, "base", harts, "[timer interrupt]") / calls(program, "base", harts, "tick_sched_timer")
}
# Those that wake the data thread where nothing but ticks and these interrupts are.
function wake_interrupt_cost(program, harts) {
	return (interrupt_cycles(program, "ticked", harts) - total(program, "ticked", harts, "__prof_tick")) / reads(program, "ticked", harts)
}
# The data thread without the updates; of the reading the median, because the first one reads what the
# extractor has found.
function read_cost(program, mode, harts) {
	return (total(program, mode, harts, "prof-daemon:process_data") - total(program, mode, harts, "prof-daemon:update_logs") - \
		total(program, mode, harts, "prof-daemon:take_samples")) / reads(program, mode, harts) + medians[program, mode, harts, "prof-daemon:take_samples"]
}
function print_costs(	p, program, mode, tick, sample, timer, wake, update, each, sum) {
	mode = "sampled-process"
	print "Cycles, measured: of a tick alone; of a sample, more than the tick, at its 250 Hz (at most " sample_limit "), and of the interrupts"
	print "of a timer of its own; of a wake-up of the data thread, which reads as many samples as there, with the timer interrupt; of an"
	print "update of the log, the median (at most " update_limit " for " update_functions " functions), and by function. Computed from them: % of one hart at the"
	print "thesis's periods, a sample each tick at 250 Hz, a wake-up each 200 ms, an update each 1 s (at most " hart_limit " %)"
	printf "%-12s %8s %8s %8s %8s %8s %9s %9s  %9s %9s %9s %9s\n", "program", "tick", "sample", "timer", "wake-up", "update", "functions", \
		"each", "samples %", "reads %", "updates %", "all %"
	for (p = 1; p <= nprograms; p++) {
		program = programs[p]
		if (!calls(program, "ticked", 1, "__prof_tick") || !reads(program, mode, 1) || !calls(program, mode, 1, "sample_and_restart")) {
			fail(program ": nothing is sampled or read")
			continue
		}
		tick = tick_cost(program, 1)
		sample = mean(program, "ticked", 1, "__prof_tick")
		timer = interrupt_cycles(program, mode, 1) / calls(program, mode, 1, "sample_and_restart")
		wake = wake_interrupt_cost(program, 1) + read_cost(program, mode, 1)
		update = medians[program, mode, 1, "prof-daemon:update_logs"]
		each = update / functions_of[program]
		sum = sample * thesis_rate + wake * thesis_wakes + update * thesis_updates
		printf "%-12s %8.0f %8.0f %8.0f %8.0f %8.0f %9d %9.1f  %9.4f %9.4f %9.4f %9.4f\n", program, tick, sample, timer, wake, update, \
			functions_of[program], each, 100 * sample * thesis_rate / clock, 100 * wake * thesis_wakes / clock, \
			100 * update * thesis_updates / clock, 100 * sum / clock
		if (sample > sample_limit) fail(program ": a sample costs more than " sample_limit " cycles")
		if (100 * sum / clock > hart_limit) fail(program ": more than " hart_limit " % of a hart")
		if (update > update_limit * (functions_of[program] > update_functions ? functions_of[program] / update_functions : 1)) \
			fail(program ": an update costs more than " update_limit " cycles for " update_functions " functions")
	}
}
