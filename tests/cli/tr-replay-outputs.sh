# SPDX-License-Identifier: Apache-2.0
# No output is written over an input, or into the other output.
target=$SRC/build/target
cp "$target"/{firmware,hello}.elf .
cp hello.elf disk
echo 'put: firmware:uart_put { byte = arg0 }' > put.probes
run=(run.tr firmware.elf hello.elf disk@0x84000000)
soc-model --trace run.tr firmware.elf hello.elf disk@0x84000000 > /dev/null
ln -s run.tr link.tr
sha256sum ./* > before
for output in run.tr link.tr firmware.elf hello.elf disk put.probes; do
	tr-replay --probes put.probes -o "$output" "${run[@]}"
	tr-replay --stream --probes put.probes -o "$output" "${run[@]}"
	tr-replay --probes put.probes --index "$output" "${run[@]}" > /dev/null
done
tr-replay -o run.tr - firmware.elf hello.elf disk@0x84000000 < run.tr
tr-replay --probes put.probes "${run[@]}" >> run.tr
soc-model --checkpoint a.ck --checkpoint-at cycle=20000 firmware.elf hello.elf > /dev/null
soc-model --resume a.ck --trace part.tr > /dev/null
cp a.ck b.ck
tr-replay --resume a.ck -o a.ck part.tr
cmp a.ck b.ck
tr-replay -o both --index both "${run[@]}"
ls both
sha256sum --quiet -c before && echo 'all as before'
# --at reads the index.
tr-replay --index run.ix "${run[@]}" > /dev/null
tr-replay --index run.ix --at 5000 -o at.txt "${run[@]}" && echo "$(wc -l < at.txt) lines"
