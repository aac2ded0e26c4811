# SPDX-License-Identifier: Apache-2.0
# Processes and threads with numbers, as probes tell them: a name stands for all of them, or has
# the number of one.
. "$SRC/tests/cli/tr-unwind.inc"
sed 's/^header watch=4/&\nheader probe.0=fork\nheader probe.0.fields=task,pid,tgid,comm/
	s/^row start$/probe 0 | task=0xffffffff80001000 pid=+7 tgid=+7 comm=string:"sh"\n&/
	s/^row handler/probe 0 | task=0xffffffff80001000 pid=+9 tgid=+8 comm=string:"ls"\n&/' run.txt |
	tr-text --encode -o tasks.tr
for by in process thread; do
	tr-unwind tasks.tr | tr-fold --by $by | awk -v by=$by '{ sum[substr($0, 1, index($0, ";") - 1)] += $NF }
		END { for (label in sum) print by, label, sum[label] }' | sort
	for name in sh 'sh[7]' ls 'ls[9]' s 'sh[' 'sh[8]'; do
		echo "--$by $name: $(tr-annotate --$by "$name" --all --format csv tasks.tr 2>&1 | sed 's/"[^"]*"//g' |
			awk -F, '/^tr-annotate.*none/ { print } /^binary,/ { for (i = 1; i <= NF; i++) if ($i == "cycles") at = i; next }
				at { sum += $at } END { if (at) print sum + 0, "cycles" }')"
	done
done
