# SPDX-License-Identifier: Apache-2.0
# DWARF that is not in the file as usual: in .dwo files, which is said and not called
# damage; and compressed by zstd, which is read as if it were not.
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
cat > inl.c << 'END'
volatile unsigned sink;
void other(void);
static inline __attribute__((always_inline)) void tiny(unsigned i) { sink += i; sink ^= 3; }
static inline __attribute__((always_inline)) void small(unsigned n) { for (unsigned i = 0; i < n; i++) tiny(i); }
__attribute__((noinline)) void big(unsigned n) { small(n); if (n & 1) tiny(n); sink--; }
int main(void) { for (int i = 0; i < 5; i++) big(10 + i); small(100); other(); return 0; }
END
cat > other.c << 'END'
extern volatile unsigned sink;
static inline __attribute__((always_inline)) void add(void) { sink++; }
void other(void) { add(); }
END
build() { # NAME OPTION...
	riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -mcmodel=medany -O2 -g "${@:2}" -ffreestanding -nostdlib \
		-T "$SRC/sim/target/firmware/firmware.ld" -Wl,--build-id=none -o "$1.elf" start.S inl.c other.c
}
show() { # NAME
	echo "# $1"
	tr-match --bins "$1.elf" run.tr | tr-unwind --inline -o s.tr
	tr-fold s.tr | sed "s/^$1;/p;/" > "$1.folded"
	tr-match --bins "$1.elf" run.tr | tr-unwind --addresses 2> /dev/null | tr-fold --format autofdo -o "$1.afdo"
}
build plain
soc-model --trace run.tr plain.elf
show plain
cat plain.folded
for version in 2 3 4 5; do
	build "split$version" -gdwarf-$version -gsplit-dwarf
	show "split$version"
	cmp "split$version.folded" <(sed 's/;[^;]* (inlined)//g; s/ [0-9]*$/ &/' plain.folded |
		awk '{ sum[$1] += $2 } END { for (s in sum) print s, sum[s] }' | LC_ALL=C sort)
done
cp plain.elf damaged.elf
riscv64-unknown-elf-objcopy --compress-debug-sections=zstd damaged.elf
at=$(riscv64-unknown-elf-readelf -SW damaged.elf | sed -n 's/.* \.debug_info *PROGBITS *[0-9a-f]* \([0-9a-f]*\) .*/\1/p')
printf 'XXXXXXXX' | dd of=damaged.elf bs=1 conv=notrunc status=none seek=$((0x$at + 40))
show damaged
mkdir zstd && cd zstd && cp ../run.tr .
cp ../plain.elf .
riscv64-unknown-elf-objcopy --compress-debug-sections=zstd plain.elf
[ "$(riscv64-unknown-elf-readelf -SW plain.elf | grep -c ' C ')" -gt 3 ] || echo 'not compressed'
echo '# zstd'
show plain
cmp plain.folded ../plain.folded
cmp plain.afdo ../plain.afdo
