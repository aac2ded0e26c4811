# SPDX-License-Identifier: Apache-2.0
# tr-profile --serve: the page over the run, from its beginning until Ctrl-C; a first Ctrl-C ends
# the run, which is profiled as ever. A new run takes its index away.
. "$SRC/tests/cli/soc-model.inc"
. "$SRC/tests/cli/tr-explore.inc"
program first.elf << END
	.globl _start, first
	.type _start, @function
	.type first, @function
_start:
	la sp, _start + 0x10000
	jal first
	$off
first:
	li t0, 1000
1:	addi t0, t0, -1
	bnez t0, 1b
	ret
END
tr-profile --serve --dry-run soc-model first.elf
echo "exit $?"
tr-profile --serve -o run soc-model first.elf > out 2> said &
server=$!
for ((i = 0; i < 600; i++)); do
	port=$(sed -n 's,.*http://127.0.0.1:\([0-9]*\)/$,\1,p' said 2> /dev/null)
	[ -z "$port" ] || break
	sleep 0.05
done
sed "s/$port/PORT/" said | grep -v DWARF
until_run '"done":true'
body /folded | cmp - run/stacks.folded && cat run/stacks.folded
for ((i = 0; i < 100; i++)); do
	[ -e run/explore.sqlite ] && break
	sleep 0.05
done
stop
ls run
tr-profile -o run soc-model first.elf > out 2> said
ls run

echo '# a run that ends with Ctrl-C, and its page with another'
program endless.elf << END
	.globl _start, spin
	.type _start, @function
	.type spin, @function
_start:
	la sp, _start + 0x10000
	li t1, 0x10000000
	li t0, '@'
	sb t0, (t1)
1:	jal spin
	j 1b
spin:
	li t0, 1000
1:	addi t0, t0, -1
	bnez t0, 1b
	ret
END
# Types keys in the terminal of a command, and looks at its page.
cat > live.py << 'END'
import json, os, pty, re, signal, sys, threading, time, urllib.request
kind, folder, command = sys.argv[1], sys.argv[2], sys.argv[3:]
pid, terminal = pty.fork()
if pid == 0:
    os.dup2(os.open('/dev/null', os.O_RDONLY), 0)
    os.execvp(command[0], command)
shown = b''
def read():
    global shown
    try:
        while True:
            shown += os.read(terminal, 1000)
    except OSError:
        pass
threading.Thread(target=read, daemon=True).start()
def until(what, found):
    for i in range(1200):
        value = found()
        if value:
            return value
        time.sleep(0.05)
    print('not in time:', what, shown.decode())
    os.kill(pid, signal.SIGKILL)
    sys.exit(1)
port = until('address', lambda: re.search(rb'serving http://127.0.0.1:(\d+)/', shown)).group(1).decode()
def ask(path):
    try:
        return json.load(urllib.request.urlopen('http://127.0.0.1:%s%s' % (port, path)))
    except OSError:
        return {}
def names():
    return [name for name, *_ in ask('/names')]
until('the run', lambda: b'@' in shown)
until('a run that grows', lambda: ask('/run').get('end') and ask('/run').get('done') is False)
print('it grows, and has', *(name for name in names() if name == 'spin'))
print(ask('/code?func=%d' % names().index('spin')).get('none'))
if kind == 'KILL':
    os.kill(pid, signal.SIGKILL)
else:
    os.write(terminal, b'\x03')
    until('the end', lambda: ask('/run').get('done'))
    run = ask('/run')
    rows = ask('/code?func=%d' % names().index('spin'))['rows']
    print('it ended:', run['cut_off'], sum(row[4] for row in rows) > 1000, 'files:',
          *sorted(set(os.listdir(folder)) - {'explore.sqlite'}))
    if kind == '^C':
        os.write(terminal, b'\x03')
    else:
        os.kill(pid, getattr(signal, 'SIG' + kind))
ended, status = os.waitpid(pid, 0)
until('the end of the page', lambda: ask('/run') == {})
print(kind, 'signal' if os.WIFSIGNALED(status) else 'status', status & 127 or status >> 8)
END
for kind in ^C TERM HUP KILL; do
	timeout 120 python3 live.py $kind live tr-profile --serve -o live soc-model endless.elf < /dev/null
done
echo '# a run that fails has no page'
timeout 60 tr-profile --serve -o none --from spike -b first.elf -- false > out 2> said
echo "exit $?"
port=$(sed -n 's,.*http://127.0.0.1:\([0-9]*\)/$,\1,p' said)
[ -z "$port" ] || { ask GET /run; }
echo '# stacks have no instructions'
tr-profile --serve -o other run/stacks.tr
[ ! -e other ] && echo 'nothing is left'
rm said
tr-profile --serve -o run run/stacks.tr > out 2> said &
server=$!
for ((i = 0; i < 600; i++)); do
	port=$(sed -n 's,.*http://127.0.0.1:\([0-9]*\)/$,\1,p' said 2> /dev/null)
	[ -z "$port" ] || break
	sleep 0.05
done
until_run '"done":true'
body '/code?func=1'
kill -TERM "$server"
wait "$server"
ls run
