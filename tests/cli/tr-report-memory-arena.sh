# SPDX-License-Identifier: Apache-2.0
# tr-report memory --by member: structures in a variable that is an array of bytes, as the heap of an RTOS.
# Each member has the loads and stores that the program makes by a pointer. What is accessed otherwise is the
# variable's: 5 bytes; and so is an array of numbers, whatever is made of it: 6 stores.
cat > arena.c << 'END'
#define ALONE __attribute__((noinline))
struct node { struct node *volatile next; volatile long hot, cold; };
struct task { volatile int priority; struct node ready; };
static unsigned char heap[4096] __attribute__((aligned(64)));
static unsigned char *volatile top = heap;
static long numbers[64];
ALONE static void *allocate(unsigned long size)
{
	unsigned char *at = top;
	top = at + size;
	return at;
}
ALONE static void walk(struct node *n, int times)
{
	while (times--) {
		n->hot++;
		n = n->next;
	}
}
ALONE static void rank(struct task *t) { t->priority = 3; t->ready.cold = 4; }
ALONE static void clear(volatile unsigned char *bytes, int n) { for (int i = 0; i < n; i++) bytes[i] = 0; }
void start(void)
{
	struct node *first = allocate(sizeof(*first));
	struct task *task = allocate(sizeof(*task));
	first->next = first;
	walk(first, 100);
	for (int i = 0; i < 7; i++)
		rank(task);
	clear(heap + 4000, 5);
	for (int i = 0; i < 3; i++)
		rank((struct task *)numbers);
	*(volatile int *)0x100000 = 0x5555;
	for (;;)
		;
}
END
printf '\t%s\n' '.section .text.start, "ax"' '.globl _start' '_start: la sp, stack_top' 'call start' '.bss' '.balign 64' 'stack: .zero 4096' 'stack_top:' > start.S
for level in -O0 -O2; do
	echo "== $level"
	riscv64-unknown-elf-gcc -march=rv64imac_zicsr -mabi=lp64 -mcmodel=medany -ffreestanding "$level" -g -nostdlib -static -fno-ipa-cp -o arena.elf start.S arena.c \
		-Wl,-n,-Ttext=0x80000000,--no-warn-rwx-segments,--no-relax,--build-id=none
	soc-model --trace run.tr arena.elf
	tr-replay --stream --accesses run.tr arena.elf | tr-match --bins arena.elf > accesses.tr
	tr-report memory --by member --limit 0 --format csv accesses.tr | tee all.csv |
		awk -F, '$(NF - 1) ~ /heap|node|task|numbers/ { print $(NF - 1) ": loads", $2, "stores", $3, $(NF - 2) }' | sort
	tr-report memory --by object --limit 0 --format csv accesses.tr | awk -F, '{ sum += $1 } END { print sum }' |
		cmp - <(awk -F, '{ sum += $1 } END { print sum }' all.csv) && echo 'the same sum'
done
