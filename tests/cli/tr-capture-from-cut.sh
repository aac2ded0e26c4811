# SPDX-License-Identifier: Apache-2.0
# Logs that end in the middle of a line: either the line is left out, and that is said, or
# it is as good as whole. Nothing is made of a part of an address, instruction or register.
# STRIDE=1: at six times as many places.
cp "$SRC"/tests/cli/data/logs/*.log .
mkdir part
cat > part/spike-rv32.log << 'END'
core   0: 0x80000000 (0x00016117) auipc   sp, 0x16
core   0: 3 0x80000000 (0x00016117) x2  0x80016000
core   0: 3 0x80000004 (0x1141) x2  0x80015ff0
core   0: 3 0x80000006 (0x18029073) c384_satp 0x80000202
core   0: exception interrupt #11, epc 0x80000200
core   0:           tval 0x00000010
core   0: 3 0x80000100 (0x822a) x4  0x80016000
END
cat > part/boom.log << 'END'
C10432: 3 0x0000000080000000 (0x00013103) ld sp, 0(sp) x 2 0x0000000080015ff0 mem 0x0000000080015ff0
END
cat > part/cva6.log << 'END'
core   0: 0x0000000080000000 (0x00016117) DASM(00016117)
3 0x0000000080000000 (0x00016117) x 2 0x0000000080016000
 exception @ 0x0000000080000004 (0x0005b503)
core   INTERRUPT 0: 0x0000000080000200 (0x30200073) DASM(30200073)
3 0x0000000080000200 (0x30200073)
END
cat > part/cva6-timed.log << 'END'
                 266 0x80000000 M (0x00002117) DASM(00002117)
                 268 0x80000004 M (0x00010113) DASM(00010113)
END
cat > part/qemu.log << 'END'
IN: main
Priv: 0; Virt: 1
0x0000000000010000:  00016117          auipc           sp,90112

Trace 0: 0x7f12a4000940 [00000000/0000000000010000/00101003/ff021000] main
Trace 0: 0x7f12a4000940 [00000000/0000000000010000/00101003/ff021000] main
Stopped execution of TB chain before 0x7f12a4000940 [0000000000010000] main
Trace 1: 0x7f12a4000940 [00000000/0000000000010000/00101003/ff021000] main
riscv_cpu_do_interrupt: hart:1, async:1, cause:0000000000000007, epc:0x0000000000010004, tval:0x0000000000000010, desc=m_timer
END
convert() { # FORMAT FILE: leaves the result in $2.txt
	status=0
	tr-capture --no-provenance --from "$1" -o "$2.tr" "$2" 2> message || status=$?
	tr-text --tokens "$2.tr" | sed /^end/d > "$2.txt"
}
total=0 first=0 step=$((5 * ${STRIDE:-6}))
for log in *.log part/*.log; do
	name=$(basename "$log" .log) wrong=0 bytes=0
	format=$(tr-capture "$log" 2> message | tr-text - | sed -n 's/^header source=//p')
	case $name in
	tracerv-binary | *-real) continue ;; # the latter have the same lines
	esac
	: > before
	while IFS= read -r line; do
		{ cat before; echo "$line"; } > after
		: > before.txt
		[ ! -s before ] || convert $format before
		convert $format after
		first=$(((first + 1) % step))
		for ((at = first + 1; at < ${#line}; at += step)); do
			[[ ${line:0:at} = *[!$' \t']* ]] || continue
			{ cat before; printf %s "${line:0:at}"; } > cut
			convert $format cut
			bytes=$((bytes + 1))
			case $status in
			0) cmp -s cut.txt after.txt && continue ;;
			2)
				cmp -s <(grep -v ^header cut.txt) <(grep -v ^header before.txt) &&
					grep -q 'truncated\|no instruction\|no stack' message && continue
				;;
			esac
			wrong=$((wrong + 1))
			echo "$name: status $status: ${line:0:at}"
		done
		mv after before
	done < "$log"
	echo "$name: $wrong wrong"
	total=$((total + bytes))
done
[ $total -gt $((4000 / step)) ] || echo "only $total cuts"
