# SPDX-License-Identifier: Apache-2.0
# tr-replay of a sampled run follows what the model has executed, and passes the windows of the
# hardware on as they are. What needs them, or the time, is refused.
target=$SRC/build/target
programs=("$target/firmware.elf" "$target/hello.elf")
bins=(--bins "$target/firmware.elf" --bins "$target/hello.elf" --bins "$target/hello_world.elf")
soc-model --trace whole.tr "${programs[@]}" > /dev/null
tr-sample --interval 20k --length 500 --no-dilation -o run.tr -- soc-sim "${programs[@]}" > /dev/null
probes=(--probe 'length: hello:strlen:return { s = str(arg0); n = retval }' --probe 'put: firmware:uart_put { byte = arg0 }')

echo '== the instructions and the hits are those of the whole run on the model'
tr-replay run.tr "${programs[@]}" > run.txt && head -1 run.txt
tr-replay whole.tr "${programs[@]}" | head -1 | cmp - <(head -1 run.txt) && echo same
tr-replay "${probes[@]}" run.tr "${programs[@]}" > run.hits
tr-replay "${probes[@]}" whole.tr "${programs[@]}" | cmp - run.hits && echo same
echo '== a stream has the windows, too'
tr-replay --stream "${probes[@]}" -o probes.tr run.tr "${programs[@]}"
tr-text probes.tr | grep -v '^probe\|^header p' | cmp - <(tr-text run.tr | grep -v '^header p') && echo 'the same rest'
tr-text probes.tr | grep -c '^probe' | cmp - <(wc -l < run.hits) && echo 'all hits'
tr-match "${bins[@]}" run.tr | tr-replay --stream "${probes[@]}" - "${programs[@]}" | tr-unwind | tr-fold > probes.folded
tr-match "${bins[@]}" run.tr | tr-unwind | tr-fold | cmp - probes.folded && echo 'the same estimates'
for hart in 0 2 99999999999; do
	tr-text run.tr | sed "s/^header sampled_hart=.*/header sampled_hart=$hart/" | tr-text --encode -o hart.tr
	tr-replay hart.tr "${programs[@]}" || echo "status $?"
done
echo '== refused' >&2
for option in '--at 100' '--gdb 0' '--index run.ix' '--stream --accesses' '--stream --mark-page 0x80000000'; do
	# shellcheck disable=SC2086 # words
	tr-replay $option run.tr "${programs[@]}" || echo "status $?"
done
