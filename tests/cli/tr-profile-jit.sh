# SPDX-License-Identifier: Apache-2.0
# tr-profile --jit: files of what programs wrote, by what tr-replay prints of jit.probes; the other
# programs do nothing here.
mkdir -p a/bin
ln -s "$SRC/filters" filters
ln -s "$BIN/../target" a/target
cp "$BIN/tr-profile" a/bin
touch_option() { printf '%s\n' '#!/bin/sh' 'while [ $# -gt 0 ]; do' "[ \"\$1\" = $1 ] && : > \"\$2\"; shift; done"; }
touch_option --checkpoint > a/bin/soc-model
touch_option -o | tee a/bin/tr-capture a/bin/tr-unwind a/bin/tr-fold a/bin/tr-report a/bin/tr-timeline > a/bin/tr-info
printf '%s\n' '#!/bin/sh' 'case $* in *--perf-map*) printf "%s\n" "$*" | grep -o "[-]-perf-map [^ ]*" > said;; esac' > a/bin/tr-match
{ cat a/bin/tr-match; sed 1d a/bin/tr-info; } > a/bin/tr-unwind
printf '%s\n' '#!/bin/sh' 'case $* in *jit.probes*-o*) cp hits "$4";; esac' > a/bin/tr-replay
chmod +x a/bin/*
printf '\t.globl _start\n_start: nop\n' | riscv64-linux-gnu-gcc -nostdlib -static -Wl,-Ttext=0x80200000 -Wl,--build-id=none -x assembler - -o kernel
riscv64-linux-gnu-gcc -O1 -nostdlib -static -Wl,--build-id=none -x c - -o program <<< 'void _start(void) { }'
export XDG_CACHE_HOME=$PWD/cache
try() { # TEXT
	printf "$1" > hits
	rm -f said
	a/bin/tr-profile --linux --model --kernel kernel --jit -o out program 2>&1 > /dev/null | sed "s|$PWD|PWD|g" | grep 'jit\|no program'
	cat said 2> /dev/null
	for file in out/*-*; do
		[ -e "$file" ] && echo "$file:" && cat -v "$file" && echo
	done
}
hit() { printf '12 hart 0 jit_write file="%s" size=%s data=%s\\n' "$1" "$2" "$3"; } # FILE SIZE HEX
echo '# two files, by turns'
try "$(hit perf-18.map 4 61620a0a)$(hit jit-7.dump 3 0001ff)$(hit perf-18.map 2 630a)"
echo '# with the address space, if one wrote all'
written() { printf '12 hart 0 jit_write satp=%s file="%s" size=1 data=61\\n' "$1" "$2"; } # SATP FILE
try "$(written 9223389629041344804 perf-18.map)$(written 18 perf-19.map)$(written 18 perf-20.map)$(written 19 perf-20.map)$(written 9223389629041344804 perf-18.map)"
rm -r out
echo '# other names, and other lines'
try "$(hit perf-.map 1 61)$(hit ../perf-1.map 1 61)$(hit perf-1.mapx 1 61)$(hit perf-1x.map 1 61)$(hit jit-1.map 1 61)nonsense\n$(hit perf-111111111111111111111111111111111111.map 1 61)"
echo '# damaged'
try "$(hit perf-18.map 4 6162)"
try "$(hit perf-18.map 4 616x6162)"
try "$(hit perf-18.map 4 missing)"
try "$(hit perf-18.map 1 6162)"
try '12 hart 0 jit_write file="perf-18.map" size=x data=61\n'
try '12 hart 0 jit_write file="perf-18.map" size=18446744073709551615 data=61'
echo '# commands'
a/bin/tr-profile --dry-run --linux --model --kernel kernel --jit -o out program 2> /dev/null | grep -o 'jit.probes.*\|--perf-map [^ ]*'
