# SPDX-License-Identifier: Apache-2.0
# Counters of two harts: each counts its own instructions and classes, and all are the same
# in the CSV, in the trace and without skips. They do not change the run.
riscv64-unknown-elf-gcc -march=rv64imac_zicsr -mabi=lp64 -nostdlib -static -x assembler - \
	-Wl,-n,-Ttext=0x80000000,--no-warn-rwx-segments,--build-id=none -o harts.elf << 'END'
.globl _start, busy
_start:
	li s0, 0x80001000
	li t0, 500
	bnez a0, other
	li t0, 2000
	li t2, 0x200bff8
busy:	ld t1, (s0)
	addi t1, t1, 1
	sd t1, (s0)
	addi t0, t0, -1
	bnez t0, busy
	li t0, 0x2000004	# ends the WFI of hart 1
	li t1, 1
	sw t1, (t0)
1:	ld t1, 8(s0)
	beqz t1, 1b
	li t0, 0x100000
	li t1, 0x5555
	sw t1, (t0)
2:	j 2b
other:	sd t0, 64(s0)
	addi t0, t0, -1
	bnez t0, other
	li t0, 8
	csrw mie, t0
	wfi
	sd s0, 8(s0)
3:	j 3b
END
run() {
	soc-sim --no-provenance --harts 2 "$@" harts.elf || echo "$*: status $?"
}
run --trace plain.tr
run --trace beside.tr --counters all --counters-every 1k --counters-csv all.csv
cmp plain.tr beside.tr
run --counters all --counters-every 1k --counters-csv every.csv --no-skip
cmp all.csv every.csv
run --counters all --counters-every 1k --counters-csv every.csv --lockstep
cmp all.csv every.csv

# Columns of a hart, and of what the harts share.
soc-sim --harts 2 --counters list | awk '$1 ~ /^(hart[01]\.)?(store|wfi|uart_rx=0|nic_send=1)$/ { print $1, $2, $3 }'
tail -n +8 all.csv | awk -F, -v at="$(grep '^label' all.csv)" '
	BEGIN { n = split(at, label) }
	{
		split("", sum)
		for (i = 3; i <= n; i++) {
			value[label[i]] = $i
			if (match(label[i], /^hart[01]\.class\./)) sum[substr(label[i], 1, 5)] += $i
		}
		for (h in sum) if (sum[h] != $2) print "cycle " $1 ": " sum[h] " classes of " h ", not " $2
	}
	END { for (h = 0; h < 2; h++) {
		print "hart", h, "stores", value["hart" h ".store"], "idle", (value["hart" h ".class.idle.wfi"] > 1000)
		print "hart", h, "instructions", value["hart" h ".instructions_retired"] } }' > counts
grep -v instructions counts
tr-info plain.tr | awk '$2 == "M" { print "hart", $1, "instructions", $4 }' > told
grep instructions counts | paste -d' ' - told | awk '{ print "hart", $2, "counts", $8 - $4, "instructions less than the trace has" }'

# Of a window, which opens before an instruction of hart 0, and in the trace.
window="--start pc=busy --stop cycle=9k"
some='hart?.instructions_retired,hart?.load'
run $window --counters "$some" --counters-every 3k --counters-csv window.csv --trace window.tr
run $window --counters "$some" --counters-every 3k --trace within.tr
sed 1,7d window.csv
tr-text within.tr | grep '^header counter'
tr-text --tokens within.tr | awk '$1 == "hart" { at = $2 } $1 == "counters" { sub(/.*\| /, ""); print "hart " at ": " $0 }'

run --counters load --counters-csv a.csv 2>&1
run --counters hart2.load --counters-csv a.csv 2>&1
run --counters 'hart*' --counters-csv /dev/full 2>&1
