# SPDX-License-Identifier: Apache-2.0
# Why there would be no graph: nothing captured, no trigger, no bits.
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
