# Variables of one name: the linker keeps one of a weak one, and each of those of a file. At the
# first instruction of a function its parameters are where they were passed.
cat > look.c << 'END'
long sink;
__attribute__((noipa)) void look(void) { sink++; }
void one(void), two(void);
int main(void) { one(); two(); look(); }
__asm__(".section .text.start, \"ax\"\n.globl _start\n_start: la sp, stack_top\ncall main\n"
	"li t0, 0x100000\nli t1, 0x5555\nsw t1, (t0)\nspin: j spin\n.text\n");
END
cat > one.c << 'END'
__attribute__((weak)) int shared = 1;
static int own = 1;
__attribute__((noipa)) void one(void) { own += shared; }
END
cat > two.c << 'END'
int shared = 20;
static int own = 2;
__attribute__((noipa)) void two(void) { own += shared; }
END
riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -mcmodel=medany -O1 -g -ffreestanding -nostdlib \
	-T "$SRC/sim/target/firmware/firmware.ld" -o variables.elf look.c one.c two.c
look() { "$BIN/../tests/probe-run" "$1" variables=variables.elf -- variables.elf 2>&1 || :; }
echo 'shared: variables:look { shared = shared }' > shared.probes
look shared.probes
echo 'own: variables:look { own = own }' > own.probes
look own.probes
echo 'one: variables:one { own = own; shared = shared } two: variables:two { own = own; shared = shared }' > both.probes
look both.probes
cat > entry.c << 'END'
long sink, calls;
void take(int n, long *to)
{ *to += n;
calls++; }
int main(void) { take(3, &sink); take(4, &sink); }
__asm__(".section .text.start, \"ax\"\n.globl _start\n_start: la sp, stack_top\ncall main\n"
	"li t0, 0x100000\nli t1, 0x5555\nsw t1, (t0)\nspin: j spin\n.text\n");
END
riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -mcmodel=medany -O0 -g -ffreestanding -nostdlib \
	-T "$SRC/sim/target/firmware/firmware.ld" -o variables.elf entry.c
for place in take:entry take+0 'take:line(entry.c:3)' 'take:line(entry.c:4)'; do
	echo "take: variables:$place { n = n; to = *to }" > entry.probes
	look entry.probes
done
