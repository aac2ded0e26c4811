#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# gdb-clients.sh BIN TARGET FOLDER: who may connect to tr-replay --gdb, what it forgets when a
# client goes, and clients that are not gdb.
set -eu -o pipefail
bin=$1 target=$2 folder=$3
. "$(dirname "$0")/gdb.inc"

soc-sim --trace hello.tr "$target/firmware.elf" "$target/hello.elf" > console
run=(hello.tr "$target/firmware.elf" "$target/hello.elf")
tr-replay --index hello.ix "${run[@]}" > /dev/null
serve --index hello.ix "${run[@]}"

# It listens on the loopback address, and on no other.
listens=$(awk -v port="$(printf ':%04X$' "$port")" '$2 ~ port && $4 == "0A" { print $2 }' /proc/net/tcp /proc/net/tcp6)
[ "$listens" = "$(printf '0100007F:%04X' "$port")" ] || { echo "gdb: it listens on $listens"; exit 1; }

client() { # COMMANDS THAT WRITE [AND READ]
	timeout 20 bash -c "exec 3<>/dev/tcp/127.0.0.1/$port; { $1; } >&3; ${2:-:}" > client.out 2>&1 || :
}
packet() { # TEXT BYTES OF THE ANSWER
	local sum=0 i
	for ((i = 0; i < ${#1}; i++)); do sum=$((sum + $(printf '%d' "'${1:i:1}"))); done
	client "printf '+\$%s#%02x' '$1' $((sum % 256))" "head -c $2 <&3"
}

# Breakpoints and watches of a client that has gone stop no other.
address() { riscv64-unknown-elf-nm "$target/hello.elf" | sed -n "s/^0*\([0-9a-f]*\) . $1\$/\1/p"; }
for stop in "Z0,$(address page_alloc),2" "Z2,$(address fresh_pages),8"; do
	packet "$stop" 6
	[ "$(cat client.out)" = '+$OK#9' ] || { echo "gdb: no answer to $stop"; exit 1; }
	packet 'vCont;c' 20
	[ "$(cat client.out)" = '+$T05replaylog:end;t' ] || { echo "gdb: stopped by $stop"; cat client.out; exit 1; }
	packet bc 20
done

# Clients that are not gdb are refused, each with a line.
cp server.err before
client 'gzip -c hello.tr' 'cat <&3'
client 'yes' 'cat <&3'
client "printf '\$'; head -c 100000 /dev/zero" 'cat <&3'
client "printf 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n\$D#44'" 'cat <&3'
client "printf '+\$?#3fGET / HTTP/1.1\r\n\r\n'" 'cat <&3 > /dev/null'
client 'while printf +; do :; done'
client : 'cat <&3' # keeps silent
for _ in {1..7}; do echo 'tr-replay: note: --gdb: a client that is not gdb was refused'; done | cat before - > expected
same 'what is said of clients' server.err expected

# What is not complete, or not known.
client "printf '\$m8000'"
client "printf '\$g#00'"
client ':'
# shellcheck disable=SC2054 # of a packet
packets=(g p p20 pzz pffffffffffffffff m m, m0,0 mffffffffffffffff,ffffffffffffffff m80000000,99999999 Z Z0 Z0, Z0,x,2
	Z2,80000000,ffffffffffffffff z9,0,0 Z9,0,0 H Hg Hgff Hgffffffffffffffffff T Tx 'vCont;' 'vCont;s:' 'vCont;s:99' vCont vKilx
	b bx q qRcmd, qRcmd,zz 'qXfer:features:read:target.xml:' 'qXfer:features:read:target.xml:fffffff,1' '!' ''
	'qXfer:features:read:target.xml:0,ffffffff' X80000000,1:x G00 P0=0 QNonStop:1 bs bc s)
for text in "${packets[@]}"; do
	packet "$text" 2
	[ "$(cat client.out)" = '+$' ] || { echo "gdb: no answer to $text"; exit 1; }
done
debug "$target/hello.elf" > session << 'E'
monitor cycle
kill
E
grep -q '^cycle ' session || { echo 'gdb: the server does not serve any more'; exit 1; }

same 'what is said of clients' server.err expected
echo "gdb: loopback only; a client leaves no breakpoints; ${#packets[@]} packets are survived, and seven streams of garbage refused"
