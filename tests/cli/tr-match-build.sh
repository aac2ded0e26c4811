# SPDX-License-Identifier: Apache-2.0
# A binary of the list has the name of one that ran, but is a different build.
target=$SRC/build/target
soc-model --trace hello.tr "$target/firmware.elf" "$target/hello.elf" < /dev/null > console
mkdir other
riscv64-unknown-elf-objcopy --dump-section .note.gnu.build-id=note "$target/firmware.elf" same.elf
printf 'another' | dd of=note bs=1 seek=16 conv=notrunc 2> dd.log
riscv64-unknown-elf-objcopy --update-section .note.gnu.build-id=note "$target/firmware.elf" other/firmware.elf
for bin in "$target" other; do
	echo "$bin/firmware.elf firmware" > bins.lst
	tr-match --bins bins.lst hello.tr 2>&1 > /dev/null |
		sed -nE "s|$SRC/||; s/build-id 616e6f74686572[0-9a-f]+, in the trace [0-9a-f]+/build-id X, in the trace Y/; /another build than/p"
done
