# SPDX-License-Identifier: Apache-2.0
# The thread that runs when a trace begins is one thread, although the first rows of it do
# not tell the kernel's tp, or not the program: it begins in user code, or in the kernel,
# which returns to user code. If the kernel has perhaps gone to another task before it tells
# a tp, they remain two.
. "$SRC/tests/cli/tr-unwind.inc"
sed -n 's/^header watch=4/header watch=2,4/; /^header/p' run.txt > header
grep '^block\|^note' run.txt > code

# threads NAME: cycles of each thread of the run whose hart and rows are on standard input.
threads() {
	echo "# $1"
	{ cat header; read -r hart; echo "$hart"; cat code -; echo 'end end=power-off'; } > "$1.txt"
	tr-text --encode -o "$1.tr" "$1.txt"
	tr-unwind -o "$1.stacks" "$1.tr"
	tr-text "$1.stacks" | grep '^thread t[1-9]' || true
	tr-fold --by thread "$1.stacks" | awk '{ sum[substr($1, 1, index($1, ";") - 1)] += $NF }
		END { for (name in sum) print name, sum[name] }' | sort
}
first='hart 0 priv=U satp=0x8000000000000001 space=1
reg x2 0x3000
row start'
trap='trap cause=8 priv=S epc=0x10304 cycles=2'
kernel='row entry
row handler
row entry2'
rest='reg x2 0x3000
xret priv=U
row bar2
row start2'
threads user << END
$first
row main1
row foo
row main2
row bar1
$trap
reg x4 0xffffffff80001000
reg x2 0xffffffff80009000
$kernel
$rest
END
threads kernel << END
hart 0 priv=S satp=0x8000000000000001 tp=0xffffffff80001000 space=1
reg x2 0xffffffff80008f00
$kernel
$rest
trap cause=8 priv=S epc=0x1000a
reg x4 0xffffffff80001000
reg x2 0xffffffff80009000
$kernel
END
# The first task never comes back.
threads switch << END
hart 0 priv=S satp=0x8000000000000001 tp=0xffffffff80001000 space=1
reg x2 0xffffffff80008f00
row entry
reg x2 0xffffffff8000af00
reg x4 0xffffffff80002000
row handler
row entry2
$rest
END
# It comes back, and then returns to user code, which its stack has from there on.
threads back << END
hart 0 priv=S satp=0x8000000000000001 tp=0xffffffff80001000 space=1
reg x2 0xffffffff80008f00
row entry
reg x2 0xffffffff8000af00
reg x4 0xffffffff80002000
row handler
reg x2 0xffffffff80008f00
reg x4 0xffffffff80001000
row entry2
$rest
END
tr-fold back.stacks
# The handler leaves the user's stack first: the tp may be that of another task.
threads late << END
$first
row main1
row foo
row main2
row bar1
$trap
reg x2 0xffffffff80009000
row entry
reg x4 0xffffffff80001000
row handler
row entry2
$rest
END
# No tp is ever told.
threads none << END
$first
row main1
row foo
END
# A gap comes before the tp: another task may have run in it.
threads gap << END
$first
row main1
gap reason=lost cycles=7
row main2
row bar1
$trap
reg x4 0xffffffff80001000
reg x2 0xffffffff80009000
$kernel
$rest
END
# Nor if instructions are missing without a gap that tells of it.
threads break 2> break.err << END
$first
row main1
row bar1
$trap
reg x4 0xffffffff80001000
reg x2 0xffffffff80009000
$kernel
$rest
END
# Another thread of the same process begins behind a gap, and does not take what was before it.
sed -n 's/^note 1/note 2/p' code > second && cat second >> code
threads again << END
$first
row main1
gap reason=lost cycles=7
satp 0x8000000000000002
space 2
reg x2 0x5000
row start
gap reason=lost cycles=7
satp 0x8000000000000001
space 1
reg x2 0x7000
row start
row main1
row foo
row main2
row bar1
$trap
reg x4 0xffffffff80001000
reg x2 0xffffffff80009000
$kernel
END
