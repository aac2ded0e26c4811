# Parameters and results of C++, of which some are passed by their address; names in
# classes and namespaces; copies of functions that have changed parameters.
cat > classes.cc << 'END'
#define KEEP __attribute__((noinline, used)) extern
#define BODY __asm__ volatile("");
struct Plain { int number; long other; };
struct Owner {
	int number;
	Owner(int n) : number(n) { __asm__ volatile(""); }
	~Owner() { __asm__ volatile(""); }
};
struct Copied {
	int number;
	Copied(int n) : number(n) {}
	Copied(const Copied &from) : number(from.number + 1) {}
};
struct Deleted { int number; Deleted(const Deleted &) = delete; Deleted(Deleted &&) = default; Deleted(int n) : number(n) {} };
struct Outer { Owner inner; };
struct Base {
	int base = 4;
	virtual int method(int a) { return a + base; }
};
struct Derived : Base {
	int own = 5;
	int method(int a) override;
};
long sink;
KEEP int plain(Plain p, int b) { BODY return p.number + b; }
KEEP int owner(Owner o, int b) { BODY return o.number + b; }
KEEP int copied(Copied c, int b) { BODY return c.number + b; }
KEEP int moved(Deleted d, int b) { BODY return d.number + b; }
KEEP int outer(Outer o, int b) { BODY return o.inner.number + b; }
KEEP Owner make(int a, int b) { BODY return Owner(a + b); }
KEEP int reference(const Plain &p, int &&b) { BODY return p.number + b; }
KEEP int overloaded(int a) { BODY return a; }
KEEP int overloaded(long a, int b) { BODY return (int)a + b; }
namespace space {
enum class Colour : unsigned char { RED = 1, BLUE = 200 };
struct Inside { int number; int get(int a) const; };
__attribute__((noinline)) int Inside::get(int a) const { BODY return number + a; }
KEEP int coloured(Colour c, bool on) { BODY return (int)c + on; }
}
__attribute__((noinline)) int Derived::method(int a) { BODY return a + own; }
static __attribute__((noinline)) int part(int unused, const Plain *p, int x) { sink = x; BODY return p->number + x; }
extern "C" int run()
{
	Derived derived;
	Base *base = &derived;
	Plain p{1, 2};
	__asm__ volatile("" : "+r"(base));
	sink = plain({3, 4}, 5) + owner(6, 7) + copied(Copied(8), 9) + outer({{10}}, 11) + make(12, 13).number + moved(60, 61);
	sink += reference(p, 14) + overloaded(15) + overloaded(16, 17) + base->method(18);
	sink += space::Inside{19}.get(20) + space::coloured(space::Colour::BLUE, true) + part(21, &p, 22) + part(23, &p, 24);
	return 0;
}
void operator delete(void *, unsigned long) noexcept {}
__asm__(".section .text.start, \"ax\"\n.globl _start\n_start: la sp, stack_top\ncall run\n"
	"li t0, 0x100000\nli t1, 0x5555\nsw t1, (t0)\nspin: j spin\n.text\n");
END
cat > classes.probes << 'END'
plain: classes:plain { number = p.number; b = arg1 }
owner: classes:owner { number = o.number; b = arg1 }
owner_result: classes:owner:return { number = o.number; result = retval }
copied: classes:copied { number = c.number; b = b }
moved: classes:moved { number = d.number; b = b }
outer: classes:outer { number = arg0.inner.number; b = b }
make: classes:make { a = a; b = b }
make_result: classes:make:return { a = a; number = retval.number }
reference: classes:reference { number = p->number; b = *b }
one: classes:_Z10overloadedi { a = a }
two: classes:_Z10overloadedli { a = a; b = b }
method: classes:_ZN7Derived6methodEi { a = a; own = this->own; base = this->base }
get: classes:get { a = a; number = this->number; cast = ((struct Inside *)arg0)->number }
coloured: classes:coloured { colour = c; on = on; is_blue = c == BLUE }
END
arch='-march=rv64imac -mabi=lp64 -mcmodel=medany -ffreestanding -fno-rtti -fno-exceptions'
link() {
	riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -nostdlib -T "$SRC/sim/target/firmware/firmware.ld" -o classes.elf classes.o
	"$BIN/../tests/probe-run" "${1:-classes.probes}" classes=classes.elf -- classes.elf 2>&1 | sed '/^classes.elf: note/d'
}
for options in -O0 -O2 '-gdwarf-4 -O0' '-gdwarf-4 -O2'; do
	riscv64-unknown-elf-g++ $arch -g $options -c -o classes.o classes.cc
	link > seen.txt
	[ -e first.txt ] || { cp seen.txt first.txt; cat first.txt; }
	cmp first.txt seen.txt && echo "g++ $options: the same"
done
for options in '-gdwarf-5 -O0' '-gdwarf-4 -O0' '-gdwarf-5 -O2'; do
	clang-14 --target=riscv64-unknown-elf $arch -Wno-everything $options -c -o classes.o classes.cc
	link > seen.txt
	cmp first.txt seen.txt && echo "clang $options: the same"
done
riscv64-unknown-elf-g++ $arch -g -O2 -c -o classes.o classes.cc
echo 'part: classes:part { x = x; number = p->number }' > part.probes
link part.probes
echo 'part: classes:part { unused = unused }' > part.probes
link part.probes
echo 'x: classes:overloaded { a = a }' > several.probes
link several.probes
