# SPDX-License-Identifier: Apache-2.0
# The disk: what each request takes, to the cycle; the same bytes each time, and the file is
# not changed; replays of whole runs and of windows; checkpoints have what was written and
# are continued with the same disk alone; what cannot be a disk.
. "$SRC/tests/cli/soc-model.inc"
isa=$SRC/build/isa
seq -f %07.0f 0 8191 > disk.img
sum=$(cksum < disk.img)

# cycles OPTION... PROGRAM: of one that reads a sector and sixteen, each behind a WFI.
cycles() {
	soc-model --trace run.tr --disk disk.img "$@" || echo "status $?"
	tr-text run.tr | sed -n 's/^end cycles=//p'
}
base=$(cycles "$isa/disk-interrupt.elf")
for option in '--disk-access 32001' '--disk-sector 684' '--disk-access 32100 --disk-sector 693'; do
	echo "$option: $(($(cycles $option "$isa/disk-interrupt.elf") - base)) cycles more"
done

# With two harts, of which the other one sleeps: cycles of both.
riscv64-unknown-elf-gcc -march=rv64imac_zicsr_zifencei -mabi=lp64 -mcmodel=medany -I"$SRC/sim" -I"$SRC/tests/isa" -I"$isa" \
	-DHART=0 -nostdlib -static -T "$SRC/tests/isa/link.ld" -Wl,--no-warn-rwx-segments -o two.elf \
	"$SRC/tests/isa/lib.S" "$SRC/tests/isa/disk-interrupt.S"
base=$(cycles --harts 2 two.elf)
for access in 32001 32064 32127; do
	echo "two harts, $access: $(($(cycles --harts 2 --disk-access $access two.elf) - base)) cycles more"
done

for program in disk-requests disk-interrupt; do
	soc-model --no-provenance --trace a.tr --disk disk.img "$isa/$program.elf"
	soc-model --no-provenance --trace b.tr --disk disk.img "$isa/$program.elf"
	cmp a.tr b.tr
	tr-replay a.tr "$isa/$program.elf"
	for at in 300 400 20000 33000 60000 110000; do
		soc-model --disk disk.img --trace whole.tr --start cycle=$at "$isa/$program.elf"
		soc-model --disk disk.img --checkpoint a.ck --checkpoint-at cycle=$at "$isa/$program.elf"
		soc-model --disk disk.img --resume a.ck --trace part.tr --start cycle=$at
		tr-diff whole.tr part.tr > diff || cat diff
		tr-replay whole.tr "$isa/$program.elf" > replay && tr-replay --resume a.ck part.tr > replay || echo "cycle $at"
	done
done
soc-model --no-provenance --disk disk.img --resume a.ck --checkpoint b.ck --checkpoint-at cycle=200k
soc-model --no-provenance --disk disk.img --checkpoint c.ck --checkpoint-at cycle=200k "$isa/disk-interrupt.elf"
cmp <(sed '1,/^isa=/d' b.ck) <(sed '1,/^isa=/d' c.ck)
tail -c +25 c.ck | grep -a '^disk\.[shlu]'
[ "$(cksum < disk.img)" = "$sum" ] || echo 'the file has changed'

# refused OPTION...: prints the message and the status.
refused() {
	soc-model "$@" 2>&1 | sed "s|$PWD/||; s|$isa/||"
	echo "$*: status ${PIPESTATUS[0]}" | sed "s|$isa/||"
}
cp disk.img other.img
printf x | dd of=other.img bs=1 seek=12345 conv=notrunc status=none
head -c 512 disk.img > short.img
head -c 511 disk.img > odd.img
: > empty.img
truncate -s 65G large.img
soc-model --checkpoint none.ck --checkpoint-at cycle=10 "$isa/ebreak.elf"
for file in short.img odd.img empty.img large.img missing.img /dev/null .; do
	[ $file = short.img ] || refused --disk $file "$isa/ebreak.elf"
done
refused --resume a.ck
refused --resume a.ck --disk other.img
refused --resume a.ck --disk short.img
refused --resume none.ck --disk disk.img
refused --disk disk.img --trace disk.img "$isa/ebreak.elf"
refused --disk disk.img --disk-access 2000G "$isa/ebreak.elf"
refused --disk-access 2 "$isa/ebreak.elf"
cp a.ck flipped.ck
printf '\377' | dd of=flipped.ck bs=1 seek=$(($(stat -c %s a.ck) - 30)) conv=notrunc status=none
soc-model --resume flipped.ck --disk disk.img 2>&1 | sed 's/byte [0-9]*/byte N/'
head -c -24 a.ck > cut.ck
soc-model --resume cut.ck --disk disk.img 2>&1 | sed 's/byte [0-9]*/byte N/'
dtc -q -O dtb -o bare.dtb <<< '/dts-v1/; / { };'
refused --disk disk.img --dtb bare.dtb "$isa/ebreak.elf"
# The node is beside the PLIC, whose phandle it refers to.
dtc -q -O dtb -o plic.dtb << 'END'
/dts-v1/;
/ {
	#address-cells = <2>;
	#size-cells = <2>;
	soc {
		#address-cells = <2>;
		#size-cells = <1>;
		plic: plic@c000000 { compatible = "sifive,plic-1.0.0"; reg = <0 0xc000000 0x600000>; };
		serial { interrupt-parent = <&plic>; };
	};
};
END
program tree.elf << END
.globl _start
_start:	li a2, 0x10000000
	li a3, 2048
1:	lbu a4, (a1)
	sb a4, (a2)
	addi a1, a1, 1
	addi a3, a3, -1
	bnez a3, 1b
$off
END
soc-model --disk disk.img --dtb plic.dtb tree.elf | dtc -q -I dtb -O dts
soc-model --dtb plic.dtb tree.elf | dtc -q -I dtb -O dts | grep -c virtio || :
# The file becomes shorter behind the back of the simulator, which waits for a reader of its trace.
mkfifo trace
cp disk.img moving.img
soc-model --disk moving.img --trace trace "$isa/disk-requests.elf" &
until readlink /proc/$!/fd/* 2> readlink.err | grep -q 'moving[.]img' || ! kill -0 $! 2> gone.err; do sleep 0.05; done
truncate -s 512 moving.img
cat trace > short.tr
wait $! && status=0 || status=$?
echo "a file that becomes shorter: status $status"
