#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# gdb-clients.sh BIN TARGET FOLDER: clients that send garbage are survived.
set -eu -o pipefail
bin=$1 target=$2 folder=$3
. "$(dirname "$0")/gdb.inc"

# Clients that are none.
soc-sim --trace hello.tr "$target/firmware.elf" "$target/hello.elf" > console
run=(hello.tr "$target/firmware.elf" "$target/hello.elf")
tr-replay --index hello.ix "${run[@]}" > /dev/null
serve --index hello.ix "${run[@]}"
client() { # COMMANDS THAT WRITE [AND READ]
	timeout 20 bash -c "exec 3<>/dev/tcp/127.0.0.1/$port; { $1; } >&3; ${2:-:}" > client.out 2>&1 || :
}
client 'head -c 300000 /dev/urandom' 'cat <&3'
client 'yes' 'cat <&3'
client "printf '\$'; head -c 100000 /dev/zero" 'cat <&3'
client "printf '\$m8000'"
client "printf '\$g#00'"
client ':'
packets=(g p p20 pzz pffffffffffffffff m m, m0,0 mffffffffffffffff,ffffffffffffffff m80000000,99999999 Z Z0 Z0, Z0,x,2
	Z2,80000000,ffffffffffffffff z9,0,0 Z9,0,0 H Hg Hgff Hgffffffffffffffffff T Tx 'vCont;' 'vCont;s:' 'vCont;s:99' vCont vKilx
	b bx q qRcmd, qRcmd,zz 'qXfer:features:read:target.xml:' 'qXfer:features:read:target.xml:fffffff,1' '!' ''
	'qXfer:features:read:target.xml:0,ffffffff' X80000000,1:x G00 P0=0 QNonStop:1 bs bc s)
for packet in "${packets[@]}"; do
	sum=0
	for ((i = 0; i < ${#packet}; i++)); do sum=$((sum + $(printf '%d' "'${packet:i:1}"))); done
	client "printf '+\$%s#%02x' '$packet' $((sum % 256))" 'head -c 2 <&3'
	[ "$(cat client.out)" = '+$' ] || { echo "gdb: no answer to $packet"; exit 1; }
done
debug "$target/hello.elf" > session << 'E'
monitor cycle
kill
E
grep -q '^cycle ' session || { echo 'gdb: the server does not serve any more'; exit 1; }

[ ! -s server.err ] || { echo 'gdb: messages'; cat server.err; exit 1; }
echo "gdb: ${#packets[@]} packets and six streams of garbage are survived"
