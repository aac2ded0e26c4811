# SPDX-License-Identifier: Apache-2.0
# The hits of probes on a program and its descendants in a short form, for tests/cli: awk
# -v root=PID -f perturb-hits.awk SYSCALLS, which tr-replay wrote. Other tasks are 0.
#     s CYCLE PREV TGID STATE NEXT TGID    a switch
#     c CYCLE PID TGID NUMBER FUNCTION     a system call
#     r CYCLE PID RESULT KILLED            its result
#     f CYCLE PID TGID PPID PARENT         a fork
#     x CYCLE PID TGID NAME ARGUMENTS      an exec
#     e CYCLE PID CODE                     an exit
function field(name) { return match($0, " " name "=(\"[^\"]*\"|[^ ]+)") ? substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 2) : "" }
function ours(name,	pid) { pid = field(name); return pid in kin ? pid : 0 }
BEGIN { kin[root] }
$4 == "fork" {
	if (field("parent") in kin) kin[field("pid")]
	if (field("pid") in kin) print "f", $1, field("pid"), field("tgid"), ours("ppid"), ours("parent")
}
$4 == "switch" && ours("prev") + ours("next") {
	print "s", $1, ours("prev"), ours("prev") ? field("prev_tgid") : 0, field("prev_state"), ours("next"), ours("next") ? field("next_tgid") : 0
}
$4 == "syscall" && field("pid") in kin { print "c", $1, field("pid"), field("tgid"), field("number"), field("function") }
$4 == "syscall_result" && field("pid") in kin { print "r", $1, field("pid"), field("result"), field("killed") }
$4 == "exec" && field("pid") in kin { print "x", $1, field("pid"), field("tgid"), field("comm"), field("argv") }
$4 == "exit" && field("pid") in kin { print "e", $1, field("pid"), field("code") }
