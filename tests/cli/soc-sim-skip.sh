# SPDX-License-Identifier: Apache-2.0
# Skipping idle cycles changes no byte, nor does lockstep or a second run; every cycle
# either retires an instruction or has one class.
images="$SRC/build/target/firmware.elf $SRC/build/target/hello.elf"
run() {
	local out=$1
	shift
	soc-sim "$@" --no-provenance --trace "$out" $images > console
	echo "$out: status $?, $(tail -n 1 console)"
}
run skip.tr
run again.tr
run every.tr --no-skip
run lockstep.tr --lockstep
run slow.tr --l2-latency 30 --dram-latency 300
cmp skip.tr again.tr
cmp skip.tr every.tr
cmp skip.tr lockstep.tr
cmp -s skip.tr slow.tr && echo 'latencies without effect'
cd "$SRC/build/target" || exit
tr-match --bins bins.lst "$OLDPWD/skip.tr" | tr-unwind -o "$OLDPWD/stacks.tr"
cd "$OLDPWD" || exit
tr-report tma -o classes stacks.tr
tr-fold -o folded stacks.tr
total=$(awk '$4 == "all" { print $1 }' classes)
sum=$(awk '/^$/ { exit } /^ *[0-9]+ +[0-9.]+ +[0-9.]+  [a-z]/ && $4 != "all" { sum += $1 } END { print sum }' classes)
cycles=$(awk '{ sum += $NF } END { print sum }' folded)
echo "groups against all: $((sum - total)), folded against all: $((cycles - total))"
