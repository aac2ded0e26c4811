# SPDX-License-Identifier: Apache-2.0
# A device tree that is truncated or has one byte changed either runs or is refused with
# one line that gives the reason.
. "$SRC/tests/cli/soc-model.inc"
program off.elf <<< ".globl _start; _start: $off"
dtc -q -O dtb -o soc.dtb << 'END'
/dts-v1/;
/ {
	#address-cells = <2>;
	#size-cells = <2>;
	chosen { };
	memory@80000000 { device_type = "memory"; reg = <0 0x80000000 0 0x4000000>; };
};
END
size=$(stat -c %s soc.dtb)
echo disk > disk

# try NAME: runs with damaged.dtb.
try() {
	soc-model off.elf --dtb damaged.dtb --initrd disk 2> log
	local status=$?
	{ [ $status = 0 ] && [ ! -s log ]; } ||
		{ [ $status = 2 ] && [ "$(wc -l < log)" = 1 ] && grep -q '^soc-model: damaged.dtb: ' log; } ||
		{ echo "$1: status $status"; cat log; }
	[ $status != 2 ] || echo "$1" >> refused
}

for ((i = 1; i < size; i += 4)); do
	head -c "$i" soc.dtb > damaged.dtb
	try "cut at $i"
done
[ "$(wc -l < refused)" = $(((size + 2) / 4)) ] && echo 'cut: all refused'
rm refused
for ((i = 0; i < size; i++)); do
	byte=$(od -A n -t u1 -j "$i" -N 1 soc.dtb)
	cp soc.dtb damaged.dtb
	printf "\\$(printf %o $((byte ^ (i % 2 ? 1 : 128))))" |
		dd of=damaged.dtb bs=1 seek="$i" conv=notrunc status=none
	try "byte $i"
done
[ "$(wc -l < refused)" -gt 50 ] && echo 'changed: some refused'
