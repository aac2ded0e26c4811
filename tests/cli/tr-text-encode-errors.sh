# SPDX-License-Identifier: Apache-2.0
# Each bad line is reported by its number. The first word names the case.
try() {
	{ echo 'header content=rows'; echo 'block b pc=0x10 1141 8082'; printf '%s\n' "$@"; } > a.txt
	tr-text --encode -o a.tr a.txt
	[ $? = 2 ] || echo "taken: $*"
}
try 'row b'
try 'row c' end
try 'row b x' end
try 'row b x99999999999' end
try 'row b stall 2:1' end
try 'row b stall 1:1 0:1' end
try 'row b stall 0:1/32*1' end
try 'row b stall 0:1/1*' end
try 'row b stall 0:281474976710656' end
try 'row b what' end
try 'row b pc=3' end
try 'frob' end
try 'header late=1' end
try 'block c pc=0x10 114' end
try 'block c pc=0x10 11411' end
try 'block c pc=0x10 8067' end
try 'block c pc=0x10 1141 ....' end
try 'block c pc=0x10' end
try 'block c 1141' end
try 'block c pc=zero 1141' end
try "block c pc=0 $(printf '1141 %.0s' {1..257})" end
try 'hart 0 cycle=3' 'hart 0 cycle=4' end
try 'hart 0 satp=3' 'hart 0 priv=S' end
try 'hart -1' end
try 'hart 0 priv=X' end
try 'token 0x10 1141 cycles=1 cycle=2' end
try 'hart 0 cycle=3' 'token 0x10 1141 cycle=2' end
try "token 0x10 1141 cycle=$((1 << 48))" end
try 'token 80000000c 1141' end
try 'token 0x10 1141 hart=0 priv=U' end
try 'trap cause=8 epc=0' end
try 'trap priv=S' end
try 'gap cycles=3 reason=none' end
try 'reg x32 0' end
try 'reg y4 0' end
try 'satp' end
try 'trigger maybe' end
try 'mark data=123' end
try 'event kind=3 data=' end
try 'xret priv=U token=1' 'row b' end
try 'note 1 b' end
try 'note 1 b bin=7' end
try 'note 1 c bin=7' end
try 'row "b' end
try 'row "\q"' end
try end 'row b'
try 'token 80000000 00000013' end
try 'row b' 'trap cause=8 epc=80000000 priv=M' end
try 'row b' 'end instructions=3'
try 'break from=0x10 to=0x20 count=0' 'row b' end
try 'end no value'
try "$(printf 'gap reason=lost cycles=281474976710655\n%.0s' {1..20000})" end
