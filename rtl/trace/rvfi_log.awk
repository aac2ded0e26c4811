# SPDX-License-Identifier: Apache-2.0
# Makes lines for `tr-text --encode` of a log of rvfi_log.v or rvfi_log.vhd, of one hart or of
# several whose logs are merged by the cycle:
#
#   awk -f rvfi_log.awk rvfi.log | tr-text --encode -o run.tr
#   sort -nms rvfi0.log rvfi1.log | awk -f rvfi_log.awk | ...
#
# -v width=N: up to N commits of a hart in a cycle. -v lacks=LIST: what the core cannot tell, as
# in the header's cannot_supply: priv, satp, traps, regs. -v has_cause=1: the last column is
# valid. As in trace_sink.sv, ECALL and EBREAK trap in any case.

function begin_log() {
	print "header source=rvfi"
	print "header xlen=" 4 * length($3)
	if (width > 1) print "header commit_width=" width
	if (lacks !~ /regs/) print "header watch=2,4"
	if (lacks) print "header cannot_supply=" lacks
	split("U S ? M", names, " ")
}

function cause_of(insn, mode,  digit) {
	digit = index("0123456789abcdef", substr($12, 1, 1)) - 1
	if (has_cause && digit >= 8) return "interrupt=0x" substr("01234567", digit - 7, 1) substr($12, 2)
	if (has_cause) return "cause=0x" $12
	if (insn == "00000073") return "cause=" 8 + mode
	return "cause=" (is_break(insn) ? 3 : unknown)
}

function is_break(insn) { return insn == "00100073" || insn ~ /^(0000)?9002$/ }

# What came between the previous instruction of the hart and this one, in mode `to`.
function before(h, to,  was) {
	was = now[h]
	if (h in pending) print pending[h] " priv=" to
	else if (h in returns) {
		was = to
		if ($8 && (h, returns[h]) in from) was = from[h, returns[h]]
		print "xret priv=" was
	}
	if ($8 && !(h in pending))
		print "trap " (has_cause ? cause_of("", 0) : "interrupt=" unknown) " priv=" to \
			(next_pc[h] ~ /[1-9a-f]/ ? " epc=0x" next_pc[h] : "")
	else if (!$8 && !(h in pending) && !(h in returns) && to != was) print "priv " to
	if ($8 || h in pending) from[h, to] = was
	delete pending[h]
	delete returns[h]
	now[h] = to
}

BEGIN { unknown = "0x7fffffffffffffff" }
NF != 12 { printf "rvfi_log: line %d: not 12 columns\n", NR > "/dev/stderr"; status = 2; exit }
!begun++ { begin_log() }
{
	h = $2
	to = names[$6 + 1]
	if (!(h in now)) {
		print "hart " h " cycle=" ($1 > 0 ? $1 - 1 : 0) " priv=" to " satp=0x" $11
		now[h] = to
		satp[h] = $11
	} else if (h != last) print "hart " h
	last = h
	before(h, to)
	if ($11 != satp[h]) print "satp 0x" $11
	satp[h] = $11
	next_pc[h] = $4
}
$7 || $5 == "00000073" || is_break($5) {
	pending[h] = "trap " cause_of($5, $6) " epc=0x" $3
	next
}
{
	insn = substr($5, length($5)) ~ /[37bf]/ ? $5 : substr($5, length($5) - 3)
	print "token 0x" $3 " " insn " cycle=" $1
	if (lacks !~ /regs/ && ($9 == 2 || $9 == 4)) print "reg x" $9 " 0x" $10
	if ($5 == "30200073") returns[h] = "M"
	if ($5 == "10200073") returns[h] = "S"
}
END {
	if (!status) for (h in pending) print (h == last ? "" : "hart " h "\n") pending[h] " priv=M"
	if (!status) print "end end=\"end of the log\""
	exit status
}
