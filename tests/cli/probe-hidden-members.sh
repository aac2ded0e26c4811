# A member of a C++ class hides one of its base with the same name; a static member, which
# DWARF 4 has among the members, is no part of the objects.
cat > hidden.cc << 'END'
struct Base { int number; long other; static int count; };
struct Extra { int extra; };
struct Derived : Base, Extra { int number; };
int Base::count = 100;
extern "C" __attribute__((noinline)) int look(Derived *d)
{
	__asm__ volatile("");
	return d->number + d->Base::number;
}
extern "C" int run()
{
	Derived d;
	d.number = 7;
	d.Base::number = -3;
	d.other = 5;
	d.extra = 44;
	__asm__ volatile("" : : "r"(&d) : "memory");
	return look(&d);
}
__asm__(".section .text.start, \"ax\"\n.globl _start\n_start: la sp, stack_top\ncall run\n"
	"li t0, 0x100000\nli t1, 0x5555\nsw t1, (t0)\nspin: j spin\n.text\n");
END
for dwarf in 4 5; do
	riscv64-unknown-elf-g++ -march=rv64imac -mabi=lp64 -mcmodel=medany -ffreestanding -fno-rtti -fno-exceptions \
		-O2 -g -gdwarf-$dwarf -nostdlib -T "$SRC/sim/target/firmware/firmware.ld" -o hidden.elf hidden.cc
	for expression in d-\>number d-\>other d-\>extra d-\>count; do
		echo "look: hidden:look { value = $expression }" > hidden.probes
		"$BIN/../tests/probe-run" hidden.probes hidden=hidden.elf -- hidden.elf 2>&1 | sed '/^hidden.elf: note/d'
	done
done
