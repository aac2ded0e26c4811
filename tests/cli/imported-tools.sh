# SPDX-License-Identifier: Apache-2.0
# Logs of another simulator and of other cores: deadlines by the log's own cycles, samples for
# perf's readers, waits and tables, of which a log cannot tell, and says so.
data=$SRC/tests/cli/data/logs
build() { # NAME ARCH ABI
	riscv64-unknown-elf-gcc -march="$2" -mabi="$3" -g -nostdlib -nostartfiles \
		-T "$SRC/sim/target/firmware/firmware.ld" -o "$1.elf" "$data/$1-real.S"
}
build spike rv64imac_zicsr lp64
build ibex rv32imc_zicsr ilp32
tr-capture -o spike.tr "$data/spike-real.log"
tr-capture -o ibex.tr "$data/ibex-real.log"
# Ibex's sum calls itself, 9 deep: from the cycle after the call to that of its last return.
ours=$(awk '$3 == "800000a2" { first = $2 } $3 == "800000be" { last = $2 } END { print last - first }' "$data/ibex-real.log")
echo "sum: $ours cycles"
for log in spike ibex; do
	echo "# $log"
	tr-match --bins $log.elf $log.tr 2> /dev/null | tr-unwind -o stacks.tr
	unit=cycles
	[ $log = ibex ] || unit=instructions
	all=$(tr-info --format json $log.tr | grep -o "\"$unit\":[0-9]*" | tail -n 1)
	tr-text --perf-script stacks.tr 2> /dev/null | awk -v unit="$unit" -v all="${all##*:}" '
		$NF == unit ":" { sum += $(NF - 1) }
		END { print (sum == all && sum ? "samples: all " unit : "samples: " sum " of " all " " unit) }'
	tr-fold --off-cpu -v stacks.tr
	for table in $(tr-timeline --table none 2>&1 | sed 's/.*(there are \(.*\))/\1/; s/,//g'); do
		tr-timeline --table "$table" stacks.tr 2> err && echo "table $table"
		cat err >> refused
	done
	sort refused | uniq -c
	rm refused
done
tr-report functions --assert "sum.max < $((ours + 1))" stacks.tr
echo "exit $?"
tr-report functions --assert "sum.max < $ours" stacks.tr
echo "exit $?"
tr-report functions --assert "sum.max < $ours" --unit instructions stacks.tr
echo "exit $?"
