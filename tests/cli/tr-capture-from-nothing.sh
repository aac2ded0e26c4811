# SPDX-License-Identifier: Apache-2.0
# A log without an instruction is an error in each format, whatever else is in it.
try() {
	rm -f a.tr
	tr-capture -o a.tr "$@"
	echo "status $?"
	tr-text a.tr | grep -E '^end (end|reason|instructions)'
}
printf '%s\n' 'root:x:0:0:root:/root:/bin/sh' 'nobody:x:65534:65534:nobody:/nonexistent:/bin/false' > other.txt
printf '# Clock Domain: tile, Relative Frequency: 1/1 of Base Clock\n' > title.txt
printf 'Time\tCycle\tPC\tInsn\tDecoded instruction\tRegister and memory contents\n' > ibex.log
printf 'core   0: >>>>  _start\n' > spike.log
printf 'core   0: 0x0000000080000000 (0x00000013) DASM(00000013)\n' > cva6.log
printf 'C0:   10 [0] pc=[0000000080000000] inst=[00000013] DASM(00000013)\n' > rocket.log
printf 'IN: main\nPriv: 3; Virt: 0\n0x0000000080000000:  0001              nop\n\n' > qemu.log
printf 'WARN: STACK ZEROED WHEN WE WERE LOOKING FOR LABEL: f, iaddr 0x0\n' > warnings.txt
for format in rocket qemu; do try --from $format other.txt; done
for log in spike cva6 rocket qemu ibex; do try $log.log; done
try --from tracerv title.txt
try --from tracerv-stacks title.txt
try --from tracerv-stacks warnings.txt
for format in spike cva6 execlog ibex tracerv; do try --from $format --skip-bad 9 other.txt; done
# A limit is no error.
printf 'core   0: 3 0x0000000080000000 (0x00000013)\n' > one.log
try --max-instructions 0 one.log
