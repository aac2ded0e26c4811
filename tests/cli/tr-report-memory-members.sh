# SPDX-License-Identifier: Apache-2.0
# tr-report memory --by member: of an array of structures that is much larger than L2, the member
# that misses and the one that does not, and members within members, as the program counts them.
cat > members.c << 'END'
struct vector { int x, y; };
struct particle { long hot; struct vector at; unsigned a : 3, b : 5; char name[36]; long cold; };
struct particle particles[1 << 15]; /* of 64 bytes: twice L2 */
struct { long one; union { int i; float f; }; struct { long deep; } inner; } single;
long plain[4];
static struct particle *volatile hidden = particles;

void main(void)
{
	volatile struct particle *p = hidden;
	long s = 0;
	for (int i = 0; i < 1 << 15; i++)
		s += p[i].hot;
	for (int i = 0; i < 2048; i++)
		s += p[i % 64].cold;
	plain[3] = s;
	for (int i = 0; i < 10; i++) {
		(void)p[i].at.x;
		p[i].at.y = 7;
		p[i].at.y = 8;
		p[i].b = 1; /* loads and stores its byte */
		(void)p[i].name[i];
	}
	for (int i = 0; i < 3; i++) {
		*(volatile long *)&single.one = i;
		*(volatile int *)&single.i = i;
		*(volatile long *)&single.inner.deep = i;
		((volatile long *)plain)[i] = 0;
	}
	*(volatile int *)0x100000 = 0x5555;
	for (;;)
		;
}
END
printf '\t%s\n' '.section .text.start, "ax"' '.globl _start' '_start: la sp, stack_top' 'call main' '.bss' '.balign 64' '.zero 4096' 'stack_top:' > start.S
riscv64-unknown-elf-gcc -march=rv64imac_zicsr -mabi=lp64 -mcmodel=medany -ffreestanding -O1 -g -nostdlib -static -fdata-sections -o members.elf start.S members.c \
	-Wl,-n,-Ttext=0x80000000,--no-warn-rwx-segments,--build-id=none
soc-sim --trace run.tr members.elf
tr-replay --stream --accesses run.tr members.elf | tr-match --bins members.elf > accesses.tr
tr-report memory --by member --limit 0 --format csv accesses.tr | tee all.csv |
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ name = $at["object"]; print name, "loads", $at["loads"], "stores", $at["stores"]
		if (name == "particles[].hot") print "hot: nearly all miss:", ($at["missed"] > 32000)
		if (name == "particles[].cold") print "cold: few miss:", ($at["missed"] < 200) }' | sort
tr-report memory --by object --limit 0 --format csv accesses.tr | awk -F, '{ sum += $1 } END { print sum }' |
	cmp - <(awk -F, '{ sum += $1 } END { print sum }' all.csv) && echo 'the same sum'
# Without DWARF there are symbols.
riscv64-unknown-elf-objcopy --strip-debug members.elf stripped.elf
tr-match --bins stripped.elf accesses.tr | tr-report memory --by member --format csv | awk -F, '/particles/ { print $(NF - 1), $2 }'
