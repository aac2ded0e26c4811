# SPDX-License-Identifier: Apache-2.0
# tr-report memory: two sites that allocate, of which one misses; memory that is freed is told as such,
# and what another site then gets counts for that. The program knows the numbers.
cat > heap.c << 'END'
static char *top = (char *)0x84000000L;
static void *last;

__attribute__((noinline)) void *malloc(unsigned long size)
{
	if (last && size == 64) {
		void *again = last;
		last = 0;
		return again;
	}
	char *at = top;
	top += (size + 63) & -64L;
	return at;
}
__attribute__((noinline)) void free(void *at) { last = at; }
__attribute__((noinline)) void *wrapped(unsigned long size) { void *at = malloc(size); __asm__ volatile("" : "+r"(at)); return at; }

struct node { struct node *next; long value[7]; };

__attribute__((noinline)) struct node *make_list(long n)
{
	struct node *first = 0;
	for (long i = 0; i < n; i++) {
		struct node *node = malloc(128);
		node->next = first;
		first = node;
	}
	return first;
}
__attribute__((noinline)) volatile long *make_table(void)
{
	volatile long *table = malloc(512);
	for (int i = 0; i < 64; i++)
		table[i] = i;
	return table;
}
__attribute__((noinline)) void set(volatile long *at) { *at = 7; }

void main(void)
{
	struct node *list = make_list(1 << 15); /* of 2 lines each: 4 times L2 */
	volatile long *table = make_table(), sum = 0;
	for (volatile struct node *p = list; p; p = p->next)
		sum += p->value[6];
	for (int i = 0; i < 10000; i++)
		sum += table[i & 63];
	volatile long *shared = malloc(64);
	shared[0] = 1;
	shared[1] = 2;
	free((void *)shared);
	shared[2] = 3; /* after it is freed */
	volatile long *other = wrapped(64);
	for (int i = 0; i < 8; i++)
		other[i] = i;
	set(table);
	set(other);
	*(volatile int *)0x100000 = 0x5555;
	for (;;)
		;
}
END
printf '\t%s\n' '.section .text.start, "ax"' '.globl _start' '_start: la sp, stack_top' 'call main' '.bss' '.balign 64' '.zero 4096' 'stack_top:' > start.S
riscv64-unknown-elf-gcc -march=rv64imac_zicsr -mabi=lp64 -mcmodel=medany -ffreestanding -fno-builtin -O1 -g -nostdlib -static -o heap.elf start.S heap.c \
	-Wl,-n,-Ttext=0x80000000,--no-warn-rwx-segments,--build-id=none
cat > heap.probes << 'END'
malloc: heap:malloc:return { heap_address = retval; heap_size = arg0 }
free: heap:free { heap_free = arg0 }
END
soc-sim --trace run.tr heap.elf
tr-replay --stream --accesses --probes heap.probes run.tr heap.elf | tr-match --bins heap.elf > accesses.tr
tr-report memory --limit 0 --format csv accesses.tr |
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ name = $at["object"]; sum += $at["accesses"]; if (name !~ /heap|freed|unknown/) next; print name, "loads", $at["loads"], "stores", $at["stores"]
		if (name ~ /make_list/) print "list: misses of the walk:", ($at["missed"] > 32000), "lines", $at["lines"]
		if (name ~ /make_table/) print "table: few miss:", ($at["missed"] < 20), "lines", $at["lines"] }
		END { print "accesses", sum }' | sort
tr-text --tokens accesses.tr | grep -c '^token.*[(]' | sed 's/^/by tokens /'
# One instruction, which knows no structure, accesses the memory of two sites.
for by in object member; do
	tr-report memory --by $by --limit 0 --format csv accesses.tr |
		awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } /make_table|wrapped/ { print $at["object"], $at["loads"], $at["stores"] }' | sort > "$by.txt"
done
cmp object.txt member.txt && cat member.txt
# The wrapper returns later, and then its caller has allocated.
echo 'wrapped: heap:wrapped:return { heap_address = retval; heap_size = arg0 }' >> heap.probes
tr-replay --stream --accesses --probes heap.probes run.tr heap.elf | tr-match --bins heap.elf | tr-report memory --format csv | cut -d, -f2,3 --complement |
	grep -o '.heap. main ([^)]*)\|.heap. wrapped.*' | sort
# Without these probes it is unknown.
tr-replay --stream --accesses run.tr heap.elf | tr-match --bins heap.elf | tr-report memory --format csv | awk '/heap.c/ { n++ } END { print n + 0 }'
