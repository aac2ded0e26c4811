# SPDX-License-Identifier: Apache-2.0
# Instructions of 48 and 64 bits: QEMU's log has all of their bits, the log of its plugin only
# the first 32, and then only the length is known.
cat > qemu.log << 'END'
IN: main
Priv: 3; Virt: 0
0x80000000:  4505              c.li            a0,1
0x80000002:  12345678041f      illegal
0x80000008:  fedcba987654003f  illegal
0x80000010:  00000013          nop

Trace 0: 0x7f12a4000940 [00000000/0000000080000000/00101003/ff021000] main
Trace 0: 0x7f12a4000940 [00000000/0000000080000000/00101003/ff021000] main
END
cat > execlog.log << 'END'
0, 0x80000000, 0x041f4505, "c.li a0,1"
0, 0x80000002, 0x5678041f, "illegal"
0, 0x80000008, 0x7654003f, "illegal"
0, 0x80000010, 0x13, "nop"
0, 0x80000014, 0x5678041f, "illegal"
0, 0x80000000, 0x4505, "c.li a0,1"
END
for log in qemu execlog; do
	tr-capture -o $log.tr $log.log
	tr-text --tokens $log.tr | sed -n 's/^\(token [^ ]* [^ ]*\).*/\1/p'
	tr-text $log.tr | grep -E '^(block|row)'
done
