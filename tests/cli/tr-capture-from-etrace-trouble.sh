# SPDX-License-Identifier: Apache-2.0
# E-Trace: parameters of the encoder, packets that are lost, not traced, damaged, cut off or
# of another program.
. "$SRC/tests/cli/tr-capture-from-etrace.inc"
run_model demo 30000 firmware.elf
run_model jumps 1000
grep ^token demo.events | cut -d ' ' -f 2,3 > demo.tokens
tokens() { tr-text --tokens "$1" | awk '$1 == "token" { print $2, $3 }'; }
try() {
	rm -f a.tr
	tr-capture -o a.tr "$@"
	echo "status $?"
	[ ! -e a.tr ] || tr-text a.tr | grep '^end '
}
# Not traced, or lost
for what in pause lost; do
	encode demo $what=500 -- "${context[@]}"
	decode demo
	tokens a.tr | diff demo.tokens - | grep -v '^<'
	tr-text a.tr | grep ^gap
done
# Parameters: in a file, in other forms; the format found by the contents
cat > encoder.scf <<END
# the reference flow's form
[Required Attributes]
arch_p=0
iaddress_lsb_p = 1	; compressed code
context_width_p=64
nocontext_p=0
[Other]
retires_p=1
END
encode demo -- "${context[@]}"
tr-capture --bins demo.lst --encoder encoder.scf -o a.tr trace.etrace
events a.tr | cmp - demo.events && echo 'the same'
tr-text a.tr | grep -E '^header (s|c|p)' | grep -v '^header pg'
encode jumps records=1 -- iaddress_lsb=0
tr-capture --bins jumps.lst -o a.tr trace.etrace
events a.tr | cmp - jumps.events && echo 'the same'
encode jumps --
tr-capture --bins jumps.lst - < trace.etrace # the pipe's format is not looked for
tr-capture --from etrace --bins jumps.lst -o a.tr - < trace.etrace
events a.tr | cmp - jumps.events && echo 'the same'
tr-text a.tr | grep -E '^header (s|c|p)' | grep -v '^header pg'
for bad in cache_size=17 cash_size=1 cache_size= cache_size=x =1 iaddress_width=65 no-such.scf timestamp_width=12 ioptions=all \
	return_stack_size=2,call_counter_size=2 mtvec=0x1g ioptions=full_address+full_address+full_address+full_address+full_address+full_address+full_address+full_address; do
	try --from etrace --bins jumps.lst --encoder "$bad" trace.etrace
done
printf '[a]\ncache_size_p=1\nbpred_size_p=99\n' > bad.scf
try --from etrace --bins jumps.lst --encoder bad.scf trace.etrace
cp "$SRC/tests/cli/data/logs/tracerv.log" .
try --from tracerv --encoder cache_size=1 tracerv.log
try --encoder cache_size=1 jumps.tr
try --from etrace trace.etrace
# The wrong parameters, or program; modes without their sizes
encode jumps implicit_return=1 -- return_stack_size=2
try --from etrace --bins jumps.lst trace.etrace
encode jumps branch_prediction=1 -- bpred_size=2
try --from etrace --bins jumps.lst trace.etrace
encode demo -- "${context[@]}"
try --from etrace --bins demo.lst trace.etrace
try --from etrace --bins jumps.lst --encoder $parameters trace.etrace
try --from etrace --bins firmware.elf --encoder $parameters trace.etrace
encode jumps implicit_exception=1 --
try --from etrace --bins jumps.lst trace.etrace
encode jumps time=1 -- timestamp_width=8
try --from etrace --bins jumps.lst trace.etrace
encode jumps source=200 -- srcid_width=8
try --from etrace --bins jumps.lst --encoder $parameters trace.etrace
# Limits; cut off
encode demo resync=20 -- "${context[@]}"
try --from etrace --bins demo.lst --encoder $parameters --max-instructions 1000 trace.etrace
try --from etrace --bins demo.lst --encoder $parameters --max-cycles 500 trace.etrace
mv trace.etrace whole.etrace
head -c 1003 whole.etrace > trace.etrace
try --from etrace --bins demo.lst --encoder $parameters trace.etrace
# The middle of a trace: packets before the first one of synchronisation
tail -c +700 whole.etrace > trace.etrace
try --from etrace --bins demo.lst --encoder $parameters --skip-bad 10 trace.etrace
tail -n 2000 demo.tokens > last.tokens
tokens a.tr | tail -n 2000 | cmp - last.tokens && echo 'the end is the same'
# A packet with wrong bits: what follows is lost up to the next synchronisation
{ head -c 657 whole.etrace; printf '\275\000\000\002'; tail -c +662 whole.etrace; } > trace.etrace
try --from etrace --bins demo.lst --encoder $parameters trace.etrace
try --from etrace --bins demo.lst --encoder $parameters --skip-bad 10 trace.etrace
tr-text a.tr | grep ^gap
tokens a.tr | tail -n 2000 | cmp - last.tokens && echo 'the end is the same'
crashes=0 size=$(wc -c < whole.etrace)
for form in "$parameters" "$parameters,srcid_width=3,timestamp_width=16" records=1 \
	"$parameters,bpred_size=3,cache_size=3,return_stack_size=2,f0s_width=1,implicit_return=1,branch_prediction=1,jump_target_cache=1,sijump=1"; do
	for ((at = 1; at < size; at += 250)); do
		{ head -c $at whole.etrace; printf '\377\001\200'; tail -c +$((at + 4)) whole.etrace | head -c 2000; } > bad.etrace
		status=0
		tr-capture --from etrace --bins demo.lst --encoder "$form" --skip-bad 99 -o a.tr bad.etrace 2> message || status=$?
		[ $status = 0 ] || [ -s message ] || crashes=$((crashes + 1))
		[ $status -le 2 ] && tr-text a.tr > text || crashes=$((crashes + 1))
	done
done
echo "damaged: $crashes went wrong"
