# SPDX-License-Identifier: Apache-2.0
# rows.awk -v cores=CORE[,CORE] FILE: checks a log of pipelines for Konata against
# docs/kanata-log-format.md of that, and that each instruction passes the stages of the core of its
# hart in their order, one after the other. Prints a row for each, in the order of their beginnings:
#
#     hart pc retired|flushed cycle F@cycle D@cycle ...      the end, and where each stage begins
#
# and, with the number of a row from 0, the dependencies: "wait consumer producer cycle".
BEGIN {
	FS = "\t"
	if (split(cores, core, ",") == 1) core[2] = core[1]
	allow("inorder", "-D -X -M DX XM", "M")
	allow("ooo", "-F -D -R -X -M -C FD DR RX XM XC MX MR MC", "XMC")
}
# Which stages follow each other; - is the beginning. In which an instruction may retire.
function allow(name, pairs, ends, list, i) {
	split(pairs, list, " ")
	for (i in list) follows[name, list[i]]
	retires_in[name] = ends
}
function fail(what) {
	if (!failed) printf "%s: line %d: %s: %s\n", FILENAME, FNR, what, $0 > "/dev/stderr"
	failed = 1
	exit 1
}
function is_number(text) { return text ~ /^(0|[1-9][0-9]*)$/ }
function need_live() { if (!is_number($2) || !($2 in stage)) fail("no instruction in flight") }
FNR == 1 { if ($0 != "Kanata\t0004") fail("no header"); next }
FNR == 2 { if ($1 != "C=" || NF != 2 || !is_number($2)) fail("no cycle"); now = $2; next }
$1 == "C" {
	if (NF != 2 || !is_number($2) || $2 == 0) fail("not a number of cycles")
	now += $2
	next
}
$1 == "I" {
	if (NF != 4 || $2 != begun + 0 || !is_number($3) || $4 !~ /^[01]$/) fail("not the next instruction")
	stage[$2] = "-"
	hart[$2] = $4
	begun++
	next
}
$1 == "L" {
	need_live()
	if (NF != 4) fail("columns")
	if ($3 == 1) { notes[$2] = notes[$2] $4; next }
	if ($3 != 0 || $2 in pc || $4 !~ /^[0-9a-f]+: [0-9a-f]+$/ || length($4) - index($4, ":") !~ /^[59]$/) fail("not its name")
	pc[$2] = substr($4, 1, index($4, ":") - 1)
	next
}
$1 == "S" {
	need_live()
	if (NF != 4 || $3 != 0) fail("not lane 0")
	if (!((core[hart[$2] + 1], stage[$2] $4) in follows)) fail("a stage that does not follow " stage[$2])
	if (stage[$2] != "-" && now <= entered[$2]) fail("a stage of no cycle")
	if ($4 == "C") result[$2] = now
	if ($4 == "R" && !($2 in renamed)) renamed[$2] = now
	stage[$2] = $4
	entered[$2] = now
	stages[$2] = stages[$2] " " $4 "@" now
	next
}
$1 == "W" {
	need_live()
	if (NF != 4 || !is_number($3) || $3 >= $2 || hart[$3] != hart[$2] || $4 != 0) fail("not an older instruction")
	if (stage[$2] != "X" || entered[$2] != now) fail("a dependency that is not one of its issue")
	if ($3 in result && result[$3] <= renamed[$2]) fail("it did not wait for that in the window")
	waits[nwaits++] = "wait " $2 " " $3 " " now
	next
}
$1 == "R" {
	need_live()
	if (NF != 4 || $4 !~ /^[01]$/) fail("neither retired nor flushed")
	if (!($2 in pc) || stage[$2] == "-" || now <= entered[$2]) fail("without a name or a stage")
	if ($4 == 0 && $3 != retired++) fail("not the next that retires")
	if ($4 == 0 && $2 < last[hart[$2]]) fail("an older one than the last that retired")
	if ($4 == 0 && index(retires_in[core[hart[$2] + 1]], stage[$2]) == 0) fail("it retires from another stage")
	if ($4 == 0) last[hart[$2]] = $2
	end[$2] = ($4 ? "flushed " : "retired ") now
	delete stage[$2]
	next
}
{ fail("no such command") }
END {
	if (failed) exit 1
	for (i in stage) { print FILENAME ": " i " neither retires nor is flushed" > "/dev/stderr"; exit 1 }
	for (i = 0; i < begun; i++) print hart[i] " " pc[i] " " end[i] stages[i] (notes[i] != "" ? " # " notes[i] : "")
	for (i = 0; i < nwaits; i++) print waits[i]
}
