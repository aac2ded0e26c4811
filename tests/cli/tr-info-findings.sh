# SPDX-License-Identifier: Apache-2.0
# Reasons for an empty graph: nothing captured, trigger never fired, no instruction bits.
try() {
	tr-text --encode | tr-info | sed -n '/^findings/,$p'
	echo "status ${PIPESTATUS[1]}"
}
try <<END
header content=rows
end
END
try <<END
header content=rows
gap cycles=1000 reason=untraced
end
END
try <<END
header content=rows
header cannot_supply=priv,satp
block a pc=0x100 .... ........
row a
end
END
try <<END
header content=rows
block a pc=0x100 1141 8082
hart 0 priv=U
row a
end
END
try <<END
header content=rows
block a pc=0x100 1141 8082
hart 0 priv=U satp=1
row a
end
END
nothing() { # KEY=VALUE of the end record, or nothing
	try <<-END
	header content=rows
	gap cycles=1000 reason=untraced
	end ${1-}
	END
}
nothing 'trigger=never met'
try <<END
header content=rows
header split.satp=0x77
gap cycles=1000 reason=untraced
end
END
some() { # more lines of the end record
	try <<-END
	header content=rows
	block a pc=0x100 1141 8082
	row a x10000
	$1
	END
}
some 'end end=endless traps at 0x100, cause 2'
some 'end trigger=never met'
some $'end match_unknown_instructions=2\nend match_ambiguous_instructions=2'
some $'end match_unknown_instructions=3\nend match_ambiguous_instructions=500'
some 'end match_unknown_instructions=20000'
some 'end unwind_doubted_cycles=0'
some 'end unwind_doubted_cycles=2'
some 'end unwind_nameless_instructions=40'
some 'end match_kernel_refused=7'
some 'end unwind_depth_refused=7'
try <<END
header content=rows
header watch=2
header cannot_supply=classes,satp
block a pc=0x100 1141 8082
hart 0 priv=S
row a
priv U
row a
end
END
some $'end unwind_unknown_instructions=40\nend unwind_ambiguous_instructions=41'
{
	grep -v '^end' "$SRC/tests/cli/data/stacks.txt"
	echo 'end match_unknown_instructions=4000000'
} | try
