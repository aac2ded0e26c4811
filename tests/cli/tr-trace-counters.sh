# SPDX-License-Identifier: Apache-2.0
# The trace port: counters, what is true of a commit, and its load.
reasons() { "$BIN/../tests/reasons" "$@"; }
show() { tr-text --tokens "$1" | grep -v '^header \(pg\|source\)'; }

# The first sample is that of the cycle before the first commit, the last one that of the end;
# those of cycles 14 and 22 are less than the period behind the ones before them. That of cycle
# 17 is behind a trap, whose time comes first.
cat > run << 'END'
sample 0 7 1 1
sample 0 9 2 1
commit 0 10 0x1000 0x00000013
sample 0 12 3 1
sample 0 14 5 2
mark 3 0x80001234 17
commit 0 15 0x1004 0x0002a283
mark 2
commit 0 16 0x1008 0x00000000 1
sample 0 17 7 2
mark 1
commit 0 18 0x2000 0x30200073
sample 0 20 8 3
mark 0 0x10 1
commit 0 21 0x1008 0x0002a283
sample 0 22 9 3
sample 0 25 10 4
end 25
END
reasons run.tr 1 trap 0 3 cache.misses,branches mispredicted,dcache.miss < run
show run.tr
# They are part of the stacks.
printf '\t.globl _start\n_start: nop\n' > p.S
riscv64-unknown-elf-gcc -march=rv32i -mabi=ilp32 -nostdlib -Wl,--build-id=none -Wl,-Ttext=0x1000 -o p.elf p.S
tr-match --bins p.elf run.tr 2> match.log | tr-unwind 2> unwind.log | tr-text - | grep -E '^(counters|probe)'
# Without instructions the lengths are still those that the addresses tell.
sed '/0x2000/d; s/0x1008 0x0002a283/0x1006 0x0002a283/' run | reasons plain.tr 1 trap 32 3 a,b c,d
show plain.tr | grep -E '^(token|probe|counters)'
# A sample may end a trace of which no cycle is known behind the last commit.
printf '%s\n' 'commit 0 5 0x1000 0x13' 'sample 0 9 1 2' 'end 0' | reasons end.tr 1 '' 0 3 a,b ''
show end.tr | grep -E '^(token|counters|gap)'

refuse() { # COUNTERS FLAGS LINE...
	local counters=$1 flags=$2
	shift 2
	printf '%s\n' "$@" | reasons bad.tr 1 '' 0 3 "$counters" "$flags" && echo "not refused: $*" || echo "status $?"
} 2>&1
first='commit 0 5 0x1000 0x13'
refuse a,b '' "$first" 'sample 0 4 1 1'
refuse a,b '' "$first" 'sample 0 8 1 1' 'sample 0 7 1 1'
refuse a,b '' "$first" 'sample 0 8 1 1' 'commit 0 7 0x1004 0x13'
refuse '' '' "$first" 'sample 0 8 1 1'
refuse a,a '' "$first"
refuse a,,b '' "$first"
refuse a,b c,,d "$first"
refuse a,b c,c "$first"
refuse a,b 'c;d' "$first"
refuse a,b c,d 'mark 4' "$first"
printf '%s\n' 'mark 0 0x10 1' "$first" | reasons bad.tr 1 '' 2>&1 || echo "status $?"
