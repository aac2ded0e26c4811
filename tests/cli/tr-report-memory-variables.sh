# SPDX-License-Identifier: Apache-2.0
# tr-report memory: variables of C++, with their names as the source has them, and the members of those
# that are not the only ones of their name: in namespaces, classes and templates, static ones of two files
# and of functions, also of an inlined one. Each has its own number of stores. An unnamed union has the
# names of its members.
cat > first.cc << 'END'
struct pair { volatile long left, right; };
static pair same[4];
namespace outer {
struct shape { volatile long id; union { volatile int i; struct { volatile short low, high; }; volatile float f; };
	volatile unsigned a : 3, : 2, b : 3; union { volatile long p, q, r, s, t; }; };
shape shapes[8];
namespace { pair hidden; }
template <class T> struct box { T value; static pair shared; };
template <class T> pair box<T>::shared;
void touch() { hidden.right = 1; for (int i = 0; i < 2; i++) box<int>::shared.left = i; for (int i = 0; i < 3; i++) box<char>::shared.left = i; }
}
extern "C" void second(void);
static inline __attribute__((always_inline)) void count(int n) { static pair calls; for (int i = 0; i < n; i++) calls.right = i; }
static void here() { static pair calls; for (int i = 0; i < 5; i++) calls.left = i; }
extern "C" void start()
{
	for (int i = 0; i < 6; i++) same[i & 3].left = i;
	for (int i = 0; i < 7; i++) outer::shapes[i].high = i;
	for (int i = 0; i < 8; i++) outer::shapes[i & 1].b = i; /* loads the byte as well */
	for (int i = 0; i < 9; i++) outer::shapes[3].t = i;
	outer::touch();
	count(10);
	count(1);
	here();
	second();
	*(volatile int *)0x100000 = 0x5555;
	for (;;)
		;
}
END
cat > second.c << 'END'
struct other { volatile long one, two, three; };
static struct other same;
void second(void) { static struct other calls[2]; for (int i = 0; i < 12; i++) same.three = i; for (int i = 0; i < 13; i++) calls[i & 1].two = i; }
END
printf '\t%s\n' '.section .text.start, "ax"' '.globl _start' '_start: la sp, stack_top' 'call start' '.bss' '.balign 64' '.zero 4096' 'stack_top:' > start.S
flags='-march=rv64imac_zicsr -mabi=lp64 -mcmodel=medany -ffreestanding -O2 -g'
link='-Wl,-n,-Ttext=0x80000000,--no-warn-rwx-segments,--no-relax,--build-id=none'
# shellcheck disable=SC2086 # options
{
	riscv64-unknown-elf-gcc $flags -c second.c
	riscv64-unknown-elf-g++ $flags -fno-exceptions -fno-rtti -nostdlib -static -o variables.elf start.S first.cc second.o \
		$link
}
soc-model --trace run.tr variables.elf
tr-replay --stream --accesses run.tr variables.elf | tr-match --bins variables.elf > accesses.tr
for by in object member; do
	echo "== by $by"
	tr-report memory --by $by --limit 0 --format json accesses.tr | tr '{' '\n' |
		sed -n 's/.*"loads":\([0-9]*\),"stores":\([0-9]*\),.*"object":"\([^"]*\)".*/\3: loads \1 stores \2/p' | sort
done
# The same of types that are in units of their own.
# shellcheck disable=SC2086 # options
{
	riscv64-unknown-elf-gcc $flags -gdwarf-5 -fdebug-types-section -c second.c
	riscv64-unknown-elf-g++ $flags -gdwarf-5 -fdebug-types-section -fno-exceptions -fno-rtti -nostdlib -static -o units.elf start.S first.cc second.o $link
}
tr-report memory --by member --limit 0 --format csv accesses.tr | sed 's/,variables$/,units/' > want
soc-model --trace run.tr units.elf
tr-replay --stream --accesses run.tr units.elf | tr-match --bins units.elf | tr-report memory --by member --limit 0 --format csv | cmp - want && echo 'the same with units of types'
# DWARF that is in other files is not read, and said to be missing.
# shellcheck disable=SC2086 # options
riscv64-unknown-elf-gcc $flags -gsplit-dwarf -nostdlib -static -o split.elf start.S second.c -Wl,-n,-Ttext=0x80000000,--no-warn-rwx-segments,--build-id=none \
	-Wl,--defsym=start=second
soc-model --max-instructions 300 --trace run.tr split.elf 2> /dev/null || true
tr-replay --stream --accesses run.tr split.elf | tr-match --bins split.elf | tr-report memory --by member --format csv | awk -F, '/same|calls/ { print $1, $(NF - 1) }'
