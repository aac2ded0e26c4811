# SPDX-License-Identifier: Apache-2.0
# Logs that are damaged, cut off, empty or of no known format, and limits.
cp -r "$SRC/tests/cli/data/logs" "$SRC/tests/cli/data/stacks.txt" .
logs=logs
try() {
	rm -f a.tr
	tr-capture --no-provenance -o a.tr "$@"
	echo "status $?"
	if [ -e a.tr ]; then tr-text --tokens a.tr | grep -E '^(token|end)'; fi
}
for format in spike cva6 ibex tracerv execlog qemu; do
	sed '$s/./!/3' "$logs/$format.log" > bad.log
	try --from $format bad.log
done
try --from rocket <(sed '2s/pc=.0/pc=[?/' "$logs/rocket.log")
try --from spike <(sed 's/0x8082/0x007f/' "$logs/spike.log")
{ head -3 "$logs/tracerv.log"; sed -n '2p' "$logs/tracerv.log"; } > back.log
try back.log
try --from rocket <(sed '3s/ 13 / 9 /' "$logs/rocket.log")
sed '5s/core   1/core   4294967296/' "$logs/spike.log" > bad.log
try bad.log
tail -n +2 "$logs/tracerv-binary.log" > untitled.log
try --from tracerv-binary untitled.log
sed '3s/core/c*re/; 4s/0x/0y/' "$logs/spike.log" > bad.log
try --skip-bad 1 bad.log
try --skip-bad 2 bad.log
head -c 100 "$logs/spike.log" > cut.log
try cut.log
head -c -3 "$logs/tracerv-binary.log" > cut.log
try cut.log
{ head -1 "$logs/tracerv.log"; printf '\377%.0s' {1..64}; } > bad.log
try --from tracerv-binary bad.log
{ cat "$logs/spike.log"; head -c 70000 /dev/zero | tr '\0' x; } > long.log
try long.log
try --from spike /dev/null
try --from elf "$logs/spike.log"
try stacks.txt
try --max-instructions 2 "$logs/spike.log"
try --max-instructions 2 "$logs/spike-l.log"
try --max-cycles 2 "$logs/spike-l.log"
try --max-cycles 4 "$logs/tracerv.log"
try --from spike -- true
try --from spike no-such.log
