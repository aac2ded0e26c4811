# SPDX-License-Identifier: Apache-2.0
# An index of a trace leads to the same registers; one that does not fit is not used.
target=$SRC/build/target
programs=("$target/firmware.elf" "$target/forever.elf")

tr-capture -o run.tr -- soc-model --max-instructions 34M "${programs[@]}" > console
tr-replay --index run.ix run.tr "${programs[@]}"
for cycle in 0 1 100 17M 17654321 33554432 33999999 34M; do
	tr-replay --at $cycle run.tr "${programs[@]}" > at-$cycle
	tr-replay --index run.ix --at $cycle run.tr "${programs[@]}" | cmp - at-$cycle
	tr-replay -@ 2 --index run.ix --at $cycle run.tr "${programs[@]}" | cmp - at-$cycle
done
tr-replay --index run.ix --at 35M run.tr "${programs[@]}"

# used INDEX TRACE [CYCLE]: looks at a cycle.
used() {
	tr-replay --index "$1" --at "${3-17M}" "$2" "${programs[@]}" | cmp - "at-${3-17M}"
}
echo '== damaged, cut, another trace, another file, none' >&2
size=$(stat -c %s run.ix)
{ head -c $((size - 1000)) run.ix; printf x; tail -c 999 run.ix; } > damaged.ix
used damaged.ix run.tr 34M
head -c $((size - 1)) run.ix > cut.ix
used cut.ix run.tr
tr-text run.tr | sed 's/^header source=.*/header source=another/' | tr-text --encode -o other.tr
used run.ix other.tr
used run.tr run.tr
used absent.ix run.tr
echo '== one zstd frame, a plain stream, a pipe' >&2
zstd -dc run.tr > plain.tr
tr-replay --index plain.ix plain.tr "${programs[@]}" > /dev/null
used plain.ix plain.tr
used plain.ix run.tr
zstd -q plain.tr -o single.tr
tr-replay --index single.ix single.tr "${programs[@]}"
tr-replay --index pipe.ix - "${programs[@]}" < run.tr
echo '== outputs' >&2
tr-replay --index /dev/full run.tr "${programs[@]}"
tr-replay --index run.tr run.tr "${programs[@]}"
tr-replay --index absent/run.ix run.tr "${programs[@]}"
