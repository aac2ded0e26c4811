# SPDX-License-Identifier: Apache-2.0
# Probes on a run of the hardware, checked against what the run did.
target=$SRC/build/target
programs=("$target/firmware.elf" "$target/hello.elf")
soc-sim --trace run.tr "${programs[@]}" > console

# The firmware's uart_put gets what the console shows.
tr-replay --probe 'put: firmware:uart_put { byte = arg0 }' run.tr "${programs[@]}" > put.txt
awk '{ sub(/.*byte=/, ""); printf "%c", $0 + 0 }' put.txt | cmp - console && echo 'the bytes of the console'
# In the order of time, at commits of the trace.
tr-text --tokens run.tr | awk '
	NR == FNR { wanted[$1]; next }
	/^token/ { match($0, / cycle=[0-9]+/); c = substr($0, RSTART + 7, RLENGTH - 7); if (c in wanted) n++ }
	END { print n + 0 }' put.txt - | cmp - <(cut -d' ' -f1 put.txt | sort -u | wc -l) && echo 'at its commits'
sort -nc put.txt && echo 'in order'

# Results agree with arguments; each call returns.
cat > kernel.probes << END
# Lengths, and pages.
length: hello:strlen:return { s = str(arg0); n = retval }
entered: hello:strlen { s = str(arg0) }
page: hello:page_alloc:return { address = retval }
END
tr-replay --probes kernel.probes -o hits.txt run.tr "${programs[@]}"
awk '$4 == "length" { match($0, /s=".*" n=/); s = substr($0, RSTART + 3, RLENGTH - 7); sub(/.* n=/, ""); if (length(s) == $0) good++; else print "wrong: " s, $0; n++ }
	END { print (n == good), (n > 0) }' hits.txt
awk '$4 == "length" { r++ } $4 == "entered" { e++ } END { print r == e }' hits.txt
awk '$4 == "page" { sub(/.*address=/, ""); print }' hits.txt | sort | uniq -d | wc -l

# A filter; several probes; -v; machines of the model.
tr-replay --probe 'put: firmware:uart_put / arg0 == 10 / { byte = arg0 }' --probe 'off: firmware:power { a = arg0 }' \
	-v run.tr "${programs[@]}" 2> summary | awk '{ print $4 }' | sort | uniq -c | sed 's/^ *//'
sed 's/[0-9][0-9]*/N/g' summary

tr-replay --probe 'x: firmware:uart_putt { }' run.tr "${programs[@]}"
tr-replay --probe 'x: vmlinux:do_exit { a = arg0 }' run.tr "${programs[@]}"
tr-replay --probe 'x firmware' run.tr "${programs[@]}"
tr-replay --probes absent.probes run.tr "${programs[@]}"
tr-replay --probe 'put: firmware:uart_put { byte = arg0 }' run.tr "${programs[@]}" > /dev/full

# --at: the place is the trace's, and so is sp where the trace reports it.
tr-text --tokens run.tr > tokens.txt
for at in 1 1000 77777 200000 400000; do
	tr-replay --at $at run.tr "${programs[@]}" > look.txt
	awk -v at=$at '/^token/ { match($0, / cycle=[0-9]+/); c = substr($0, RSTART + 7, RLENGTH - 7) + 0; if (c >= at) { print c, $2; exit } }' tokens.txt |
		cmp - <(sed -n '1s/cycle \([0-9]*\),.* pc \(0x[0-9a-f]*\).*/\1 \2/p' look.txt) && echo "the place of cycle $at"
done
awk '/^token/ { match($0, / cycle=[0-9]+/); c = substr($0, RSTART + 7, RLENGTH - 7) + 0 } /^reg x2/ && c > 50000 { print c + 1, $3; exit }' tokens.txt > sp.txt
read -r at sp < sp.txt
tr-replay --at "$at" run.tr "${programs[@]}" | grep -o "sp  0x[0-9a-f]*" | grep -q "${sp#0x}" && echo 'the sp of the trace'
# Entered with its argument; without debug information of that place.
entry=$(awk '$4 == "entered" { print $1; exit }' hits.txt)
tr-replay --at "$entry" --print 'str((char *)reg("a0"))' --print 'sizeof(long)' run.tr "${programs[@]}" | sed '1s/.* \(strlen.*\)/\1/'
tr-replay --at "$entry" --print 'arg7' run.tr "${programs[@]}" | wc -l
tr-replay --at "$entry" --print 't' run.tr "${programs[@]}" | wc -l
# A variable of the kernel, in user mode, in the kernel, and in the firmware that it called.
for mode in U S M; do
	cycle=$(awk -v mode=" priv=$mode " '/^token/ && index($0 " ", mode) { match($0, / cycle=[0-9]+/); c = substr($0, RSTART + 7, RLENGTH - 7) } END { print c }' tokens.txt)
	echo "$mode: $(tr-replay --at "$cycle" --print last_pid run.tr "${programs[@]}" | tail -n 1)"
done
tr-replay --at 999999999 run.tr "${programs[@]}"
tr-replay --at 5 --hart 1 run.tr "${programs[@]}"
timeout 60 tr-replay --gdb 0 --hart 1 run.tr "${programs[@]}"
tr-replay --hart 0 run.tr "${programs[@]}"
tr-replay --at 5 --hart 4294967296 run.tr "${programs[@]}"
tr-replay --at 5 --print '1; }' run.tr "${programs[@]}" > /dev/null || echo "exit $?"
tr-replay --print 'arg0' run.tr "${programs[@]}"
tr-replay --at 5 --probe 'x: firmware:power { }' run.tr "${programs[@]}"
