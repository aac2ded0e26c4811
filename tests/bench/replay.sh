# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Replays that compare every instruction (make linux linux-smp-build first), beside the free
# run of the model on the same image: of one hart, and of two that contend for locks. What
# recording for replays adds to a trace, by encoding it again without the events that only a
# replay needs. Seconds are CPU time.

linux=build/linux smp=build/linux-smp
images="$target/firmware.elf $linux/vmlinux $linux/busybox.elf"
"$bin/tr-capture" -o "$out/replay.tr" -- "$bin/soc-sim" --ram 64M $images < /dev/null > /dev/null 2>&1
"$bin/soc-model" --ram 64M --trace "$out/model.tr" $images < /dev/null > /dev/null 2>&1
n=$(info "$out/replay.tr" instructions) free=$(info "$out/model.tr" instructions)
rm "$out/model.tr"
{ read -r replay; read -r model; } < <(best %U "$bin/tr-replay $out/replay.tr $images" \
	"$bin/soc-model --ram 64M $images < /dev/null")
figure replay_rate "$(mega "$n" "$replay" 1)" Minstr/s min 60
figure replay_model_rate "$(mega "$free" "$model" 1)" Minstr/s
compare replay_cost 1 2

# iperf3 has most events for each instruction. Its text is encoded with and without them.
images="$target/firmware.elf $linux/vmlinux $linux/iperf3.elf"
"$bin/soc-sim" --ram 64M --trace "$out/replay.tr" $images < /dev/null > /dev/null 2>&1
encoded() { # SED_SCRIPT: the size on disk
	"$bin/tr-text" "$out/replay.tr" | sed "$1" | "$bin/tr-text" --encode | "$bin/tr-capture" -o "$out/encoded.tr" - &&
		stat -c %s "$out/encoded.tr"
}
n=$(info "$out/replay.tr" instructions)
with=$(encoded '') without=$(encoded '/^\(mmio-load\|csr-read\|atomic\|registers\|device-write\) /d')
figure replay_bytes_per_instruction "$(ratio "$with" "$n" 4)" B/instr
figure replay_added_bytes_per_instruction "$(ratio "$((with - without))" "$n" 5)" B/instr max 0.002
# DMA data, of a program that sends frames to itself.
"$bin/soc-sim" --nic loopback --trace "$out/replay.tr" build/nic/stress.elf < /dev/null > /dev/null 2>&1
n=$(info "$out/replay.tr" instructions)
with=$(encoded '') without=$(encoded '/^device-write /d')
figure replay_dma_bytes_per_instruction "$(ratio "$((with - without))" "$n" 5)" B/instr
rm "$out/encoded.tr"

# Any cycle of a long run, by an index of the trace: the slowest of some, in elapsed time.
images="$target/firmware.elf $linux/vmlinux $linux/forever.elf"
"$bin/soc-sim" --ram 64M --max-instructions "${SEEK:-1G}" --trace "$out/replay.tr" $images < /dev/null > /dev/null 2>&1
"$bin/tr-replay" --index "$out/replay.ix" "$out/replay.tr" $images > /dev/null
n=$(info "$out/replay.tr" instructions) cycles=$(info "$out/replay.tr" cycles) slowest=0
for share in 7 23 48 61 77 99; do
	look="$bin/tr-replay --index $out/replay.ix --at $(calculate %.0f "$cycles" / 100 \* $share) --print 'current->comm' $out/replay.tr $images"
	bash -c "$look" > /dev/null
	at=$(seconds "$look")
	slowest=$(higher "$slowest" "$at")
done
figure replay_seek_time "$slowest" s max 2
figure replay_index_bytes_per_instruction "$(ratio "$(stat -c %s "$out/replay.ix")" "$n" 4)" B/instr
rm "$out/replay.ix"

# Two harts.
images="--dtb $smp/locks-2.dtb --initrd $smp/locks.cpio $target/firmware-smp.elf $smp/vmlinux"
limit=20000000
"$bin/soc-sim" --harts 2 --ram 64M --max-instructions $limit --trace "$out/replay.tr" $images < /dev/null > /dev/null 2>&1
{ read -r replay; read -r model; } < <(best %U "$bin/tr-replay $out/replay.tr $images" \
	"$bin/soc-model --harts 2 --ram 64M --max-instructions $limit $images < /dev/null")
figure replay_rate_locks_two_harts "$(mega $limit "$replay" 1)" Minstr/s
figure replay_model_rate_locks_two_harts "$(mega $limit "$model" 1)" Minstr/s
rm "$out/replay.tr"
