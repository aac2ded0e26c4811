# SPDX-License-Identifier: Apache-2.0
# Traces that begin at a checkpoint in user mode, also after filters have added their events
# before the first instruction.
target=$SRC/build/target
cp "$target"/{bins.lst,*.elf} .
run() { tr-replay --resume a.ck "$@"; }

soc-model --checkpoint a.ck --checkpoint-at cycle=5M firmware.elf demo.elf > /dev/null
soc-sim --resume a.ck --trace raw.tr --max-cycles 6M > /dev/null
tr-match --bins bins.lst -o matched.tr raw.tr
tr-text matched.tr | sed -n '/^hart 0/,/^row/{s/ .*//; /hart/!p}' | paste -sd ' '
for trace in raw matched; do run $trace.tr | tail -n +2; done

# Probes, as lines and as events, also at the first instruction; and once more on their output.
first=$(run --at 1 matched.tr | sed -n 's/.*0x\([0-9a-f]*\) .*(\(.*\)\.elf)/\1 \2/p')
function=$(run --at 1 matched.tr | sed -n 's/.* \([a-z_]*\)+0x.*/\1/p')
offset=$(run --at 1 matched.tr | sed -n 's/.*+\(0x[0-9a-f]*\) .*/\1/p')
echo "first: $function of ${first#* }"
cat > probes << END
first: ${first#* }:$function+$offset { p = pc }
page: supervisor:page_alloc:return { page = retval }
END
run --probes probes -o lines.txt matched.tr
run --probes probes --stream -o hits.tr matched.tr
run --at 1 matched.tr | sed -n 's/^cycle \([0-9]*\),.*/\1 first/p' | cmp - <(sed -n '1s/ hart 0//; 1s/ p=.*//p' lines.txt) && echo 'the first one'
tr-text hits.tr | grep -c '^probe ' | cmp - <(wc -l < lines.txt) && echo 'as many events as lines'
for stage in '' '--probes probes --stream'; do run $stage -o again hits.tr; done
tr-info again | grep -c ' probe\.' || :
tr-match --bins bins.lst -o both.tr hits.tr
run both.tr | head -n 1 | cmp - <(run raw.tr | head -n 1) && echo 'hits, matched'

# An index; variables of the kernel in a program's code, if its file is still the same.
run --index raw.ix raw.tr > /dev/null
run --index matched.ix matched.tr > /dev/null
for trace in raw matched; do run --index $trace.ix --at 5100k $trace.tr > $trace.at; done
sed 1d raw.at | cmp - <(sed 1d matched.at) && echo 'the same registers'
run --at 5100k --print fresh_pages matched.tr | sed 1d
cp compute.elf supervisor.elf
run --at 5100k --print fresh_pages matched.tr | sed 1d
run --at 5100k --print fresh_pages raw.tr | sed 1d

# What a program alone has executed cannot be replayed.
tr-split-by-satp -d split raw.tr
for part in split/*; do
	run "$part" 2>&1 | sed 's/: record .*instruction [0-9]*: [0-9]*/: N/; s/satp-.*\.tr/PART/'
done
