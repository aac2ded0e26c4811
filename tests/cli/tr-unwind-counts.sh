# SPDX-License-Identifier: Apache-2.0
# Counts by address: executions and cycles of each instruction, and taken branches, are
# those that awk counts in the tokens; call sites; nothing else changes. The stream goes
# through its text form unchanged.
cat > soup.c << 'END'
asm("	.globl _start\n"
    "_start:\n"
    "	la sp, _start + 0x10000\n"
    "	call main\n"
    "	li a0, 0x100000\n"
    "	li a1, 0x5555\n"
    "	sw a1, 0(a0)\n");
volatile int pot;
static inline int pour(int value)
{
	pot = pot * 3 + value;
	return pot & 1 ? value : -value;
}
__attribute__((noinline, noclone)) static int down(int n)
{
	return n ? down(n - 1) + pour(n) : 0;
}
__attribute__((noinline, noclone)) static int twice(int (*f)(int), int n)
{
	return f(n) + f(n + 1);
}
int main(void)
{
	int sum = 0;
	for (int i = 0; i < 5; i++)
		sum += twice(down, i) - down(2);
	return sum;
}
END
riscv64-unknown-elf-gcc -g -O1 -march=rv64imac -mabi=lp64 -mcmodel=medany -ffreestanding -nostdlib -static \
	-Wl,-n,-Ttext=0x80000000,--no-warn-rwx-segments -o soup.elf soup.c
soc-sim --trace soup.tr soup.elf
tr-match --bins soup.elf -o matched.tr soup.tr
tr-unwind --addresses -o counts.tr matched.tr
tr-unwind -o plain.tr matched.tr
tr-text counts.tr > counts.txt
tr-text --encode counts.txt | tr-text | cmp - counts.txt
cmp <(tr-fold counts.tr) <(tr-fold plain.tr)
cmp <(tr-report functions counts.tr) <(tr-report functions plain.tr)
cmp <(tr-text plain.tr) <(tr-text plain.tr | tr-text --encode | tr-text)

echo '== the same by awk'
tr-text --tokens matched.tr | awk '
	BEGIN { CONVFMT = OFMT = "%.0f" }
	function number(text, sum, i) {
		sum = 0
		for (i = 3; i <= length(text); i++)
			sum = sum * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
		return sum
	}
	$1 == "token" {
		pc = number($2)
		sub(/^cycles=/, "", $4)
		executions[pc]++
		cycles[pc] += $4 + 0
		if (last && pc != last + bytes)
			branches[last " " pc]++
		last = pc
		bytes = length($3) / 2
	}
	END {
		for (pc in executions) print "at", pc, executions[pc], cycles[pc]
		for (b in branches) print "branch", b, branches[b]
	}' | sort > tokens.txt
awk '
	BEGIN { CONVFMT = OFMT = "%.0f" }
	function number(text, sum, i) {
		sum = 0
		for (i = 3; i <= length(text); i++)
			sum = sum * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
		return sum
	}
	function value(key, i) {
		for (i = 2; i <= NF; i++)
			if (index($i, key "=") == 1) return substr($i, length(key) + 2)
		return ""
	}
	function spot(text, parts) {
		split(text, parts, "+")
		return at[parts[1], parts[2] + 0]
	}
	$1 == "span" {
		pc = number(value("address"))
		code = value("code")
		gsub(/@[^\/]*\//, "", code)
		size[$2] = length(code)
		for (i = 0; i < length(code); i++) {
			at[$2, i] = pc
			pc += substr(code, i + 1, 1)
		}
	}
	$1 == "count" {
		n = value("executions")
		for (i = 0; i < size[$3]; i++) {
			executions[at[$3, i]] += n
			cycles[at[$3, i]] += n
		}
		stalls = split(value("cycles"), part, ",")
		for (i = 1; i <= stalls; i++) {
			split(part[i], stall, "*")
			cycles[at[$3, stall[1] + 0]] += stall[2] - n
		}
	}
	$1 == "branch" { branches[spot(value("from")) " " spot(value("to"))] += value("count") }
	END {
		for (pc in executions) print "at", pc, executions[pc], cycles[pc]
		for (b in branches) print "branch", b, branches[b]
	}' counts.txt | sort > counted.txt
diff tokens.txt counted.txt && awk '{ n[$1]++ } END { print n["at"] " addresses, " n["branch"] " branches" }' tokens.txt

echo '== definitions'
grep -E '^header addresses|^scope|^node' counts.txt
grep '^span' counts.txt | head -8
