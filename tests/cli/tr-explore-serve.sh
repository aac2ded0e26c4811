# SPDX-License-Identifier: Apache-2.0
# The server: its answers are those of --query; hostile requests; two servers over one folder;
# the port is free after the end.
. "$SRC/tests/cli/tr-explore.inc"
repeat() { printf "%0$1d" 0; }
mkdir run
tr-text --encode -o run/stacks.tr "$SRC/tests/cli/data/machine.txt"
echo secret > run/secret
start run
sed "s/$port/PORT/" said
until_run '"done":true'
for path in /run /names '/view?from=10&to=200&width=800' /overview '/folded?process=1'; do
	body "$path" | cmp - <(tr-explore --query "$path" run) && echo "$path: the same"
done
ask GET / | grep -c '^<!DOCTYPE html>\|^Content-Security-Policy\|^Cache-Control: no-store'
ask GET / | grep -c 'https\?://'

echo '# requests'
code GET /
code HEAD /view
code POST /view
code DELETE /
code GET /stacks.tr
code GET /secret
code GET /../secret
code GET /%2e%2e/secret
code GET //secret
code GET /explore.sqlite
code GET /annotate.html
code GET '/view?from=1&to='
code GET '/view?from=-1'
code GET '/view?root=4000000000'
code GET "/view?from=$(repeat 3000)1"
code GET /view example.org
code GET /view ''
code GET /view 127.0.0.1
ask GET "/$(repeat 100000)" > answer
ask GET / "$(repeat 100000)" > answer
for ((i = 0; i < 60; i++)); do
	(printf 'GET /view HTTP/1.1\r\nHost: 127.0.0.1:%s\r\n\r\n' "$port" > "/dev/tcp/127.0.0.1/$port") 2> answer
	(exec 3<> "/dev/tcp/127.0.0.1/$port") 2> answer
done
code GET /run

echo '# a page of annotations, and what only has its name'
echo '<p>annotated</p>' > run/annotate.html
body /annotate.html
rm run/annotate.html
mkdir run/annotate.html
code GET /annotate.html
rmdir run/annotate.html
mkfifo run/annotate.html
code GET /annotate.html

echo '# a port in use'
tr-explore --port "$port" run 2> message
echo "exit $?"
sed "s/$port/PORT/" message
ss=$(awk -v port="$(printf ':%04X' "$port")" '$4 == "0A" && index($2, port) { print $2 }' /proc/net/tcp /proc/net/tcp6)
echo "listens on ${ss%:*}"

echo '# a second server, while the index of the first is removed'
first=$server first_port=$port
rm run/explore.sqlite
start run
until_run '"done":true'
body /folded | cmp - <(tr-fold run/stacks.tr) && echo the same
stop
server=$first port=$first_port
body /folded | cmp - <(tr-fold run/stacks.tr) && echo 'the first goes on'
stop
tr-explore --port "$port" run 2> said &
server=$!
until_run '"done":true'
code GET /run
stop
ls run
