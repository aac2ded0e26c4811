# SPDX-License-Identifier: Apache-2.0
# Table 5.4 of the thesis, the accuracy of the samples: awk -f thesis-5.4.awk FILE.rows..., with
# PROGRAM-HOW-LENGTH.rows as by thesis-5.4-rows.awk; HOW is gprof, tick, RATE, or RATE-jitter.
#
# Of N samples in functions, a function with the share p of the instructions gets by the binomial
# law Np, with the deviation sqrt(Np(1-p)). Functions with less than 5 are one together.
# Fails if less than 99 % of the functions are within three deviations, or one is not within five;
# if there are less than 40 of them at some rate; if chi-square of a run is less likely than `level`;
# if samples were lost; or if a loop of the tick's length does not show its error, or jitter does not
# mend it. Samples of an own timer without jitter are not judged, only shown: they are not at random.

BEGIN {
	FS = ","
	hz = 3.2e9; tick = 250; few = 5; bound = 3; far = 5
	if (!level) level = 0.001
	if (!functions_least) functions_least = 40
	hz_of["tick"] = tick
	hz_of["gprof"] = 100
	# Function: % by gprof and by theirs, their deviations; the seconds of the program.
	nlines = split("kernels-O2:coremark:12.496:crcu8:31.77:31.07:1.55:.78 kernels-O2:coremark:12.496:core_state_transition:30.05:31.56:1.39:.69 " \
		"kernels-O2:coremark:12.496:core_bench_list:13.85:14.21:1.70:.57 kernels-O2:coremark:12.496:matrix_mul_matrix_bitextract:5.48:5.69:.47:.60 " \
		"minisat:minisat2:29.004:Solver__propagate:74.87:75.02:.89:.52 minisat:minisat2:29.004:Solver__analyze:13.56:13.42:.51:.42 " \
		"minisat:minisat2:29.004:Solver__litRedundant:4.45:4.61:.32:.15 minisat:minisat2:29.004:Solver__cancelUntil:2.85:2.84:.32:.20 " \
		"x264:h264enc:40.774:SetupFastFullPelSearch:33.588:36.108:2.62:1.31 x264:h264enc:40.774:dct_luma:11.168:10.691:.43:.60 " \
		"x264:h264enc:40.774:biari_encode_symbol:7.326:7.294:.67:.48 x264:h264enc:40.774:SetupLargerBlocks:3.828:3.820:.58:.15", published, " ")
}
FNR == 1 {
	run = FILENAME; sub(/.*\//, "", run); sub(/\.rows$/, "", run)
	how = run; sub(/-[0-9]+$/, "", how)
	if (how ~ /-jitter$/) { sub(/-jitter$/, "", how); jitter[run] = "-jitter" }
	program = how; sub(/.*-/, "", how); sub(/-[a-z0-9]+$/, "", program)
	program_of[run] = program; how_of[run] = how
	if (how == "gprof") gprof_run[program] = run
	else runs[++nruns] = run
	other[run] = $3; lost[run] = $4; seconds[run] = $5 / hz
	next
}
# They are called as often as there are calls, in no other program.
how == "gprof" && $1 ~ /^(_mcount|__mcount_internal|mcount|__profil_counter)$/ { own[run] += $4; next }
{
	key = $1 "#" $2
	if (how != "gprof") { keys[run, ++nkeys[run]] = key; truth[run, key] = $3; total[run] += $3 }
	samples[run, key] = $4; nsamples[run] += $4
}

# --- the distribution of chi-square

function log_gamma(x,	i, sum) {
	sum = 1.000000000190015
	for (i = 1; i <= 6; i++) sum += lanczos(i) / (x + i)
	return log(2.5066282746310005 * sum / x) - (x + 5.5) + (x + 0.5) * log(x + 5.5)
}
function lanczos(i) {
	return i == 1 ? 76.18009172947146 : i == 2 ? -86.50532032941677 : i == 3 ? 24.01409824083091 : \
		i == 4 ? -1.231739572450155 : i == 5 ? 0.1208650973866179e-2 : -0.5395239384953e-5
}
# The probability of at least x with so many degrees of freedom.
function chi_square_tail(x, freedom,	a, i, sum, term, b, c, d, h, delta) {
	a = freedom / 2; x /= 2
	if (freedom < 1 || x <= 0) return 1
	if (x < a + 1) {
		sum = term = 1 / a
		for (i = 1; i < 10000 && term > sum * 1e-12; i++) { term *= x / (a + i); sum += term }
		return 1 - sum * exp(-x + a * log(x) - log_gamma(a))
	}
	b = x + 1 - a; c = 1e300; d = 1 / b; h = d
	for (i = 1; i < 10000; i++) {
		b += 2
		d = 1 / (-i * (i - a) * d + b)
		c = b - i * (i - a) / c
		delta = c * d; h *= delta
		if (delta - 1 < 1e-12 && 1 - delta < 1e-12) break
	}
	return exp(-x + a * log(x) - log_gamma(a)) * h
}

# --- one run

# In deviations, of a share among so many samples.
function deviations(found, share, number) { return (found - number * share) / sqrt(number * share * (1 - share)) }
function judge_run(run,	i, key, share, number, z, rest_share, rest, classes, least) {
	number = nsamples[run]
	for (i = 1; i <= nkeys[run]; i++) {
		key = keys[run, i]; share = truth[run, key] / total[run]
		if (number * share < few) { rest_share += share; rest += samples[run, key]; continue }
		z = deviations(samples[run, key], share, number)
		judged[run]++
		if (z <= bound && z >= -bound) within[run]++
		if (z * z > worst[run] * worst[run]) { worst[run] = z; worst_key[run] = key }
		squares[run] += z * z
		chi[run] += (samples[run, key] - number * share) ^ 2 / (number * share)
		classes++
	}
	if (rest_share) { rest_samples[run] = rest; rest_of[run] = rest_share }
	# It is a class if it is large enough; of one that is not, samples are bounded.
	if (number * rest_share >= few) {
		chi[run] += (rest - number * rest_share) ^ 2 / (number * rest_share)
		classes++
	}
	freedom[run] = classes - 1
	tail[run] = chi_square_tail(chi[run], freedom[run])
}
function rate_name(run) { return (how_of[run] == "tick" ? "tick " tick : how_of[run]) jitter[run] }
function is_alternating(run) { return program_of[run] == "alternate" }
function is_regular(run) { return how_of[run] != "tick" && !jitter[run] }

# --- the table of a program at the tick

# The name in C++, without parameters.
function plain_name(key,	name, size) {
	sub(/#1$/, "", key)
	if (key !~ /^_ZN[0-9]/) return key
	for (key = substr(key, 4); match(key, /^[0-9]+/); key = substr(key, RLENGTH + size + 1)) {
		size = substr(key, 1, RLENGTH)
		name = name (name ? "::" : "") substr(key, RLENGTH + 1, size)
	}
	return name (match(key, /[.#].*$/) ? substr(key, RSTART) : "")
}
function sort_keys(run,	i, j, key) {
	for (i = 1; i <= nkeys[run]; i++) {
		key = keys[run, i]
		for (j = i; j > 1 && truth[run, sorted[j - 1]] < truth[run, key]; j--) sorted[j] = sorted[j - 1]
		sorted[j] = key
	}
}
function print_row(run, gprof, name, share, found, found_gprof,	number, part) {
	number = nsamples[run]
	printf "%-46.46s %7.3f %7.3f %7s  %6.3f %+7.3f %+6.2f", name, 100 * share, 100 * found / number, \
		gprof ? sprintf("%.3f", 100 * found_gprof / nsamples[gprof]) : "-", \
		100 * sqrt(share * (1 - share) / number), 100 * (found / number - share), deviations(found, share, number)
	if (gprof) {
		part = nsamples[gprof]
		printf "  %6.3f %+7.3f %+6.2f", 100 * sqrt(share * (1 - share) / part), 100 * (found_gprof / part - share), \
			deviations(found_gprof, share, part)
	}
	print ""
}
function print_program(run,	program, gprof, i, key, share, rest_gprof) {
	program = program_of[run]; gprof = gprof_run[program]
	printf "\n%s: %.2f s, %d samples in functions, %d elsewhere, %d lost", program, seconds[run], nsamples[run], other[run], lost[run]
	if (gprof) printf "; gprof: %d samples in functions, %d in its own, %d elsewhere", nsamples[gprof], own[gprof], other[gprof]
	print ""
	printf "%-46s %7s %7s %7s  %-22s  %s\n", "function", "truth %", "ours %", "gprof %", "deviation of ours", gprof ? "deviation of gprof" : ""
	printf "%-46s %7s %7s %7s  %6s %7s %6s", "", "", "", "", "law", "found", "/ law"
	if (gprof) printf "  %6s %7s %6s", "law", "found", "/ law"
	print ""
	sort_keys(run)
	for (i = 1; i <= nkeys[run]; i++) {
		key = sorted[i]; share = truth[run, key] / total[run]
		if (nsamples[run] * share < few) { rest_gprof += samples[gprof, key]; continue }
		print_row(run, gprof, plain_name(key), share, samples[run, key], samples[gprof, key])
	}
	if (rest_of[run]) print_row(run, gprof, "the others together", rest_of[run], rest_samples[run], rest_gprof)
	print_published(program)
}
function print_published(program,	i, part, title) {
	for (i = 1; i <= nlines; i++) {
		split(published[i], part, ":")
		if (part[1] != program) continue
		if (!title++) printf "published, %s, %s s; found: the deviations of five runs\n", part[2], part[3]
		gsub(/__/, "::", part[4])
		printf "%-46s %7s %7.3f %7.3f  %6.3f %7.3f         %6.3f %7.3f\n", part[4], "", part[6], part[5], \
			100 * sqrt(part[6] / 100 * (1 - part[6] / 100) / (tick * part[3])), part[8], \
			100 * sqrt(part[5] / 100 * (1 - part[5] / 100) / (100 * part[3])), part[7]
	}
}

# --- all runs

function print_title() {
	printf "%-12s %-12s %7s %8s %9s %6s %9s %7s %6s %7s %9s %5s %7s\n", "rate/s", "program", "seconds", "samples", "elsewhere", "lost", \
		"functions", "within", "worst", "rms", "chi2", "free", "p"
}
function print_run(run) {
	printf "%-12s %-12s %7.2f %8d %9d %6d %9d %7d %+6.2f %7.2f %9.2f %5d %7.4f\n", rate_name(run), program_of[run], seconds[run], nsamples[run], \
		other[run], lost[run], judged[run], within[run], worst[run], sqrt(squares[run] / judged[run]), chi[run], freedom[run], tail[run]
	if (lost[run]) fail(run ": " lost[run] " samples are lost")
}
function print_runs(	i, run, rate) {
	print "\nEach run; functions that expect 5 samples, and of them those within 3 deviations of the binomial law"
	print_title()
	for (i = 1; i <= nruns; i++) {
		run = runs[i]
		if (is_alternating(run) || is_regular(run)) continue
		rate = rate_name(run)
		if (!(rate in rate_judged)) rates[++nrates] = rate
		rate_judged[rate] += judged[run]; rate_within[rate] += within[run]
		print_run(run)
		if (tail[run] < level) fail(run ": chi-square has the probability " tail[run])
		if (worst[run] > far || worst[run] < -far) fail(run ": " plain_name(worst_key[run]) " is " worst[run] " deviations away")
	}
	print ""
	for (i = 1; i <= nrates; i++) {
		rate = rates[i]
		printf "%s: %d of %d functions within 3 deviations\n", rate, rate_within[rate], rate_judged[rate]
		if (rate_judged[rate] < functions_least) fail(rate ": less than " functions_least " functions")
		sum += rate_judged[rate]; sum_within += rate_within[rate]
	}
	if (!sum) fail("no runs")
	else printf "all: %d of %d, %.2f %%\n", sum_within, sum, 100 * sum_within / sum
	if (sum_within < 0.99 * sum) fail("less than 99 % of the functions are within 3 deviations")
}
function print_aliases(	i, run, early, late, share, z, title) {
	for (i = 1; i <= nruns; i++) {
		run = runs[i]
		if (!is_alternating(run)) continue
		if (!title++) {
			print "\nAliasing: two functions take turns within each 4 ms, the length of a tick"
			printf "%-12s %8s %10s %10s %10s %10s %10s\n", "rate/s", "samples", "early: true", "found %", "late: true", "found %", "deviations"
		}
		early = "work_early#1"; late = "work_late#1"
		share = truth[run, early] / total[run]
		z = deviations(samples[run, early], share, nsamples[run])
		printf "%-12s %8d %11.3f %10.3f %10.3f %10.3f %+10.2f\n", rate_name(run), nsamples[run], 100 * share, 100 * samples[run, early] / nsamples[run], \
			100 * truth[run, late] / total[run], 100 * samples[run, late] / nsamples[run], z
		if (jitter[run] && (z > bound || z < -bound)) fail(run ": jitter does not mend it")
		if (!jitter[run] && z <= bound && z >= -bound) fail(run ": no error is shown")
	}
}
# Programs that repeat the same work.
function print_regular(	i, run, title) {
	for (i = 1; i <= nruns; i++) {
		run = runs[i]
		if (is_alternating(run) || !is_regular(run)) continue
		if (!title++) {
			print "\nAliasing in a program that repeats the same work: above with jitter, here without"
			print_title()
		}
		print_run(run)
	}
}
function fail(what) { print "thesis: " what > "/dev/stderr"; wrong = 1 }
END {
	print "Samples of each function, per process, and the truth: its instructions in the same run. Deviations in % of the samples: by"
	print "the binomial law, found (the difference from the truth), and this as a multiple of the former"
	for (r = 1; r <= nruns; r++) {
		judge_run(runs[r])
		if (how_of[runs[r]] == "tick" && !is_alternating(runs[r])) print_program(runs[r])
	}
	print_runs()
	print_aliases()
	print_regular()
	exit wrong
}
