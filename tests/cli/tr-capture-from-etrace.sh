# SPDX-License-Identifier: Apache-2.0
# E-Trace's packets: instructions, traps and address spaces are those of the trace that they
# were made from, in all modes and forms of a packet, as are the stacks.
. "$SRC/tests/cli/tr-capture-from-etrace.inc"
run_model demo 40000 firmware.elf
run_model jumps 1000
same() {
	encode "$@"
	decode $1
	events a.tr | cmp - $1.events && echo "$*: $(grep -c ^token $1.events) instructions, $(wc -c < trace.etrace) bytes"
}
same demo -- "${context[@]}"
same demo full_address=1 -- "${context[@]}"
same demo ecalls=1 -- "${context[@]}"
same demo resync=1 -- "${context[@]}"
same demo resync=20 notify=17 nulls=9 -- "${context[@]}" ecause_width=6 privilege_width=3
same demo -- "${context[@]}" iaddress_width=39
same demo branch_prediction=1 -- "${context[@]}" bpred_size=6
same demo implicit_return=1 branch_prediction=1 jump_target_cache=1 resync=30 notify=50 -- "${context[@]}" \
	return_stack_size=3 bpred_size=8 cache_size=4 f0s_width=1
same demo implicit_return=1 -- "${context[@]}" call_counter_size=9
stacks() {
	tr-match --bins demo.lst "$1" 2> /dev/null | tr-unwind 2> /dev/null | tr-fold
}
tr-text demo.tr | grep -v '^header watch\|^ *reg ' | tr-text --encode -o nosp.tr -
stacks nosp.tr > own.stacks
stacks a.tr | cmp - own.stacks && echo "$(wc -l < own.stacks) stacks"
for modes in '' ecalls=1 resync=1 notify=1 notify=3 'resync=3 notify=2'; do
	same jumps $modes --
	same jumps $modes -- sijump=1
	same jumps $modes implicit_return=1 -- return_stack_size=2
	same jumps $modes jump_target_cache=1 -- cache_size=3
	same jumps $modes branch_prediction=1 -- bpred_size=3
done
# The trace ends anywhere, also where an address was reached by a jump.
cp jumps.txt whole.txt
for ((count = 256; count < 286; count++)); do
	awk -v count=$count '/^token/ && taken++ == count { exit } { print }' whole.txt > jumps.txt
	encode jumps --
	decode jumps
	tr-text --tokens a.tr | awk '$1 == "token" { print $2, $3 }' > got
	awk '$1 == "token" { print $2, $3 }' jumps.txt | cmp - got || echo "after $count"
done
mv whole.txt jumps.txt
# Handlers at known places
encode demo implicit_exception=1 -- "${context[@]}"
parameters+=,$(nm firmware.elf | sed -n 's/^\(.*\) T trap_entry$/mtvec=0x\1/p')
parameters+=,$(nm supervisor.elf | sed -n 's/^\(.*\) [Tt] trap_entry$/stvec=0x\1/p')
decode demo
events a.tr | cmp - demo.events && echo 'implicit exceptions: the same'
# Forms of a packet: sources and types, times, records
same demo source=5 -- "${context[@]}" srcid_width=6 type_width=2 inst_type=2
tr-text a.tr | grep -m 1 '^hart'
soc-sim --max-instructions 10000 --trace jumps.tr jumps.elf < /dev/null > console.txt
tr-text --tokens jumps.tr > jumps.txt
events jumps.tr | grep ^token | sed 's/ cycles=.*//' > jumps.tokens
for form in 'time=1 source=2 -- srcid_width=4 timestamp_width=40' 'time=1 -- timestamp_width=16' \
	'-- notime=0 time_width=32' 'records=1 time=1 -- iaddress_lsb=0' 'records=1 -- iaddress_lsb=0' 'records=1 resync=5 -- iaddress_lsb=0'; do
	encode jumps $form
	[[ $form = records* ]] && parameters=records=1 # and all that follows from it
	decode jumps
	events a.tr | grep ^token | sed 's/ cycles=.*//' | cmp - jumps.tokens && echo "$form: the same"
	tr-text a.tr | grep '^header precision'
	tr-text --tokens a.tr | awk '/^token/ { last = $0 } END { print last }'
done
tail -n 20 jumps.txt | awk '/^token/ { last = $0 } END { print last }'
# Two harts
encode demo source=1 -- "${context[@]}" srcid_width=8
mv trace.etrace 1.etrace
encode demo source=3 -- "${context[@]}" srcid_width=8
cat 1.etrace >> trace.etrace
decode demo
tr-text --tokens a.tr | awk '/^token/ { count[$5]++ } END { for (hart in count) print hart, count[hart] }' | sort
