# SPDX-License-Identifier: Apache-2.0
# Logs of another simulator and of another core: the executions are those of the log's lines,
# branches are known, and what the log does not have, the output says.
data=$SRC/tests/cli/data/logs
build() { # NAME ARCH ABI
	riscv64-unknown-elf-gcc -march="$2" -mabi="$3" -g -nostdlib -nostartfiles \
		-T "$SRC/sim/target/firmware/firmware.ld" -o "$1.elf" "$data/$1-real.S"
}
build spike rv64imac_zicsr lp64
build ibex rv32imc_zicsr ilp32
for log in spike ibex; do
	echo "# $log"
	tr-capture -o $log.tr "$data/$log-real.log"
	tr-match --bins $log.elf -o matched.tr $log.tr 2> /dev/null
	tr-annotate --all matched.tr 2> /dev/null > all.txt
	grep -E '^(The|so|mispr)|taken' all.txt | sed 's/ \{2,\}/  /g'
	tr-annotate --all --format csv matched.tr 2> /dev/null | sed 1d | sed 's/"[^"]*"/insn/' |
		awk -F, '$4 != "" && $10 { print $4, $10 }' | sort > ours.txt
	# The log of Ibex has ecall, which does not commit.
	sed -n '/ecall/d; s/^core *[0-9]*: 3 0x0*\([0-9a-f]*\) .*/0x\1/p; s/^ *[0-9]*\t *[0-9]*\t0*\([0-9a-f]*\)\t.*/0x\1/p' \
		"$data/$log-real.log" | sort | uniq -c | awk '$2 ~ /^0x8/ { print $2, $1 }' | sort > theirs.txt
	diff ours.txt theirs.txt && echo "$(wc -l < ours.txt) addresses"
	for what in --mispredicts --misses; do
		tr-annotate $what matched.tr 2>&1 | grep -v 'warning:'
	done
done

echo '# the same without instruction bits, which the file has'
tr-text --tokens spike.tr | awk '
	/^header precision/ { print; print "header cannot_supply=insn,satp,tp,traps"; next }
	/^header cannot_supply/ { next }
	$1 == "token" { gsub(/[0-9a-f]/, ".", $3) }
	{ print }' | tr-text --encode -o bare.tr
for stream in spike bare; do
	tr-match --bins spike.elf $stream.tr 2> /dev/null | tr-annotate --all --format csv 2> /dev/null > $stream.csv
done
cmp spike.csv bare.csv && echo same
grep -o '"beqz.*' bare.csv
