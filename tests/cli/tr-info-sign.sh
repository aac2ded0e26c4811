# SPDX-License-Identifier: Apache-2.0
# Addresses of a port with 40 or 32 address bits, not sign-extended.
cat > a.s << 'END'
.option norelax
.globl _start
_start:	addi sp, sp, -16
	ret
END
riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -nostdlib -Wl,--build-id=none \
	-Wl,-Ttext=0xffffffff80200000 -o kernel.elf a.s
echo kernel.elf > bins.lst
code=$(riscv64-unknown-elf-objdump -d kernel.elf | awk '$1 ~ /^ffff.*00:|^ffff.*02:/ { printf " %s", $2 }')
for pc in 0xff80200000 0x80200000 0x7f80200000; do
	for more in 'row b' 'row good'; do
		printf '%s\n' 'header content=rows' "block b pc=$pc$code" \
			"block good pc=0xffffffff80200000$code" 'hart 0 priv=M' 'row b' "$more" end \
			| tr-text --encode -o a.tr
		tr-info --bins bins.lst a.tr | grep 'in the bin\|in no bin'
	done
done
