# SPDX-License-Identifier: Apache-2.0
# TACIT's packets: the instructions and the cycles of each stack are those of the trace that
# they were made from, in both modes, and without privileges; what is missing is told.
target=$SRC/build/target
for image in firmware supervisor demo; do cp "$target/$image.elf" .; done
printf '%s\n' 'firmware.elf firmware' 'supervisor.elf kernel' > system.lst
sed "s,^,$target/," "$target/bins.lst" | grep -v 'firmware\|supervisor' | cat system.lst - > bins.lst
soc-sim --max-instructions 60000 --trace own.tr firmware.elf demo.elf < /dev/null > console.txt
tr-text --tokens own.tr > own.txt
encode() { perl "$SRC/tests/cli/data/logs/tacit.pl" "$@" < own.txt; }
tokens() { tr-text --tokens "$1" | awk '$1 == "token" { print $2, $3 }'; }
# Interrupts and exceptions have no causes in TACIT, but that of ecall. Time begins with the
# first commit.
stacks() {
	tr-match --bins bins.lst "$1" 2> /dev/null | tr-unwind 2> /dev/null | tr-fold |
		sed -E 's/\[(timer|external|software) interrupt\]/[interrupt]/g; s/\[[a-z]+ (page )?fault\]/[trap]/g' |
		awk '{ cycles = $NF; sub(/ [0-9]+$/, ""); sum[$0] += cycles }
			END { for (stack in sum) print stack, stack == "firmware;_start" ? "-" : sum[stack] }' | sort
}
tokens own.tr > own.tokens
tr-text own.tr | grep -v '^header watch\|^ *reg ' | tr-text --encode -o nosp.tr -
stacks nosp.tr > own.stacks
for mode in '' sync '2 sync' old; do
	encode $mode > trace.tacit
	tr-capture --from tacit --bins bins.lst -o a.tr trace.tacit
	if [ "$mode" = old ]; then # two programs at the same addresses may be mixed up
		cmp <(tokens a.tr | head -20000) <(head -20000 own.tokens) && echo "mode $mode"
	else
		tokens a.tr | cmp - own.tokens && echo "mode $mode: $(wc -l < own.tokens) instructions"
	fi
	tr-text a.tr | awk '$1 == "satp" { satps++ } $1 == "trap" { sub(/.*cycles=/, ""); cycles += $1 }
		/^end cycles/ { print $2 ", " cycles " of them in traps, " satps + 0 " writes of satp" }'
	case $mode in
	2*) stacks a.tr | sed 's/ [^ ]*$//' | cmp - <(sed 's/ [^ ]*$//' own.stacks) ;;
	old) ;;
	*) stacks a.tr | cmp - own.stacks ;;
	esac
done
tr-text a.tr | grep -E '^header (s|c)'
encode pause > pause.tacit
tr-capture --bins bins.lst -o a.tr pause.tacit # found by its contents
tr-text --tokens a.tr | grep -E '^(header (s|c)|gap|end)'
encode > trace.tacit
try() {
	rm -f a.tr
	tr-capture -o a.tr "$@"
	echo "status $?"
	[ ! -e a.tr ] || tr-text a.tr | grep '^end '
}
try trace.tacit --from tacit
try --bins demo.elf --from tracerv trace.tacit
try --bins system.lst trace.tacit
try --bins no-such.elf trace.tacit
try --bins demo.elf own.tr
try --bins demo.elf -- true
printf '%s\n' 'other.elf firmware' 'supervisor.elf kernel' > other.lst
cp "$target/firmware-smp.elf" other.elf # another build
try --bins other.lst trace.tacit
try --bins other.lst --skip-bad 100k trace.tacit 2> skipped
cut -c 1-60 skipped
tail -c +2 trace.tacit > late.tacit
try --bins bins.lst --from tacit late.tacit
head -c 9001 trace.tacit > cut.tacit
try --bins bins.lst cut.tacit
try --bins bins.lst --max-instructions 1000 trace.tacit
try --bins bins.lst --max-cycles 30000 trace.tacit
crashes=0
for ((at = 1; at < 12000; at += 400)); do
	{ head -c $at trace.tacit; printf '\377'; tail -c +$((at + 2)) trace.tacit | head -c 2000; } > bad.tacit
	status=0
	tr-capture --from tacit --bins bins.lst --skip-bad 99 -o a.tr bad.tacit 2> message || status=$?
	[ $status = 0 ] || [ -s message ] || crashes=$((crashes + 1))
	[ $status -le 2 ] && tr-text a.tr > text || crashes=$((crashes + 1))
done
echo "damaged: $crashes went wrong"
# Another address space runs after a pause.
printf '.option norvc\n.globl _start\n_start: .rept 29\nnop\n.endr\nj _start\n' |
	riscv64-unknown-elf-gcc -march=rv64i -mabi=lp64 -nostdlib -x assembler - -Wl,-Ttext=0x10000 -o loop.elf
{
	printf '%s\n' 'hart 0 cycle=0 priv=U satp=0x5'
	awk 'BEGIN {
		for (i = 0; i < 2100; i++) {
			if (i == 1500) print "satp 0x7"
			printf "token 0x%x %s cycle=%d priv=U\n", 65536 + 4 * (i % 30), i % 30 == 29 ? "f8dff06f" : "00000013", i + 1
		}
	}'
} | perl "$SRC/tests/cli/data/logs/tacit.pl" pause > moved.tacit
tr-capture --from tacit --bins loop.elf -o a.tr moved.tacit
tr-text --tokens a.tr | grep -A 2 -B 1 -E '^(hart|gap|satp|end i)'
