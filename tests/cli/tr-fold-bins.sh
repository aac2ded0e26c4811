# SPDX-License-Identifier: Apache-2.0
# tr-fold with binaries matches and unwinds a trace itself, in threads: what it writes is that
# of the pipe tr-match | tr-unwind | tr-fold, byte for byte, for each -@.
target=$BIN/../target
bins=$target/bins.lst
soc-sim --trace hello.tr "$target/firmware.elf" "$target/hello.elf" < /dev/null > console
soc-model --trace demo.tr --max-instructions 6M "$target/firmware.elf" "$target/demo.elf" < /dev/null > console 2>&1

compared=0
compare() { # FILE [OPTION...]
	tr-match --bins "$bins" "$1" | tr-unwind | tr-fold -o pipe.txt --svg pipe.svg "${@:2}"
	for threads in 1 2 16; do
		tr-fold "-@$threads" --bins "$bins" -o own.txt --svg own.svg "${@:2}" "$1"
		cmp pipe.txt own.txt
		cmp pipe.svg own.svg
		compared=$((compared + 1))
	done
}
compare hello.tr
compare hello.tr --tma --by process
compare hello.tr --format speedscope
compare demo.tr --by thread
compare demo.tr --from 1M --to 4M
tr-capture --no-provenance demo.tr | tr-fold --bins "$bins" > own.txt
tr-match --bins "$bins" demo.tr | tr-unwind | tr-fold | cmp - own.txt
[ "$compared" = 15 ] || echo "$compared comparisons"
wc -l < own.txt

# What the stages warn of, once each.
head -n 2 "$bins" | sed "s,^[^/],$target/&," > part.lst
tr-fold --bins part.lst -o own.txt demo.tr 2>&1 | sed 's/; see.*//'
tr-fold -v --bins "$bins" -o own.txt hello.tr 2>&1 | sed 's/[0-9][0-9 ]*/N /g'

# A damaged trace leaves no output that could pass for a complete one.
for size in 0 100 200000 500000; do
	head -c "$size" demo.tr > damaged.tr
	rm -f own.txt
	for threads in 1 2; do
		tr-fold "-@$threads" --bins "$bins" -o own.txt damaged.tr 2> message || echo "exit $?"
		sed 's/byte [0-9]*/byte N/' message
	done
	[ ! -e own.txt ] || echo "an output of $size bytes"
done
echo old > own.txt
tr-fold --path . demo.tr || echo "exit $?"
tr-fold --merge --bins "$bins" own.txt || echo "exit $?"
tr-match --bins "$bins" hello.tr | tr-unwind -o stacks.tr
tr-fold --bins "$bins" stacks.tr || echo "exit $?"
tr-fold --bins "$bins" demo.tr > /dev/full || echo "exit $?"
tr-fold --bins "$bins" demo.tr | head -n 1
echo "exit ${PIPESTATUS[0]}"
