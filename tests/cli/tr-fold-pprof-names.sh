# SPDX-License-Identifier: Apache-2.0
# --format pprof: overloaded functions and instantiations are rows of their own, with and without
# counts by address, and with these also inlined ones, which tr-annotate calls by the same names;
# and each address is where it is in the file, from which pprof disassembles.
export HOME=$PWD PPROF_TMPDIR=$PWD
cat > over.cc << 'END'
volatile unsigned sink;
struct A {
	__attribute__((noinline)) void f(int n) { for (int i = 0; i < n; i++) sink += i; }
	__attribute__((noinline)) void f(float) { for (int i = 0; i < 50; i++) sink ^= i; f(100); }
	template <class T> __attribute__((noinline)) void g(T t) { for (int i = 0; i < 30; i++) sink -= (unsigned)t; }
	__attribute__((noinline)) void operator()(int n) const { sink = n; }
};
template <class T> struct B {
	__attribute__((always_inline)) void add(T t) { for (int i = 0; i < 20; i++) sink += (unsigned)t; }
};
namespace {
__attribute__((noinline)) void hidden() { sink += 9; }
}
extern "C" int main() { A a; a.f(1000); a.f(1.f); a.g(3); a.g(5u); a(6); hidden(); B<int>().add(1); B<char>().add(2); return 0; }
END
cat > start.S << 'END'
	.section .text.start, "ax"
	.globl _start
_start:	la sp, stack_top
	call main
	li t0, 0x100000
	li t1, 0x5555
	sw t1, (t0)
1:	j 1b
END
# The second segment begins within a page, and both have another offset than address.
cat > two.ld << 'END'
ENTRY(_start)
PHDRS { first PT_LOAD FLAGS(5); second PT_LOAD FLAGS(5); data PT_LOAD FLAGS(6); }
SECTIONS {
	. = 0x80000000;
	.text : { *(.text.start) *(.text.main) } :first
	. = 0x80012340;
	.more : { *(.text*) } :second
	. = 0x80020000;
	.data : { *(.sdata* .data* .sbss* .bss*) } :data
	stack_top = 0x80040000;
}
END
riscv64-unknown-elf-g++ -march=rv64imac -mabi=lp64 -mcmodel=medany -O1 -g -ffreestanding -nostdlib -fno-exceptions \
	-ffunction-sections -Wl,--build-id=none -T two.ld -o over.elf start.S over.cc
soc-model --trace over.tr over.elf
tr-match --bins over.elf -o over.matched.tr over.tr
for option in '' --addresses; do
	# shellcheck disable=SC2086 # none, or one
	tr-unwind $option over.matched.tr | tr-fold --format pprof -o over.pb.gz
	go tool pprof -nodecount=20 -nodefraction=0 -top over.pb.gz 2> /dev/null | sed -n '/flat%/,$p'
done
go tool pprof -raw over.pb.gz 2> /dev/null | grep '_Z' | sed 's/.*(_Z/_Z/; s/)$//' | sort -u
tr-annotate main over.matched.tr | grep -o '[^ ]* (inlined)' | sort -u
echo '# segments'
readelf -lW over.elf | awk '$1 == "LOAD" && / R E / { print $3, $2, $6 }' > segments
cat segments
go tool pprof -raw over.pb.gz 2> /dev/null | sed -n '/^Mappings/,$p'
go tool pprof -raw over.pb.gz 2> /dev/null | python3 -c '
import re, sys
text = sys.stdin.read()
mappings = {m[0]: [int(x, 16) for x in m[1:]] for m in re.findall(r"^(\d+): (0x\w+)/(0x\w+)/(0x\w+)", text, re.M)}
segments = [[int(x, 16) for x in line.split()] for line in open("segments")]
count = 0
for address, mapping in re.findall(r"^ *\d+: (0x\w+) M=(\d+)", text, re.M):
    address, (start, limit, offset) = int(address, 16), mappings[mapping]
    if not address:
        continue
    right = [address - at + place for at, place, size in segments if at <= address < at + size]
    if not start <= address < limit or [address - start + offset] != right:
        print(hex(address), "is not at", hex(address - start + offset))
    count += 1
print("locations:", count > 20)'
echo '# a kernel, whose mapping begins with its first segment, and a file of unknown segments'
sed -e '/^header bin.0.build_id/a header bin.0.segments=0xffffffff80001000:0x2000:0x3000,0xffffffff80005000:0x1000:0x9000' \
	-e 's/0x1000/0xffffffff80001000/; s/0x2000/0xffffffff80005000/' "$SRC/tests/cli/data/spans.txt" > kernel.txt
for text in kernel.txt "$SRC/tests/cli/data/spans.txt"; do
	tr-text --encode -o spans.tr "$text"
	tr-fold --format pprof -o spans.pb.gz spans.tr
	go tool pprof -raw spans.pb.gz 2> /dev/null | sed -n '/^Mappings/,$p'
done
echo '# segments that are none'
for segments in 0x1000 0x1000:0x10 0x1000:0xffffffffffffffff:0x0 '0x1000:0x10:0x5,x' 'a,b' ',,'; do
	sed "/^header bin.0.build_id/a header bin.0.segments=$segments" "$SRC/tests/cli/data/spans.txt" | tr-text --encode -o spans.tr
	tr-fold --format pprof -o spans.pb.gz spans.tr
	go tool pprof -raw spans.pb.gz 2> /dev/null | sed -n '/^Mappings/,$p' | sed 1d
done
