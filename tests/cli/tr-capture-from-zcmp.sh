# SPDX-License-Identifier: Apache-2.0
# Packets of an encoder tell where control goes from cm.popret, cm.jt and cm.jalt, and
# nothing of c.fsdsp: the program's attributes tell which of them it is, or an ABI without
# doubles.
. "$SRC/tests/cli/tr-unwind-zcmp.inc"
tokens() { tr-text --tokens "$1" | awk '$1 == "token" { print $2, $3 }'; }
both() { # NAME ISA: its log by packets and back
	grep ': 3 ' "$1.log" > commits.log
	tr-capture -o own.tr commits.log
	tr-text --tokens own.tr | sed "1a header isa=$2" > own.txt
	for mode in '' 'implicit_return=1 return_stack_size=2' 'resync=3 jump_target_cache=1 cache_size=3'; do
		perl "$SRC/tests/cli/data/logs/etrace.pl" iaddress_width=32 $mode < own.txt > trace.etrace
		parameters=iaddress_lsb=1,iaddress_width=32
		for word in $mode; do
			[[ $word = implicit* || $word = resync* || $word = jump* ]] || parameters+=,$word
		done
		tr-capture --from etrace --bins "$1.elf" --encoder "$parameters" -o a.tr trace.etrace
		tokens a.tr | cmp - <(tokens own.tr) && echo "$1 $mode: $(tokens a.tr | wc -l)"
	done
	perl "$SRC/tests/cli/data/logs/tacit.pl" < own.txt > trace.tacit
	tr-capture --from tacit --bins "$1.elf" -o a.tr trace.tacit
	tokens a.tr | cmp - <(tokens own.tr) && echo "$1: $(tokens a.tr | wc -l)"
}
build calls -march=rv32imac
run calls zcmp
both calls rv32imac_zcmp
build table -march=rv32imac -Wa,-mno-arch-attr
run table zcmp 40=last 2=next 1=last 33=work
both table rv32imac_zcmt
build doubles -march=rv32imafdc
run doubles
both doubles rv32imafdc
build doubles -march=rv32imafdc -mabi=ilp32d -Wa,-mno-arch-attr
both doubles rv32imafdc
