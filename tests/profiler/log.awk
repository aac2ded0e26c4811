# SPDX-License-Identifier: Apache-2.0
# Judges the log of the run-time profiler by what follow-log has found in the trace of a run:
# awk -f log.awk [-v whole=LOGS] [-v ticks=NUMBER] [-v tables=NUMBER] [-v steady=1]
# [-v apart=SNAPSHOTS] FACTS [PRINTED...]. FACTS has the lines that follow_log.c describes, PRINTED
# what prof-log --csv has printed in the target.
#
# Calls: a log says when its snapshots were taken. They are the first passes over the file's
# counters that begin then or later: the calls of each function must be the true ones between the
# daemon's two loads of that counter.
#
# Samples: each one that the daemon has read must be an interrupt at which the sampler ran, at that
# time, in the order of the hart, with its pc, process, thread and mode; as many interrupts may be
# missing as were told to be lost, and those at the end, which the daemon never read. The samples of a log are those
# read between its two passes: of the process by function, of the process, and of all processes
# but the idle ones. The first pass of a file is made by another thread than that which reads
# samples, and its process begins with it: a sample that is older than this pass, or has been read
# before it and counted after it, may be in the log or not (`either`).
#
# At least `whole` logs must have been seen, `ticks` samples read and `tables` printed. With `steady`
# the sampler has a timer of its own: its interrupts must be a period of the log apart, on average. With
# `apart` that many periods are between the two snapshots of a log; fewer only from the first one of
# the process on.
BEGIN {
	CYCLES_A_NS = 3.2
	SLACK = 6400 # of the clock, which steps by a microsecond
}
FNR == 1 { file_number++ }
file_number > 1 { take_printed(); next }
$1 == "pass" {
	# Those of one file follow each other, but not those of two with one name.
	for (n = ++passes[$2]; n > 1 && pass_first[$2, n - 1] > $4; n--) {
		pass_life[$2, n] = pass_life[$2, n - 1]; pass_first[$2, n] = pass_first[$2, n - 1]
		pass_last[$2, n] = pass_last[$2, n - 1]; pass_calls[$2, n] = pass_calls[$2, n - 1]
	}
	pass_life[$2, n] = $3; pass_first[$2, n] = $4; pass_last[$2, n] = $5
	pass_calls[$2, n] = $0
	all_passes++
}
$1 == "clock" {
	offset = $2 - CYCLES_A_NS * $3
	if (!clocks++ || offset < clock) clock = offset
}
$1 == "tick" { n = ++hart_ticks[$3]; tick[$3, n] = $0; all_ticks++ }
$1 == "sample" { sample[++all_samples] = $0 }
$1 == "counted" { for (; counted < all_samples; counted++) sample_counted[counted + 1] = $2 }
$1 == "log" { seen[++logs] = $0 }
function trouble(text) { if (wrong++ < 20) print "log: " text }

# --- samples

# Matches sample number i with an interrupt: the one of its time. Those before it were lost.
function match_sample(i,    s, t, hart, cycle) {
	split(sample[i], s)
	hart = s[3]
	sample_read[i] = s[2]; sample_time[i] = s[8]
	if (s[2] > last_read) last_read = s[2]
	if (s[6] == "lost") { sample_lost[i] = s[7]; lost[hart] += s[7]; return }
	cycle = clock + CYCLES_A_NS * s[8]
	while (++matched[hart] <= hart_ticks[hart]) {
		split(tick[hart, matched[hart]], t)
		if (t[2] >= cycle - SLACK) break
		skipped[hart]++
	}
	if (matched[hart] > hart_ticks[hart] || t[2] > cycle + SLACK) {
		trouble("sample " i " of hart " hart ": no interrupt was there at " s[8])
		matched[hart]--
		return
	}
	sample_pid[i] = t[4]; sample_profiled[i] = t[8]; sample_local[i] = t[9]; sample_global[i] = t[10]
	if (s[4] != t[4] || s[5] != t[5] || s[6] != t[6] || s[7] != t[7])
		trouble("sample " i ": hart " hart " pid " s[4] " tid " s[5] " " s[6] " " s[7] \
			", interrupt: pid " t[4] " tid " t[5] " " t[6] " " t[7])
	compared_samples++
	note_largest("read", s[2] - t[2])
	if (s[2] < t[2]) trouble("sample " i " was read before its interrupt")
}
# No interrupt of the sampler's own timer is left out.
function judge_intervals(    hart, first, last, interval) {
	for (hart in hart_ticks) {
		split(tick[hart, 1], first); split(tick[hart, hart_ticks[hart]], last)
		interval = (last[2] - first[2]) / (hart_ticks[hart] - 1)
		if (interval > 1.01 * period * CYCLES_A_NS || interval < 0.99 * period * CYCLES_A_NS)
			trouble("hart " hart ": interrupts are " interval " cycles apart, the period is " period * CYCLES_A_NS)
	}
}
function note_largest(what, value) { if (value > largest[what]) largest[what] = value }
function match_samples(    i, hart, k, t) {
	for (i = 1; i <= all_samples; i++) match_sample(i)
	for (hart in hart_ticks) {
		if (skipped[hart] + 0 != lost[hart] + 0)
			trouble("hart " hart ": " skipped[hart] + 0 " interrupts are not among the samples, " lost[hart] + 0 " were lost")
		all_lost += lost[hart]
		for (k = matched[hart] + 1; k <= hart_ticks[hart]; k++) {
			split(tick[hart, k], t)
			if (t[2] < last_read - SLACK) trouble("interrupt " k " of hart " hart " was never read")
			unread++
		}
	}
}
# Sets the samples between two passes over a file, the first of which was made at a time: by index,
# of the file, of all, and lost; those of them that may be absent, and others that may be there.
function add_samples(file, from, to, time,    i, first, is_first) {
	split("", by_index); split("", more); split("", less)
	is_first = from == 1 || pass_life[file, from - 1] != pass_life[file, from]
	first = find_read(pass_first[file, from])
	# The batch before may have been counted only after the first pass.
	if (is_first)
		for (i = first - 1; i > 0 && sample_counted[i] > pass_first[file, from]; i--) take_between(i, file, more)
	for (i = first; i <= all_samples && sample_read[i] < pass_first[file, to]; i++) {
		take_between(i, file, by_index)
		if ((is_first && sample_time[i] < time) || (!file && sample_profiled[i] == 2)) take_between(i, file, less)
	}
}
# Returns the first sample that was read in a cycle or later.
function find_read(cycle,    low, high, middle) {
	low = 1; high = all_samples + 1
	while (low < high) {
		middle = int((low + high) / 2)
		if (sample_read[middle] < cycle) low = middle + 1
		else high = middle
	}
	return low
}
function take_between(i, file, sums) {
	if (i in sample_lost) { sums["lost"] += sample_lost[i]; return }
	sums["all"] += sample_pid[i] != 0
	if (file ? sample_pid[i] != file : !sample_profiled[i]) return
	sums["file"]++
	sums[file ? sample_local[i] : sample_global[i]]++
}
function judge_samples(what, key, value) {
	if (value + 0 == by_index[key] + 0) return
	if (value > by_index[key] + more[key] || value < by_index[key] - less[key])
		trouble(what ": " value + 0 " samples (" key "), interrupted " by_index[key] + 0)
	else
		either++
}

# --- logs

# Returns the first pass over a file that begins at a time or later, or 0.
function find_pass(file, time,    cycle, low, high, middle) {
	cycle = clock + CYCLES_A_NS * time - SLACK
	low = 1; high = passes[file] + 1
	while (low < high) {
		middle = int((low + high) / 2)
		if (pass_first[file, middle] < cycle) low = middle + 1
		else high = middle
	}
	return low > passes[file] ? 0 : low
}
# Sets the passes `from` and `to`, and their samples. Returns 0 if there are none.
function find_span(what, file, time, span) {
	to = find_pass(file, time); from = find_pass(file, time - span)
	if (!from || !to || from >= to) { trouble(what ": no passes at " time - span " and " time); return 0 }
	note_largest("pass", pass_first[file, to] - clock - CYCLES_A_NS * time)
	if (pass_life[file, to] != pass_life[file, from]) trouble(what ": snapshots of two programs")
	else if (apart && to - from != apart && (to - from > apart || (from > 1 && pass_life[file, from - 1] == pass_life[file, from])))
		trouble(what ": its snapshots are " to - from " apart")
	add_samples(file, from, to, time - span)
	return 1
}
# Compares what has been read of each index with the passes.
function judge_counts(what, file, calls, samples,    a, b, i, k, count) {
	count = split(pass_calls[file, to], b)
	split(pass_calls[file, from], a)
	for (i in calls) if (i + 6 > count) trouble(what ": index " i ", which the daemon did not load")
	for (k = 6; k <= count; k++) {
		i = k - 6
		if (calls[i] + 0 != b[k] - a[k]) trouble(what ": index " i ": " calls[i] + 0 " calls, executed " b[k] - a[k])
		judge_samples(what, i, samples[i])
		compared++
		sum_calls += calls[i]; sum_samples += samples[i]
	}
}
function judge_log(text,    row, n, i, file, key, rest, what, pair, calls, samples) {
	n = split(text, row)
	file = row[3]; result[row[4]]++
	if (row[4] != "whole") return
	rest = text; sub(/^log [0-9]+ /, "", rest)
	key = file SUBSEP row[5] SUBSEP row[6]
	if (key in judged) {
		if (judged[key] != rest) trouble("file " file ": sequence " row[5] " is not always the same")
		return
	}
	judged[key] = rest
	period = row[9]
	spans++
	what = "file " file ": sequence " row[5]
	if (!find_span(what, file, row[6], row[7])) return
	if (pass_last[file, to] > row[2]) trouble(what ": was seen before its snapshot was complete")
	for (i = 13; i <= n; i++) {
		split(row[i], pair, ":")
		calls[pair[1]] = pair[2]; samples[pair[1]] = pair[3]
	}
	judge_counts(what, file, calls, samples)
	judge_samples(what, "file", row[10]); judge_samples(what, "all", row[11]); judge_samples(what, "lost", row[12])
}

# --- what prof-log has printed

# A line, of the file printed-PID.csv. Its name may have commas, and is the last.
function take_printed(    cell, key) {
	if ($1 ~ /^time,/) return
	split($0, cell, ",")
	if (FNR == 2 || cell[1] != table_time[tables_read]) tables_read++
	printed_pid[tables_read] = FILENAME
	sub(/.*printed-0*/, "", printed_pid[tables_read]); sub(/\.csv$/, "", printed_pid[tables_read])
	table_time[tables_read] = cell[1]; table_span[tables_read] = cell[2]
	key = cell[3] != "" ? cell[3] : $0 ~ /,\[lost\]$/ ? "lost" : "rest"
	if (cell[3] != "") table_calls[tables_read, cell[3]] = cell[4]
	table_samples[tables_read, key] += cell[6]
	if (cell[3] != "" && cell[3] >= table_indexes[tables_read]) table_indexes[tables_read] = cell[3] + 1
	table_sum[tables_read] += key == "lost" ? 0 : cell[6]
}
function judge_table(t,    file, what, i, calls, samples) {
	file = printed_pid[t] + 0
	what = "prof-log " file ", table " t
	if (!find_span(what, file, table_time[t], table_span[t])) return
	for (i = 0; i < table_indexes[t]; i++) { calls[i] = table_calls[t, i]; samples[i] = table_samples[t, i] }
	judge_counts(what, file, calls, samples)
	judge_samples(what, "lost", table_samples[t, "lost"])
	judge_samples(what, file ? "file" : "all", table_sum[t])
}
END {
	match_samples()
	for (l = 1; l <= logs; l++) judge_log(seen[l])
	for (t = 1; t <= tables_read; t++) judge_table(t)
	if (steady) judge_intervals()
	if (result["whole"] < whole) trouble(result["whole"] + 0 " logs were seen whole, not " whole)
	if (compared_samples < ticks) trouble(compared_samples + 0 " samples were read, not " ticks)
	if (tables_read < tables) trouble(tables_read + 0 " tables were printed, not " tables)
	printf "%d logs seen whole, %d torn, %d empty, %d tables printed: %d spans of %d passes, %d counters, %d calls, %d samples in functions (%d either)\n",
		result["whole"], result["torn"], result["empty"], tables_read, spans, all_passes, compared, sum_calls, sum_samples, either
	for (hart in hart_ticks) nharts++
	printf "%d interrupts sampled on %d harts: %d read, %d lost, %d unread; read at most %d cycles later; a pass begins at most %d cycles after its time\n",
		all_ticks, nharts, compared_samples, all_lost, unread, largest["read"], largest["pass"]
	print wrong ? wrong " WRONG" : "all equal"
	exit wrong != 0
}
