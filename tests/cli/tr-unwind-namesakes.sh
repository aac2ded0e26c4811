# SPDX-License-Identifier: Apache-2.0
# Functions of the same name are separate frames in folded text, graphs and differences:
# lambdas and overloads by their parameters, static functions by where they are declared
# or, if that is unknown, by their address. Inlined ones as well.
cat > start.S << 'END'
	.section .text.unlikely, "ax"
	.globl _start
_start:	la sp, _start + 0x10000
	call main
	li a0, 0x100000
	li a1, 0x5555
	sw a1, 0(a0)
END
cat > main.cc << 'END'
extern "C" int first(int n);
extern "C" int second(int n);
volatile int sum;
namespace outer
{
template <typename T> struct Box {
	__attribute__((noinline)) static T half(T n) { sum = sum + 1; return n / 2; }
};
} // namespace outer
namespace
{
__attribute__((noinline)) int hidden(int n) { sum = sum + n; return n; }
} // namespace
__attribute__((noinline)) int twice(int n) { sum = sum + n; return 2 * n; }
__attribute__((noinline)) int twice(long n) { sum = sum - (int)n; return (int)n; }
template <typename F> __attribute__((always_inline)) inline int apply(F f) { return f(sum); }
int main()
{
	auto more = [&](int n) __attribute__((noinline)) { sum = sum + n; return n; };
	auto less = [&](int n) __attribute__((noinline)) { sum = sum - n; return n; };
	auto left = [](int n) { return n << sum; };
	auto right = [](int n) { return n >> sum; };
	sum = more(3) + less(4) + apply(left) + apply(right) + twice(5) + twice(6L) +
	      hidden(7) + outer::Box<int>::half(8);
	return first(1) + second(2);
}
END
for name in first second; do
	cat > $name.c << END
extern volatile int sum;
static inline int step(int n) { return sum * n; }
__attribute__((noinline)) static int work(int n) { sum = sum + n; return step(n); }
int $name(int n) { return work(n) + step(n + 1); }
END
	[ $name = first ] || sed -i '2i \\n' $name.c
done
build() { # NAME OPTION...
	local name=$1
	shift
	riscv64-unknown-elf-gcc "$@" -Os -march=rv64imac -mabi=lp64 -mcmodel=medany -ffreestanding \
		-fno-exceptions -nostdlib -static -Wl,-n,-Ttext=0x80000000,--no-warn-rwx-segments \
		-o "$name.elf" start.S main.cc first.c second.c
	echo "$name.elf" > "$name.lst"
	soc-model --trace "$name.tr" "$name.elf"
}
show() { # NAME OPTION...
	local name=$1
	shift
	tr-match --bins "$name.lst" "$name.tr" | tr-unwind "$@" | tr-fold --svg "$name.svg" | sed 's/0x80[0-9a-f]*/ADDRESS/'
}
for version in 4 5; do
	build dwarf -gdwarf-$version
	echo "== DWARF $version"
	show dwarf
	show dwarf --inline | grep inlined
done
grep -o '[a-z]* (first.c:[0-9]*)' dwarf.svg | sort -u
build plain -g0
echo "== no DWARF"
show plain 2> /dev/null

# An option that names a function accepts the bare name, or the full form for one of them.
tr-match --bins dwarf.lst dwarf.tr | tr-unwind -o stacks.tr
for name in twice 'twice(long)' work 'work (second.c:5)' 'outer::Box<int>::half' 'main::{lambda(int)#1}::operator()'; do
	echo "== $name"
	tr-report functions --from "$name" --to "$name" stacks.tr | awk 'NR > 2 && $1 > 0' | sed 's/.*  //'
done
