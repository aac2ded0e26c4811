# SPDX-License-Identifier: Apache-2.0
# Checks what prof-extract --why says of each function that is not counted, with the GNU tools' view of
# the program alone: awk -f unpatchable.awk, with the output of unpatchable.sh, whose lines begin with what
# they are. Prints how many functions are refused, and lists those for which that is not shown. In brackets
# are those for which it is shown only that the extractor cannot know better.
#
# For `live`, a path must lead from the function's first instruction to the one that is named, on which
# the register is not written. A call ends a path, except of arguments in t2 to t6, and of what a part of a
# function passes to another part. An indirect jump goes where a jump table says whose address its function
# computes, or perhaps to a symbol of its function.
BEGIN { CONVFMT = "%.17g"; OFMT = "%.17g"; two32 = 2 ^ 32; two31 = 2 ^ 31; mega = 2 ^ 20 }

# Numbers. Addresses of 64 bits are signed.
function digits(hex,   i, v) {
	for (i = 1; i <= length(hex); i++) v = 16 * v + index("0123456789abcdef", substr(hex, i, 1)) - 1
	return v + 0
}
function value(hex,   high) {
	sub(/^0x/, "", hex)
	if (length(hex) <= 8) return digits(hex)
	high = digits(substr(hex, 1, length(hex) - 8))
	return (high >= two31 ? high - two32 : high) * two32 + digits(substr(hex, length(hex) - 7))
}
function word_at(at) { return word32(chunk[at]) }
function word32(bytes,   v) {
	v = digits(substr(bytes, 7, 2) substr(bytes, 5, 2) substr(bytes, 3, 2) substr(bytes, 1, 2))
	return v >= two31 ? v - two32 : v
}
function up(v, unit) { return v % unit ? v - v % unit + unit : v }

# --- what the tools print

$1 == "why" { sub(/^why /, ""); why[++whys] = $0; next }
$1 == "start" { program_entry = value($2); next }
$1 == "load" {
	first = value($3); last = value($3) + value($6)
	if (!loads++ || first < bottom) bottom = first - first % 4096
	if (up(last, 4096) > top) top = up(last, 4096)
	next
}
$1 == "movable" { movable = 1; next }
$1 == "symbol" { # value, size, type, name
	at = value($2)
	symbol[at]
	if ($4 == "FUNC" || $4 == "IFUNC") add_function(at, $3 ~ /^0x/ ? value($3) : $3 + 0)
	if ($5 == "__global_pointer$") global_pointer = at
	next
}
$1 == "stripped" { stripped = 1; next }
$1 == "frame" { add_function(value($2), value($3) - value($2)); next }
$1 == "call_sites" { # function, address of .eh_frame, entry in it, bytes of the pointer
	call_sites[value($2)] = value($3) + value($4) + 17 + word32($5)
	next
}
$1 == "relocation" { # place, value of its symbol, addend
	relocated[value($2)] = relocated[value($2)] " " value($3) + value($4)
	next
}
$1 == "data" { # address, bytes
	at = value($2)
	for (i = 3; i <= NF; i++) {
		chunk[at] = $i
		at += 4
	}
	next
}
$1 == "code" { # address, bits, mnemonic, operands
	n++
	address[n] = value($2); insn_at[address[n]] = n
	bits[n] = $3; size[n] = length($3) / 2; name[n] = $4; operands[n] = $5
	next
}
function add_function(at, bytes) {
	if (!(at in function_size)) functions[++nfunctions] = at
	if (bytes > function_size[at] + 0) function_size[at] = bytes
}

# --- instructions

function target_of(n,   part, k) {
	k = split(operands[n], part, ",")
	return value(part[k])
}
function is_branch(n) { return name[n] ~ /^(c\.)?b(eq|ne|lt|ge|ltu|geu|eqz|nez)$/ }
function is_jump(n) { return name[n] == "c.j" || (name[n] == "jal" && operands[n] ~ /^x0,/) }
function is_indirect(n) { return name[n] == "c.jr" || (name[n] == "jalr" && operands[n] ~ /^x0,/) }
function is_call(n) { return name[n] == "c.jalr" || (name[n] ~ /^jalr?$/ && operands[n] !~ /^x0,/) }
function is_known(n) { return !(name[n] == "auipc" && operands[n] ~ /^x0,/) && name[n] !~ /^\./ && name[n] !~ /^([msu]ret|mnret|wfi|sfence|[hv]+fence|[hs]inval|hlvx?|hsv)/ }
function ends_here(n) { return name[n] ~ /^(c\.)?unimp$/ || bits[n] == "0000" || bits[n] == "c0001073" }
# The first operand of these is read, besides the others.
function reads_first(n) {
	return is_branch(n) || is_indirect(n) || name[n] == "c.jalr" || name[n] ~ /^(c\.)?s[bhwd](sp)?$/ ||
		name[n] ~ /^c\.(addi?w?|subw?|andi?|or|xor|slli|srli|srai|mul|not|[zs]ext\..*|addi16sp)$/ || operands[n] ~ /^[-0-9]*\(/
}
function reads(n, reg,   part, k, i) {
	k = split(operands[n], part, ",")
	for (i = reads_first(n) || part[1] !~ /^x/ ? 1 : 2; i <= k; i++) {
		sub(/^.*\(/, "", part[i]); sub(/\).*/, "", part[i])
		if (part[i] == "x" reg) return 1
	}
	return 0
}
function writes(n, reg,   part) {
	if (name[n] == "c.jalr") return reg == 1
	split(operands[n], part, ",")
	return part[1] == "x" reg && !is_branch(n) && !is_indirect(n) && name[n] !~ /^(c\.)?s[bhwd](sp)?$/
}
# The function that has an address, of those within others the outer one; 0 between functions.
function function_of(at,   low, high, middle) {
	low = 0; high = nfunctions
	while (low < high) {
		middle = int((low + high + 1) / 2)
		if (functions[middle] <= at) low = middle; else high = middle - 1
	}
	return low && at < end_of[outer[low]] ? outer[low] : 0
}
# Adds functions of a stripped program that only calls show; both lists are in order.
function add_called(   i, k, merged, count, at, called) {
	for (i = 1; i <= n; i++) if (is_call(i) && name[i] == "jal") called[target_of(i)]
	for (i = k = 1; i <= whys || k <= nfunctions;) {
		at = i <= whys ? value(substr(why[i], 1, index(why[i], " ") - 1)) : functions[k]
		if (k <= nfunctions && functions[k] <= at) {
			i += functions[k] == at && i <= whys
			merged[++count] = functions[k++]
			continue
		}
		if (at in called) { merged[++count] = at; function_size[at] = 0 }
		i++
	}
	nfunctions = count
	for (i in merged) functions[i] = merged[i]
}
# Gives functions without a size that up to the next one, and finds the outer ones.
function nest_functions(   i, start, end, last) {
	for (i = 1; i <= nfunctions; i++) {
		start = functions[i]
		if (!function_size[start] && i < nfunctions) function_size[start] = functions[i + 1] - start
		end = start + function_size[start]
		if (i == 1 || start >= end_of[last]) last = start
		outer[i] = last
		if (end > end_of[last]) end_of[last] = end
	}
}

# --- paths

# Goes on at an address.
function reach(at) {
	if (!(at in insn_at) || insn_at[at] in seen) return
	seen[insn_at[at]]; queue[++queued] = insn_at[at]
}
# Returns whether the instruction at `to` is reached from `from` while `reg` keeps its value.
function has_path(from, to, reg,   q, n, next_at, own) {
	split("", seen); queued = 0
	reach(from)
	for (q = 1; q <= queued; q++) {
		n = queue[q]; next_at = address[n] + size[n]
		if (address[n] == to) return 1
		if (!is_known(n) || ends_here(n)) continue
		if (is_branch(n)) { reach(next_at); reach(target_of(n)) }
		else if (is_jump(n)) reach(target_of(n))
		else if (is_indirect(n)) { if (address[n] in jump_to) reach(jump_to[address[n]]) }
		else if (is_call(n)) {
			if (name[n] != "jal" || operands[n] !~ /^x1,/) continue
			own = function_of(address[n])
			own = own && own == function_of(target_of(n)) && own != target_of(n)
			if (own) reach(next_at)
			if (own || reg >= 7) reach(target_of(n))
		}
		else if (!reg || !writes(n, reg)) reach(next_at)
	}
	return 0
}
# Returns whether an indirect jump has a table with a target, whose address its function computes, or may go to
# a symbol of its function.
function may_go(from, to,   start, k, tables, i, entry) {
	if (!(from in insn_at) || !is_indirect(insn_at[from])) return 0
	start = function_of(from)
	if (!start) return 0
	if (to in symbol && function_of(to) == start) { unknown_ends[current]; return 1 }
	for (k = insn_at[start]; k <= n && address[k] < end_of[start]; k++) {
		if (name[k] !~ /^(c\.)?addi$/) continue
		split(upper_sums(k), tables, " ")
		for (i in tables)
			for (entry = tables[i] + 0; entry in chunk && entry < tables[i] + 4096; entry += 4)
				if (tables[i] + word_at(entry) == to || word_at(entry) == to) return 1
	}
	return 0
}
# The values that an addi may complete, with the upper parts before it.
function upper_sums(n,   part, k, reg, low, at, sums, i, value_of) {
	k = split(operands[n], part, ",")
	reg = part[k - 1]; low = part[k]
	if (k == 2) reg = part[1]
	if (reg == "x3") sums = global_pointer + low
	for (i = n - 1; i > 0 && i > n - 5000; i--) {
		split(operands[i], part, ",")
		if (part[1] != reg) continue
		if (name[i] !~ /^(auipc|lui|c\.lui)$/) continue
		value_of = value(part[2]); if (value_of >= 2 ^ 19) value_of -= 2 ^ 20
		at = value_of * 4096 + (name[i] == "auipc" ? address[i] : 0) + low
		sums = sums " " at
	}
	return sums
}
# Whether a path ends as is told: "read at 0x…" or "unknown behind the … at 0x…", perhaps with jumps.
function is_path(from, reg, text,   part, k, i, at, n) {
	split("", jump_to)
	k = split(text, part, " by the jump from ")
	for (i = 2; i <= k; i++) {
		if (!may_go(value(substr(part[i], 1, index(part[i], " ") - 1)), value(substr(part[i], index(part[i], " to ") + 4))))
			return fails("no jump goes so: " part[i])
		jump_to[value(substr(part[i], 1, index(part[i], " ") - 1))] = value(substr(part[i], index(part[i], " to ") + 4))
	}
	text = part[1]
	if (!match(text, / 0x[0-9a-f]+$/)) return fails("there is no address")
	at = value(substr(text, RSTART + 1)); text = substr(text, 1, RSTART - 1)
	if (!(at in insn_at)) return fails("there is no instruction at that address")
	n = insn_at[at]
	if (!has_path(from, at, reg)) return fails("no path leads there")
	if (text == "at" && !reg) return 1
	if (text == "read at") return reads(n, reg) || fails("the instruction does not read it")
	unknown_ends[current]
	if (text == "unknown behind the instruction at") return !is_known(n) || fails("that instruction is known")
	if (text == "unknown behind the return at") return (is_indirect(n) && operands[n] ~ /x5/) || fails("it is no such return")
	if (text == "unknown behind the call at")
		return (is_call(n) && !writes(n, reg) && (reg == 7 || operands[n] !~ /^x1,/)) || fails("it is no such call")
	if (text == "unknown behind the code at")
		return (is_indirect(n) && reg == 7) || ((is_jump(n) || is_branch(n)) && !(target_of(n) in insn_at)) ||
			(!is_jump(n) && !is_indirect(n) && !(address[n] + size[n] in insn_at)) || fails("code follows there")
	return fails("the end of a path is not understood")
}

# --- reasons

function fails(text) { if (!failure) failure = text; return 0 }

# The bytes that an entry of `jump` bytes replaces; 0 if the function, with the padding behind it, is shorter:
# then `sizes` tells how long it is, and how long it would have to be.
function replaced_bytes(start, jump,   at, bytes, limit, n) {
	limit = start + function_size[start]
	while (limit in insn_at && !(limit in function_size) && limit - start < 10) {
		n = insn_at[limit]
		if (name[n] != "c.nop" && !(bits[n] == "0001") && bits[n] != "00000013") break
		limit += size[n]
	}
	for (at = start; at - start < jump && at < limit && at in insn_at; at += size[insn_at[at]]) ;
	sizes = limit - start " bytes of " (at - start > jump ? at - start : jump)
	return at - start >= jump && at <= limit ? at - start : 0
}
# An instruction among the replaced ones, which is executed.
function is_replaced(start, bytes, wanted,   at) {
	for (at = start; at < start + bytes && at in insn_at; at += size[insn_at[at]]) {
		if (at == wanted) return 1
		if (is_jump(insn_at[at]) || is_indirect(insn_at[at])) return 0
	}
	return 0
}
# "0x… at 0x…": the bits of an instruction, and its address.
function has_bits(text,   part) {
	if (split(text, part, " ") != 3 || part[2] != "at") return fails("there is no instruction")
	wanted = value(part[3])
	if (!(wanted in insn_at)) return fails("no instruction begins there")
	return "0x" bits[insn_at[wanted]] == part[1] || fails("another instruction is there")
}
function is_kind(reason, n) {
	if (reason == "call") return is_call(n)
	if (reason == "ecall") return name[n] == "ecall"
	if (reason == "ebreak") return name[n] ~ /^(c\.)?ebreak$/ || ends_here(n)
	return !is_known(n) || name[n] ~ /^csr/
}
# The next byte of a table of call sites, a number of 7 bits a byte, and one of either of two encodings.
function byte() { reading++; return digits(substr(chunk[reading - 1 - (reading - 1) % 4], 1 + (reading - 1) % 4 * 2, 2)) }
function varint(   b, v, scale) {
	scale = 1
	do { b = byte(); v += b % 128 * scale; scale *= 128 } while (b >= 128 && scale < two32)
	return v
}
function number(encoding,   v) {
	if (encoding == 1) return varint()
	v = byte(); v += byte() * 256; v += byte() * 65536
	return v + byte() * 16777216
}
# Whether a function has a landing pad in its table of call sites.
function has_pad(start, target,   encoding, last, pad) {
	if (!(start in call_sites)) return 0
	reading = call_sites[start]
	if (byte() != 255) return 0
	if (byte() != 255) varint()
	encoding = byte() % 16
	last = varint(); last += reading
	while (reading < last && reading - reading % 4 in chunk) {
		number(encoding); number(encoding)
		pad = number(encoding); varint()
		if (pad && start + pad == target) return 1
	}
	return 0
}
function is_origin(target, text,   part, at, i) {
	at = match(text, / 0x[0-9a-f]+/) ? value(substr(text, RSTART + 1, RLENGTH - 1)) : 0
	if (text == "a symbol") return target in symbol || fails("no symbol is there")
	if (text == "the program's entry") return target == program_entry || fails("the program begins elsewhere")
	if (text ~ /^the instruction at/)
		return (at in insn_at && (is_branch(insn_at[at]) || name[insn_at[at]] ~ /^(c\.j|jal)$/) && target_of(insn_at[at]) == target) ||
			fails("the instruction does not go there")
	if (text ~ /^the relocation of/) return index(relocated[at] " ", " " target " ") || fails("there is no such relocation")
	if (text ~ /^a landing pad of/) return has_pad(at, target) || fails("there is no such landing pad")
	if (text ~ /^the relocation that changes/) return (at in relocated && target >= at && target < at + 8) || fails("there is no such relocation")
	numbers[current]
	if (text ~ /^the word at/) return (at in chunk && word_at(at) == target && word_at(at + 4) == 0) || fails("that word is another")
	if (text ~ /^the address that is computed at/) {
		if (!(at in insn_at)) return fails("there is no instruction")
		split(upper_sums(insn_at[at]), part, " ")
		for (i in part) if (part[i] == target) return 1
		return fails("another address is computed")
	}
	if (text ~ /^the jump table's entry at/) {
		split(text, part, " from ")
		return (at in chunk && value(part[2]) + word_at(at) == target) || fails("the entry says something else")
	}
	return fails("its origin is not understood")
}
function is_far_only(start, text,   part, bytes, place, room, above, below) {
	split(text, part, " ") # as a near stub of N bytes would be at 0x…
	bytes = up(part[6], 4); place = value(part[11])
	sub(/^.* would be /, "", text)
	above = text; below = ""
	if (match(text, / or /)) { above = substr(text, 1, RSTART - 1); below = substr(text, RSTART + 4) }
	if (place < top || place > top + 65536 + stubs_above + 4096) return fails("no stub would be there")
	if (part[12] == "where") {
		if (!is_out_of_reach(start, replaced_bytes(start, 4), above)) return 0
	} else if (place - start <= mega - 256) return fails("a near stub is within reach above")
	if (below) return is_out_of_reach(start, replaced_bytes(start, 4), below)
	room = mega - 256 - 65536
	if (!movable && bottom - 4096 < room) room = bottom - 4096
	if (start - bottom + 65536 + 4096 > mega - 256) return 1
	return stubs_below + bytes > room || fails("a near stub is within reach below")
}
function is_out_of_reach(start, bytes, text,   part, at, target, place) {
	if (split(text, part, " ") != 7) return fails("there is no reference") # at 0x… where 0x… refers to 0x…
	place = value(part[2]); at = value(part[4]); target = value(part[7])
	if (!is_replaced(start, bytes, at) && at != start + bytes) return fails("it is not moved")
	if (at == start + bytes ? target != at : name[insn_at[at]] == "auipc" ? index(" " auipc_of(insn_at[at]) " ", " " target " ") == 0 : target_of(insn_at[at]) != target)
		return fails("it refers to something else")
	if (place >= bottom && place < top) return fails("no stub would be there")
	return target - place < -two31 - 2048 || target - place > two31 - 2049 || fails("it is within reach")
}
function auipc_of(n,   part, upper) {
	split(operands[n], part, ",")
	upper = value(part[2]); if (upper >= 2 ^ 19) upper -= 2 ^ 20
	return address[n] + 4096 * upper
}
# "at 0x…, t1 read at 0x…, t2 …"
function is_without_register(start, bytes, text,   part, i, at, reg) {
	if (split(text, part, ", ") != 7) return fails("there are not six registers")
	at = value(substr(part[1], 4))
	if (at != start + bytes && !(is_moved_target(start, bytes, at))) return fails("nothing jumps there")
	for (i = 1; i <= 6; i++) {
		reg = i < 3 ? i + 5 : i + 25
		if (part[i + 1] !~ "^t" i " ") return fails("t" i " is missing")
		if (!is_path(at, reg, substr(part[i + 1], 4))) return 0
	}
	return 1
}
function is_moved_target(start, bytes, target,   at) {
	for (at = start; at < start + bytes && at in insn_at; at += size[insn_at[at]])
		if ((is_branch(insn_at[at]) || is_jump(insn_at[at])) && target_of(insn_at[at]) == target) return 1
	return 0
}
# Whether a refusal is shown: `text` is what follows the reason.
function is_shown(start, reason, text,   jump, bytes, part, at) {
	jump = 4
	if (text ~ /^for a far entry, /) {
		sub(/^for a far entry, /, "", text)
		jump = 8
		if (!is_far_only(start, substr(text, 1, index(text, ",") - 1))) return 0
	}
	if (!match(text, /: /)) return fails("there is no evidence")
	text = substr(text, RSTART + 2)
	bytes = replaced_bytes(start, jump)
	if (reason == "small") return (!bytes && text == sizes) || fails("it has " sizes)
	if (!bytes) return fails("it is shorter than what is replaced")
	if (reason == "unknown" && has_bits(substr(text, 1, index(text " by ", " by ") - 1)) && !is_replaced(start, bytes, wanted)) {
		sub(/^[^ ]* /, "", text)
		if (!is_path(start, 0, text)) return 0
		return is_kind(reason, insn_at[wanted]) || fails("it is known")
	}
	if (reason ~ /^(call|ecall|ebreak|unknown)$/)
		return has_bits(text) && ((is_replaced(start, bytes, wanted) && is_kind(reason, insn_at[wanted])) || fails("it is not of that kind, or not replaced"))
	if (reason == "target") {
		if (!match(text, /^to 0x[0-9a-f]+, by /)) return fails("there is no target")
		at = value(substr(text, 4, RLENGTH - 8))
		if (at <= start || at >= start + bytes) return fails("the target is not replaced")
		if (!(at in insn_at)) return fails("no instruction begins at the target")
		return is_origin(at, substr(text, RLENGTH + 1))
	}
	if (reason == "overlap") {
		at = value(substr(text, match(text, /0x[0-9a-f]+$/)))
		return (at in function_size && at > start && at < start + jump) || fails("no function begins there")
	}
	if (reason == "live") return text ~ /^t[01] / ? is_path(start, 5 + substr(text, 2, 1), substr(text, 4)) : fails("there is no register")
	if (reason == "reach" && jump == 4) return fails("a near stub may be elsewhere")
	if (reason == "reach") return is_out_of_reach(start, bytes, text)
	if (reason == "register") return is_without_register(start, bytes, text)
	return fails("the reason is not understood")
}

# --- all functions

# Sums up the stubs, whose places begin at multiples of 4, and lists the functions.
function read_lines(   i, text, part) {
	for (i = 1; i <= whys; i++) {
		text = why[i]
		listed[value(substr(text, 1, index(text, " ") - 1))]
		if (match(text, /a stub of [0-9]+ bytes (above|below)/)) {
			split(substr(text, RSTART, RLENGTH), part, " ")
			if (part[6] == "above") stubs_above += up(part[4], 4); else stubs_below += up(part[4], 4)
		}
	}
}
function complain(text) { if (wrong++ < 20) print "unpatchable: " program ": " text }
END {
	if (stripped) add_called()
	nest_functions()
	read_lines()
	for (i = 1; i <= nfunctions; i++) {
		if (functions[i] in insn_at && !(functions[i] in listed)) complain(sprintf("the function at 0x%x is not listed", functions[i]))
	}
	for (i = 1; i <= whys; i++) {
		if (!match(why[i], /: (near|far|call|ecall|ebreak|unknown|target|small|live|reach|register|overlap): /)) { complain("not understood: " why[i]); continue }
		reason = substr(why[i], RSTART + 2, RLENGTH - 4)
		if (reason == "near" || reason == "far") continue
		refused++
		failure = ""; current = i
		if (!is_shown(value(substr(why[i], 1, index(why[i], " ") - 1)), reason, substr(why[i], RSTART + RLENGTH))) complain(failure ": " why[i])
	}
	for (i in unknown_ends) unknown++
	for (i in numbers) number_count++
	note = unknown ? unknown " may pass t0 or t1 to code that is not known" : ""
	if (number_count) note = note (note ? ", " : "") number_count " have a target that may be only a number"
	if (!whys || !n) complain("nothing to check")
	printf "%s: %d refused functions, ", program, refused
	if (wrong) print wrong " things not shown"
	else print "all shown to be unpatchable" (note ? " (" note ")" : "")
	exit wrong > 0
}
