# SPDX-License-Identifier: Apache-2.0
# All instructions of the simulators' streams follow each other: programs below a
# supervisor, with traps, interrupts and address spaces, from reset and in windows, and the
# parts of a split. A stream in which one row is missing is told.
target=$BIN/../target
simulate() { # NAME SIMULATOR OPTION...
	"${@:2}" --trace "$1.tr" "$target/firmware.elf" "$target/demo.elf" < /dev/null > console.txt 2>&1 || true
	tr-info --check "$1.tr" > "$1.txt"
	echo "$1: status $?, traps: $(awk '$1 == "trap" { print ($2 > 100 ? "many" : $2) }' "$1.txt")"
	sed -n '/^breaks/,/^contexts/p' "$1.txt"
}
simulate model soc-model --max-instructions 3M
simulate float soc-model --isa rv64gc --max-instructions 900k
simulate window soc-model --start cycle=1M --stop cycle=2M
simulate hardware soc-sim --max-cycles 400k
mkdir parts
tr-split-by-satp -d parts model.tr
for part in parts/*.tr; do
	tr-info --check "$part" > part.txt || { echo "$part"; sed -n '/^breaks/,/^contexts/p' part.txt; }
done
echo "parts: $(ls parts | wc -l)"
# The same with a row less.
tr-text float.tr | grep -v '^end \(instructions\|cycles\|frames\)' | awk '/^row/ && ++n == 5000 { next } 1' |
	tr-text --encode -o less.tr
tr-info --check less.tr > less.txt
echo "a row less: status $?, breaks: $(sed -n '/^breaks/,/^contexts/p' less.txt | grep -c 0x)"
