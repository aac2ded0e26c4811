# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# The functional model beside QEMU.

# The model and QEMU on the same image.
images="$target/firmware.elf $target/integer.elf"
"$bin/soc-model" --trace "$out/model.tr" $images < /dev/null > /dev/null
n=$(info "$out/model.tr" instructions)
{ read -r model; read -r traced; read -r qemu; } < <(best %R "$bin/soc-model $images < /dev/null" \
	"$bin/soc-model --trace $out/model.tr $images < /dev/null" \
	"qemu-system-riscv64 -M virt -m 128M -nographic -bios $target/firmware.elf -device loader,file=$target/integer.elf < /dev/null")
rm -f "$out/model.tr"
figure model_rate "$(mega "$n" "$model" 1)" Minstr/s min 100
figure model_rate_traced "$(mega "$n" "$traced" 1)" Minstr/s min 30
figure qemu_rate "$(mega "$n" "$qemu" 1)" Minstr/s
compare model_against_qemu 3 1
