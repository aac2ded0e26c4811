# SPDX-License-Identifier: Apache-2.0
# tr-unwind with binaries matches the stream itself: the stacks are those of the pipe
# tr-match | tr-unwind, byte for byte, for each -@, also of a stream that is cut off or
# damaged, and so are the warnings.
target=$BIN/../target
bins=$target/bins.lst
soc-sim --trace hello.tr "$target/firmware.elf" "$target/hello.elf" < /dev/null > console
soc-model --trace demo.tr --max-instructions 6M "$target/firmware.elf" "$target/demo.elf" < /dev/null > console 2>&1
tr-capture --no-provenance -o packed.tr demo.tr 2> /dev/null
head -c $(($(stat -c %s demo.tr) / 2)) demo.tr > damaged.tr

# pipe FILE [OPTION...], and own THREADS FILE [OPTION...]: the exit status; the stacks, and
# the messages without the program's name, in files.
pipe() {
	local status=0 verbose=()
	[ "${2-}" != -v ] || verbose=(-v)
	tr-match --no-provenance "${verbose[@]}" --bins "$bins" "$1" 2> match.txt |
		tr-unwind --no-provenance -u -o "pipe.tr" "${@:2}" 2> unwind.txt || status=$?
	sed 's/^tr-[a-z]*: //; /<stdin>/d' match.txt unwind.txt > pipe.txt
	echo "$status" > pipe.exit
}
own() {
	local status=0
	tr-unwind --no-provenance -u "-@$1" -o own.tr --bins "$bins" "${@:3}" "$2" 2> own.err || status=$?
	sed 's/^tr-[a-z]*: //' own.err > own.txt
	echo "$status" > own.exit
}
compared=0
compare() { # FILE [OPTION...]
	pipe "$@"
	for threads in 1 2 16; do
		own "$threads" "$@"
		for part in tr txt exit; do
			cmp "pipe.$part" "own.$part"
		done
		compared=$((compared + 1))
	done
}
compare hello.tr
compare hello.tr --addresses
compare hello.tr --inline --lines
compare demo.tr
compare packed.tr -v
compare damaged.tr
cat own.exit own.txt | sed 's/byte [0-9]*/byte N/'
[ "$compared" = 18 ] || echo "$compared comparisons"
tr-info demo.tr | awk '$1 == "frames" { print; exit }'

# Without a file in the list its code is unknown, which both say.
grep -v sort_crc "$bins" | sed "s,^[^/],$target/&," > part.lst
bins=part.lst
compare demo.tr
grep -o '.*in no binary of the list' own.txt

# Options that need binaries, and a stream of stacks.
touch perf-1.map
tr-unwind --perf-map perf-1.map hello.tr || echo "exit $?"
tr-unwind --bins "$bins" own.tr || echo "exit $?"
