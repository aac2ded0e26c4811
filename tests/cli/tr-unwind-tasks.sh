# SPDX-License-Identifier: Apache-2.0
# Tasks that probes tell of: the stacks are the same but for the numbers of threads, and a
# tp that is used again is a thread of its own.
. "$SRC/tests/cli/tr-unwind.inc"
sed 's/^header watch=4/&\nheader probe.0=fork\nheader probe.0.fields=task,pid,tgid,comm/
	s/^row start$/probe 0 | task=0xffffffff80001000 pid=+7 tgid=+7 comm=string:"sh"\n&/
	s/^row handler/probe 0 | task=0xffffffff80001000 pid=+9 tgid=+8 comm=string:"ls"\n&/' run.txt |
	tr-text --encode -o tasks.tr
tr-text tasks.tr | grep -A1 ^probe
tr-text --encode run.txt | tr-unwind --no-provenance | tr-text > without
tr-unwind --no-provenance tasks.tr | tr-text > with
grep '^thread\|^task\|^use\|^srow\|^scontext' with
without_threads() { sed '/^thread\|^header\|^probe\|^task\|^use/d; s/^\(srow n[0-9]*\) t[0-9]*/\1/' "$1"; }
without_threads with | cmp - <(without_threads without) && echo 'the same stacks'
tr-text tasks.tr | sed 's/task=0xffffffff80001000/task=missing/; /^end [ic]/d' | tr-text --encode |
	tr-unwind | tr-text | grep '^task\|^use' || echo 'no tasks'
head -c 400 tasks.tr | tr-unwind > /dev/null
