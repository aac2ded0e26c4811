# Names of code and data by addresses: of several symbols at one, that which is not weak; a label of
# assembly without a size; an address inside, behind the end, and of data.
cat > look.c << 'END'
long sink, data;
__attribute__((noipa)) long strong(void) { return sink++; }
__attribute__((weak, alias("strong"))) long weak(void);
extern long label(void);
long global_alias(void) __attribute__((alias("hidden")));
static __attribute__((noipa, used)) long hidden(void) { return sink--; }
long (*const table[])(void) = {strong, weak, label, hidden};
__attribute__((noipa)) void look(long i, const void *address) { sink += i + (address != 0); }
int main(void)
{
	for (long i = 0; i < 4; i++)
		look(i, (const char *)table[i] + i % 2 * 2);
	look(4, (const void *)0);
	look(5, &data);
}
__asm__(".section .text.start, \"ax\"\n.globl _start\n_start: la sp, stack_top\ncall main\n"
	"li t0, 0x100000\nli t1, 0x5555\nsw t1, (t0)\nspin: j spin\n.globl label\nlabel: ret\n.text\n");
END
riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -mcmodel=medany -O1 -g -ffreestanding -nostdlib \
	-T "$SRC/sim/target/firmware/firmware.ld" -o symbols.elf look.c
look() { "$BIN/../tests/probe-run" look.probes symbols=symbols.elf -- symbols.elf 2>&1; }
echo 'look: symbols:look { i = i; exact = i < 4 ? symbol(table[i]) : ""; name = symbol(address); is_strong = i == 1 && symbol(table[i]) == "strong" }' > look.probes
look
echo 'look: symbols:look { name = symbol(address, 4) }' > look.probes
look
