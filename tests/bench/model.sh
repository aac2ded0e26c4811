# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# The functional model, with QEMU beside it.

# The model, with QEMU on the same image beside it.
images="$target/firmware.elf $target/integer.elf"
"$bin/soc-model" --trace "$out/model.tr" $images < /dev/null > /dev/null
n=$(info "$out/model.tr" instructions)
model=$(awk "BEGIN { printf \"%.1f\", $n / $(seconds "$bin/soc-model $images < /dev/null") / 1e6 }")
traced=$(awk "BEGIN { printf \"%.1f\", $n / $(seconds "$bin/soc-model --trace $out/model.tr $images < /dev/null") / 1e6 }")
qemu=$(awk "BEGIN { printf \"%.1f\", $n / $(seconds "qemu-system-riscv64 -M virt -m 128M -nographic -bios $target/firmware.elf -device loader,file=$target/integer.elf < /dev/null") / 1e6 }")
rm -f "$out/model.tr"
figure model_rate "$model" Minstr/s min 100
figure model_rate_traced "$traced" Minstr/s min 30
figure qemu_rate "$qemu" Minstr/s
figure model_against_qemu "$(ratio "$model" "$qemu")" times
