# SPDX-License-Identifier: Apache-2.0
# Writes a random run as the text of a stream: harts that commit up to W instructions in a
# cycle, with a class for each lost slot, traps, gaps and several frames. The code is that
# of tr-slots.sh. Variables: width, harts, cycles, seed; commits: only instructions.

# The same in every awk.
function random() {
	state = state * 16807 % 2147483647
	return state / 2147483647
}
function pick(n) { return int(random() * n) }

function reset_runs(h) { runs[h] = ""; last_class[h] = 0; last_count[h] = 0 }

function lose(h, class, n) {
	if (!n) return
	if (class != last_class[h]) {
		if (last_count[h]) runs[h] = runs[h] "/" last_class[h] "*" last_count[h]
		last_class[h] = class
		last_count[h] = 0
	}
	last_count[h] += n
}

# Returns the cycles since the last commit, trap or gap, and the classes since then.
function take_time(h,    text) {
	text = now[h] - last[h]
	if (last_count[h]) runs[h] = runs[h] "/" last_class[h] "*" last_count[h]
	text = text runs[h]
	last[h] = now[h]
	reset_runs(h)
	return text
}

function say(h, line) {
	if (h != told) print "hart " h
	told = h
	print line
}

function bits_of(pc,    i) {
	i = (pc % 256) / 4
	if (pc >= 66560 && i == 3) return "30200073"
	if (pc < 66560 && i == 5) return "00050463"
	if (pc < 66560 && i == 6) return "000280e7"
	if (pc < 66560 && i == 15) return "00008067"
	return sprintf("%03x00013", (pc - 65536) / 4)
}

# Commits the next instruction of a hart, and finds the one that follows.
function commit(h,    pc, i) {
	pc = at[h]
	i = (pc % 256) / 4
	say(h, sprintf("token 0x%x %s cycles=%s", pc, bits_of(pc), take_time(h)))
	at[h] = pc + 4
	if (pc >= 66560) {
		if (i == 3) { say(h, "xret priv=U"); at[h] = resume[h]; handles[h] = 0 }
	} else if (i == 5 && (depth[h] > 5 || random() < 0.6)) {
		at[h] = pc + 8
	} else if (i == 6) {
		back[h, ++depth[h]] = pc + 4
		at[h] = 65536 + 256 * pick(4)
	} else if (i == 15) {
		at[h] = depth[h] ? back[h, depth[h]--] : 65536
	}
}

# Returns true if the next instruction is amid those that no other place has, so that what is
# cut off here is still found in the binary.
function is_amid(h,    i) {
	i = (at[h] % 256) / 4
	return at[h] < 66560 && i > 8 && i < 13
}
function all_amid(    h, all) {
	all = 1
	for (h = 0; h < harts; h++) all = all && is_amid(h)
	return all
}

function trap(h) {
	say(h, sprintf("trap cause=4 priv=M epc=0x%x cycles=%s", at[h], take_time(h)))
	resume[h] = at[h]
	at[h] = 66560
	handles[h] = 1
}

# One cycle, from now[h] on.
function step(h,    k, n) {
	now[h]++
	if (stall[h] > 0) {
		lose(h, stall_class[h], width)
		if (--stall[h] == 0 && is_amid(h) && random() < 0.4 && !commits) trap(h)
		return
	}
	n = 1 + pick(width)
	for (k = 0; k < n; k++) {
		commit(h)
		if (random() < 0.04) break
	}
	k = k < n ? k + 1 : n
	if (is_amid(h) && random() < 0.2 && !commits) {
		n = 1 + pick(9)
		reset_runs(h)
		say(h, "gap reason=lost cycles=" n)
		now[h] += n
		last[h] = now[h]
		# Then an instruction commits in the gap's last cycle.
		if (width > 1 && random() < 0.5) { commit(h); lose(h, 1, pick(2)) }
		return
	}
	lose(h, 1 + pick(4), width - k)
	if (is_amid(h) && random() < 0.2 && !commits) { trap(h); return }
	if (random() < 0.3) {
		stall[h] = 1 + pick(6)
		stall_class[h] = 1 + pick(5)
	}
}

BEGIN {
	state = 1 + seed * 7919
	print "header xlen=64"
	print "header harts=" harts
	if (width > 1) print "header commit_width=" width
	print "header classes=frontend.fetch,memory.l2,core.div,badspec.branch,idle.wfi"
	told = -1
	for (h = 0; h < harts; h++) {
		print "hart " h " priv=U satp=0x8000000000000001"
		told = h
		at[h] = 65536
		now[h] = last[h] = 0
	}
	for (t = 0; t < cycles; t += 50) {
		for (h = 0; h < harts; h++)
			while (now[h] < t + 50) step(h)
		if (all_amid()) print "frame"
	}
	for (h = 0; h < harts; h++) {
		now[h]++
		for (k = 1 + pick(width); k > 0; k--) commit(h)
	}
	print "end end=limit"
}
