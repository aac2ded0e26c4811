# SPDX-License-Identifier: Apache-2.0
# Triggers named by symbols and, as tables print them, by C++ functions.
. "$SRC/tests/cli/soc-model.inc"
cat > a.cc << 'END'
asm(".globl _start\n_start: la sp, _start + 0x10000\n call start\n");
#define KEEP __attribute__((noinline, noipa))
KEEP int ack(int n) { return n + 1; }
namespace geo {
struct Sq {
	int side;
	KEEP int area() const { return side * side; }
};
KEEP int twice(int n) { return n + n; }
KEEP int twice(long n) { return (int)(n + n); }
}
extern "C" void start()
{
	geo::Sq sq = {ack(2)};
	*(volatile int *)0x100000 = sq.area() + geo::twice(1) + geo::twice(1L) ? 0x5555 : 0;
}
END
riscv64-unknown-elf-gcc -x c++ -g -O1 -march=rv64imac_zicsr -mabi=lp64 -mcmodel=medany \
	-ffreestanding -nostdlib -static -Wl,-n,-Ttext=0x80000000,--no-warn-rwx-segments \
	-o a.elf a.cc
for name in ack geo::Sq::area start _Z3acki a.elf:ack ./a.elf:geo::Sq::area; do
	soc-model --trace a.tr --start "pc=$name" a.elf
	tr-text --tokens a.tr | awk '/^token/ { print $2; exit }' > at
	riscv64-unknown-elf-nm -C a.elf | awk -v at="$(cat at)" '{ sub(/^0*/, "0x") } $1 == at { $1 = $2 = ""; print }'
done
for name in geo::twice geo::nothing a.elf:nothing geo: missing.elf:f; do
	soc-model --start "pc=$name" a.elf 2>&1 | sed 's/0x[0-9a-f]*/ADDRESS/g'
done
