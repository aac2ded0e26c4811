# SPDX-License-Identifier: Apache-2.0
# At a commit width W a cycle has W slots: random runs, whose tables, flame graphs, windows
# and parts add up to W times their cycles, and to what awk sums instruction by instruction.
cat > code.S << 'END'
.macro nops from, count # each other than all the others
	.set number, \from
	.rept \count
	.word number << 20 | 0x13
	.set number, number + 1
	.endr
.endm
.macro function name, number
	.balign 256
	.type \name, @function
\name:	nops \number, 5
	beqz a0, . + 8
	jalr t0
	nops \number + 7, 8
	ret
	.size \name, . - \name
.endm
.option norvc
.globl f0
function f0, 0
function f1, 64
function f2, 128
function f3, 192
	.balign 256
	.type handler, @function
handler: nops 256, 3
	mret
	.size handler, . - handler
END
riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -nostdlib -Wl,-e,f0 -Wl,-Ttext=0x10000 \
	-o code.elf code.S
riscv64-unknown-elf-gcc -march=rv32imac -mabi=ilp32 -nostdlib -Wl,-e,f0 -Wl,-Ttext=0x10000 \
	-o code32.elf code.S
data=$SRC/tests/cli/data

# Prints "FUNCTION retired lost_1 ... lost_5", and the same of the whole with its slots, from
# the tables of tr-report tma.
tables() { # OPTION...
	tr-report tma --format csv "$@" | awk -F, -v at=0 '
		/^table,/ { for (i = 1; i <= NF; i++) column[$i] = i; unit = /slots/ ? "slots" : "cycles" }
		function value(name) { return $column[name "_" unit] + 0 }
		$1 == "classes" && $column["level1"] == "all" { slots = $column[unit] }
		$1 == "functions" {
			line = value("retiring")
			split("frontend.fetch memory.l2 core.div badspec.branch idle.wfi", class, " ")
			for (c = 1; c <= 5; c++) {
				line = line " " value(class[c])
				sum[c] += value(class[c])
			}
			retired += value("retiring")
			untraced += value("unclassified") + value("not_traced")
			self += value("self")
			if ($column["kind"] == "function")
				print substr($column["address"], 3, 3), line | "sort"
		}
		END {
			close("sort")
			line = "all " slots " - " retired
			for (c = 1; c <= 5; c++) line = line " " sum[c] + 0
			print line, untraced
			if (self != slots) print "self: " self
		}'
}

# Prints the same from the text of a stream.
sum_text() { # WIDTH FILE
	tr-text --tokens "$2" | awk -v width="$1" -f "$data/slot-sums.awk" |
		sed 's/^\(all [0-9]*\) [0-9]*/\1 -/'
}

# Adds up what tables() prints, several times over.
add_up() {
	awk '{ for (i = 2; i <= NF; i++) sum[$1, i] += $i; fields[$1] = NF }
		END {
			for (f in fields) {
				line = f
				for (i = 2; i <= fields[f]; i++) line = line " " sum[f, i]
				print line
			}
		}' | sort
}

expect() { # WANTED GOT WHAT
	diff "$1" "$2" > differences && return
	echo "$3:"
	head -6 differences
}

# Slots of the frame below all others by class, of a flame graph.
svg_classes() { # FILE
	awk -F, '/^"lost"/ { getline; for (i = 0; i < $1; i++) lost[$(2 + 2 * i)] = $(3 + 2 * i) }
		END { for (c = 0; c < 5; c++) printf " %d", lost[c]; print "" }' "$1"
}

check_windows() {
	{
		tables --to 777 s.tr
		tables --from 777 --to 1234 s.tr | tee middle
		tables --from 1234 s.tr
	} | add_up > parts
	add_up < got > whole
	expect whole parts "windows do not add up"
	awk -v wanted=$(($1 * $2 * 457)) '$1 == "all" && $2 != wanted { print "window:", $2, wanted }
		' middle
}

# Code of two privileges; the cycles of the other are a gap.
check_parts() { # WIDTH
	local priv
	for priv in u m; do
		tr-split-by-satp --priv "$priv" -o split.tr run.tr
		sum_text "$1" split.tr > split
		tr-match --bins code.elf split.tr | tr-unwind -o part.tr 2> /dev/null
		grep ^all split | expect - <(tables part.tr | grep ^all) "part $priv"
		cat split
	done | grep -v ^all | add_up > parts
	grep -v ^all wanted | add_up | expect - parts "parts do not add up"
}

check_pictures() {
	tr-fold --tma --svg classes.svg -o tma.folded s.tr
	tr-fold s.tr | expect - tma.folded "folded text"
	svg_classes classes.svg > drawn
	sed -n 's/^all [0-9]* - [0-9]*\(\( [0-9]*\)\{5\}\) .*/\1/p' got | expect - drawn "picture"
	tables --idle s.tr | sed 's/[0-9]*$//' > idle
	sed 's/[0-9]*$//' got | grep ^all | expect - <(grep ^all idle) "idle"
	tr-report classes --by hart --format csv s.tr |
		awk -F, -v wanted="$(grep ^all got | cut -d ' ' -f 2)" '
			NR > 1 && $5 == "all" { sum += $1 }
			END { if (sum != wanted) print "harts:", sum, wanted }'
	tr-diff --tma s.tr s.tr || echo "differs from itself"
}

# The slots of class 5, which the source no longer tells, have no class, or were not traced.
check_unclassified() { # WIDTH
	sed 's,/5\*[0-9]*,,g' run.txt | tr-text --encode -o u.tr
	tr-match --bins code.elf u.tr | tr-unwind -o u.stacks 2> /dev/null
	awk '$1 == "all" { $10 += $9; $9 = 0; print }' wanted > none
	tr-report classes --format csv u.stacks | awk -F, -v width="$1" '
		NR == FNR { split($0, wanted, " "); next }
		FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		$column["level2"] == "" { of[$column["level1"]] = $1; sum += $1 }
		END {
			if (sum != 2 * of["all"] || of["all"] != wanted[2])
				print "unclassified: sum", sum, of["all"], wanted[2]
			if (!of["unclassified"] ||
			    of["unclassified"] + of["not traced"] != wanted[10])
				print "unclassified:", of["unclassified"], of["not traced"], wanted[10]
		}' none -
	tables u.stacks | grep ^all | expect none - "without class 5"
}

one() { # WIDTH HARTS SEED
	awk -v width="$1" -v harts="$2" -v seed="$3" -v cycles=2000 -f "$data/slots.awk" > run.txt
	tr-text --encode -o run.tr run.txt
	tr-match --bins code.elf -o m.tr run.tr
	tr-unwind -o s.tr m.tr 2> /dev/null
	sum_text "$1" run.tr > wanted
	tables s.tr > got
	expect wanted got "tma"
	check_windows "$1" "$2"
	check_parts "$1"
	check_pictures
	check_unclassified "$1"
}

# The sink's library and tr-text write the same instructions; the sink has no classes.
check_sink() { # SEED
	local text=run.txt
	awk -v width=4 -v harts=1 -v seed="$1" -v cycles=2000 -v commits=1 -f "$data/slots.awk" |
		sed 's/^header xlen=64/header xlen=32/; s/ priv=U.*/ priv=M/' > $text
	tr-text --encode -o run.tr $text
	tr-text --tokens run.tr | awk '$1 == "token" {
			sub("cycle=", "", $6)
			if (NR > 1 && pc) print pc, $2, rest
			pc = $2
			rest = "0x" $3 " 0 0 0 " $6
		}
		END { print pc, 0, rest }' > commits
	"$BIN/../tests/commits" sink.tr 0 4 < commits
	tr-text sink.tr | grep -E '^header (commit_width|cannot_supply)'
	for stream in run sink; do
		tr-text --tokens $stream.tr | awk '$1 == "token" { sub("/.*", "", $4); print $2, $3, $4, $6 }' \
			> $stream.tokens
		tr-match --bins code32.elf $stream.tr 2> /dev/null | tr-unwind -o $stream.stacks 2> /dev/null
		tr-report functions $stream.stacks > $stream.functions
	done
	expect run.tokens sink.tokens "tokens"
	expect run.functions sink.functions "functions"
	cat sink.functions
	tr-fold sink.stacks
	tr-report tma sink.stacks
	tr-report tma run.stacks
	tr-profile --bins code32.elf -o sink-profile sink.tr > /dev/null 2>&1
	tr-profile --bins code32.elf -o run-profile run.tr > /dev/null 2>&1
	diff <(ls sink-profile) <(ls run-profile)
}

for width in 1 2 3 4 8; do
	for seed in 1 2 3; do
		echo "# $width a cycle, $seed"
		one $width "$seed" "$seed"
	done
done
echo "# 4 a cycle, by the sink"
check_sink 1
