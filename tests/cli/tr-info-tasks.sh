# SPDX-License-Identifier: Apache-2.0
# The spaces of a matched stream are called by the processes that probes tell of.
. "$SRC/tests/cli/tr-unwind.inc"
probes='s/^header watch=4/&\nheader probe.0=fork\nheader probe.0.fields=task,pid,tgid,comm/
	s/^row handler/probe 0 | task=0xffffffff80001000 pid=+9 tgid=+8 comm=string:"ls"\n&/'
places() { tr-text --encode | tr-info | grep -A2 '^ *priv  *space' | cut -c 1-24; }
places < run.txt
sed "$probes" run.txt | places
sed "$probes; s/\"ls\"/\"\"/" run.txt | places
sed "$probes; s/task=0x[0-9a-f]*/task=missing/" run.txt | places
