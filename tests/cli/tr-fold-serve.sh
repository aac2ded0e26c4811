# SPDX-License-Identifier: Apache-2.0
# --serve: a stream that arrives in parts, requests of all kinds, the same output.
stream() {
	cat << 'END'
header content=stacks
header precision=cycles
frame 0
func f0 kind=program binary=demo name=demo
func f1 kind=function binary=demo name=main
func f2 kind=function binary=k name=work
node n1 parent=n0 func=f0
node n2 parent=n1 func=f1
node n3 parent=n2 func=f2
thread t0 tp=0x1 name=demo
END
	for ((i = 0; i < 400; i++)); do
		[ $i = 0 ] || echo "frame $i"
		echo "hart 0 cycle=$((i * 10000))"
		echo "srow n2 t0 cycles=$((1000 + i)) instructions=500"
		echo "srow n3 t0 cycles=$((9000 - i)) instructions=2000"
	done
	echo 'end end=power-off'
}

# Sends `METHOD PATH [HOST]`, prints the answer.
ask() (
	exec 3<> "/dev/tcp/127.0.0.1/$port" || exit
	printf '%s %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n' \
		"$1" "$2" "${3-127.0.0.1:$port}" >&3
	tr -d '\r' <&3
) 2> /dev/null
code() {
	echo "$1 ${2:0:20}${3+ of $3}: $(ask "$@" | sed -n '1s/^[^ ]* \([0-9]*\).*/\1/p')"
}
# Sets state to the answer's JSON, cycles and version to members of it.
look() {
	state=$(ask GET '/live?since=0' | sed '1,/^$/d')
	cycles=$(sed -n '1s/.*"cycles":\([0-9]*\).*/\1/p' <<< "$state")
	version=$(sed -n '1s/.*"version":\([0-9]*\).*/\1/p' <<< "$state")
}
repeat() { printf "%0$1d" 0; }

stream | tr-text --encode -u -o s.tr
tr-fold s.tr > plain
size=$(stat -c %s s.tr) part=$((size / 100)) at=$((size / 2))
mkfifo in
tr-fold --serve 0 --expect 8M < in > served 2> said &
fold=$!
exec 4> in
head -c $at s.tr >&4
for ((i = 0; i < 200; i++)); do
	port=$(sed -n 's,.*http://127.0.0.1:\([0-9]*\)/$,\1,p' said)
	[ -n "$port" ] && look && [ "${version:-0}" -gt 0 ] && break
	sleep 0.05
done
sed "s/$port/PORT/" said
sed -n '1s/:[0-9.]\+/:N/g; 1s/,"graph":.*//p' <<< "$state"
grep -c '"demo".*"main"' <<< "$state"
ask GET / | grep -c '^<!DOCTYPE html>\|^<svg\|^Content-Security-Policy'
first=$cycles graph=${state#*\"graph\"}

echo '# requests'
code GET /
code HEAD /
code GET /live
code POST /
code DELETE /live
code 'BAD!' /
code GET /../../etc/passwd
code GET "/$(repeat 4000)"
code GET / example.org
code GET / ''
ask GET "/$(repeat 100000)" > answer
ask GET / "$(repeat 100000)" > answer
ask "$(repeat 100000)" / > answer
for ((i = 0; i < 60; i++)); do
	(printf 'GET / HTTP/1.1\r\nHost: 127.0.0.1:%s\r\n\r\n' "$port" > "/dev/tcp/127.0.0.1/$port") 2> answer
	(exec 3<> "/dev/tcp/127.0.0.1/$port") 2> answer
done
code GET /live

echo '# a port in use'
tr-fold --serve "$port" s.tr 2> message
echo "exit $?"
sed "s/$port/PORT/" message
tr-text --encode "$SRC/tests/browser/classes.txt" | tr-fold --tma --serve "$port" 2>&1 | sed "s/$port/PORT/"
ss=$(awk -v port="$(printf ':%04X' "$port")" '$4 == "0A" && index($2, port) { print $2 }' /proc/net/tcp /proc/net/tcp6)
echo "listens on ${ss%:*}"

echo '# it grows'
for ((i = 0; i < 40 && ${version:-0} < 2; i++)); do
	tail -c +$((at + 1)) s.tr | head -c $part >&4
	at=$((at + part))
	sleep 0.3
	look
done
[ "$cycles" -gt "$first" ] && echo more cycles
[ "${state#*\"graph\"}" != "$graph" ] && echo another graph

echo '# it ends'
tail -c +$((at + 1)) s.tr >&4
exec 4>&-
while look && [ -n "$version" ]; do
	last=$state
done
wait $fold
echo "exit $?"
sed -n '1s/"rate":[0-9]*/"rate":N/; 1s/"age":.*//p' <<< "$last"
[ "${last: -1}" = '}' ] && cmp served plain && wc -l < served
wc -l < said
