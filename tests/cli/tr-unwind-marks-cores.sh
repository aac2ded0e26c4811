# SPDX-License-Identifier: Apache-2.0
# Needs soc-sim-ooo.
# Marks on both cores, of one and two harts: each instruction of the trace that is one is a hit with
# its hart and cycle, and regions are from one to the other. So are they in code that was written at
# run time, behind other filters and probes, and from a checkpoint on; and windows of each filter
# have the region's cycles.
cat > start.S << 'END'
	.section .text.start, "ax"
	.globl	_start
_start:	csrr	a0, mhartid
	la	sp, stack_top
	slli	t0, a0, 12
	sub	sp, sp, t0
	j	main
END
cat > app.c << 'END'
#include <tr-profiler/mark.h>
static volatile unsigned long sink, done;
static unsigned code[2][4];
__attribute__((noinline)) static void work(unsigned long n)
{
	unsigned long x = n;
	for (unsigned long i = 0; i < n; i++)
		x = x * 7 + i / (x | 1);
	sink = x;
}
int main(unsigned long hart)
{
	unsigned *written = code[hart];
	for (unsigned long i = 1; i <= 10; i++) {
		TR_BEGIN(1, "frame");
		work(10 * i + 3 * hart);
		TR_POINT(2, "half");
		work(5);
		TR_END(1, "frame");
	}
	written[0] = 0x40702013; /* begin of region 7 */
	written[1] = 0x00150513; /* addi a0, a0, 1 */
	written[2] = 0x80702013; /* its end */
	written[3] = 0x00008067; /* ret */
	__asm__ volatile("fence.i" ::: "memory");
	((void (*)(void))written)();
	__atomic_fetch_add(&done, 1, __ATOMIC_SEQ_CST);
	while (hart || done < HARTS)
		continue;
	*(volatile int *)0x100000 = 0x5555;
	for (;;)
		continue;
}
END
# instructions: of each that is a mark, its hart, cycle, bits
instructions() { tr-text --tokens "$1" | awk '$1 == "token" && $3 ~ /02013$/ { match($0, / hart=[0-9]+/); hart = substr($0, RSTART + 6, RLENGTH - 6)
	match($0, / cycle=[0-9]+/); print hart, substr($0, RSTART + 7, RLENGTH - 7), $3 }' | sort -s -n -k 1,1; }
# hits STACKS: the same of hits, by kind and number
hits() { tr-text "$1" | awk '/^hart / { hart = $2 } /^probe mark / { match($0, /cycle=[0-9]+/); cycle = substr($0, RSTART + 6, RLENGTH - 6)
	match($0, /kind=enum:[0-9]/); kind = substr($0, RSTART + 10, 1); match($0, /number=[0-9]+/); number = substr($0, RSTART + 7, RLENGTH - 7)
	printf "%d %d %s%02x02013\n", hart, cycle, (kind == 1 ? "0" : kind == 2 ? "4" : "8"), number }' | sort -s -n -k 1,1; }
# regions: count, cycles, shortest and longest, from the instructions alone
regions() { awk '$3 == "40102013" { from[$1] = $2 } $3 == "80102013" { d = $2 - from[$1]; n++; sum += d; if (n == 1 || d < min) min = d; if (d > max) max = d }
	END { print n, sum, min, max }'; }
table() { tr-timeline --table marks --format csv "$1" | awk -F, '$NF == "frame" { print $1, $4, $7, $10 }'; }
stacks() { tr-match --bins app.elf "$1" 2> /dev/null | tr-unwind; } # the code that was written is in no binary
same() { # TRACE WHAT
	instructions "$1" > want.txt
	stacks "$1" > stacks.tr
	hits stacks.tr | cmp - want.txt && regions < want.txt | cmp - <(table stacks.tr) && echo "$2: $(wc -l < want.txt) marks"
}
for harts in 1 2; do
	riscv64-unknown-elf-gcc -DHARTS=$harts -march=rv64imac_zicsr_zifencei -mabi=lp64 -mcmodel=medany -O2 -g -ffreestanding -nostdlib "-I$SRC/include" \
		-T "$SRC/sim/target/firmware/firmware.ld" -Wl,--no-warn-rwx-segments,-e,_start -o app.elf start.S app.c
	for core in inorder ooo; do
		soc-sim --core $core --harts $harts --trace $core.tr app.elf
		same $core.tr "$core, $harts"
		tr-timeline --table marks --format csv stacks.tr | awk -F, '{ print $1, $2, $3, $NF }'
	done
	tr-replay --stream --accesses ooo.tr app.elf > more.tr
	same more.tr 'with addresses'
	tr-replay --stream --probe 'work: app:work { hart = reg("a0") }' ooo.tr app.elf > more.tr
	same more.tr 'with probes'
	tr-split-by-satp --priv m ooo.tr > more.tr
	same more.tr 'split'
done
echo '# from a checkpoint, at the fourth begin'
riscv64-unknown-elf-gcc -DHARTS=1 -march=rv64imac_zicsr_zifencei -mabi=lp64 -mcmodel=medany -O2 -g -ffreestanding -nostdlib "-I$SRC/include" \
	-T "$SRC/sim/target/firmware/firmware.ld" -Wl,--no-warn-rwx-segments,-e,_start -o app.elf start.S app.c
for core in inorder ooo; do soc-sim --core $core --trace $core.tr app.elf; done
soc-model --trace model.tr app.elf
at=$(instructions model.tr | awk '$3 == "40102013" && ++n == 4 { print $2 }')
soc-model --checkpoint at.ck --checkpoint-at "cycle=$at" app.elf
for core in inorder ooo; do
	soc-sim --core $core --resume at.ck --trace resumed.tr
	same resumed.tr $core
	instructions resumed.tr | cut -d ' ' -f 3 | cmp - <(instructions $core.tr | cut -d ' ' -f 3 | tail -n +10) && echo 'what follows'
done
echo '# windows of the third region'
window=(--from mark:frame#3 --to mark:frame#3)
for core in inorder ooo; do
	tr-match --bins app.elf -o matched.tr $core.tr 2> /dev/null
	stacks $core.tr > $core.stacks.tr
	cycles=$(instructions $core.tr | awk '$3 == "40102013" { from = $2 } $3 == "80102013" && ++n == 3 { print $2 - from }')
	tr-fold "${window[@]}" $core.stacks.tr | awk -v want="$cycles" '{ n += $NF } END { print "tr-fold", n == want }'
	for function in main work; do tr-annotate "${window[@]}" $function matched.tr 2> /dev/null | sed -n '2s/ cycles*,.*//p'; done |
		awk -v want="$cycles" '{ gsub(/ /, ""); n += $0 } END { print "tr-annotate", n == want }'
	echo "$cycles" >> cycles.txt
done
tr-diff --tma "${window[@]}" inorder.stacks.tr ooo.stacks.tr | awk 'NR == FNR { want[NR] = 4 * $1; next } $NF == "all" { print "tr-diff", $1 == want[1], $2 == want[2] }' cycles.txt -
echo '# in an interpreter, with functions of its language on the stacks'
sed '1i #include <tr-profiler/mark.h>
	s|^\t\twork++;|\t\twork++; TR_POINT(1, "op");|
	s|^\t\t\tsort(state, &functions\[at\[1\]\]);|\t\t\tTR_BEGIN(2, "sort"); sort(state, \&functions[at[1]]); TR_END(2, "sort");|' "$SRC/tests/interpreters/tiny.c" > tiny.c
sed -i 's/^\tj\tmain/\tcall\tmain\n\tli\tt0, 0x100000\n\tli\tt1, 0x5555\n\tsw\tt1, (t0)/' start.S
riscv64-unknown-elf-gcc -march=rv64imac_zicsr -mabi=lp64 -mcmodel=medany -O2 -g -ffreestanding -nostdlib "-I$SRC/include" \
	-T "$SRC/sim/target/firmware/firmware.ld" -Wl,--no-warn-rwx-segments,-e,_start -o app.elf start.S tiny.c
soc-model --trace run.tr app.elf > counted.txt
stacks run.tr > plain.tr
sed 's/tiny:/app:/' "$SRC/tests/interpreters/tiny.probes" > app.probes
tr-replay --stream --probes app.probes run.tr app.elf | stacks - > virtual.tr
hits plain.tr | cmp - <(instructions run.tr) && hits plain.tr | cmp - <(hits virtual.tr) && hits plain.tr | wc -l
for stacks in plain virtual; do tr-fold --from mark:sort --to mark:sort $stacks.tr | awk '{ n += $NF; v += /\(tiny.c:/ } END { print n, (v > 0) }'; done
