# SPDX-License-Identifier: Apache-2.0
# Signals to tr-profile, from a terminal and from kill(1). During the run the part up to there is
# profiled; later nothing more is started, and the signal ends tr-profile itself.
. "$SRC/tests/cli/soc-model.inc"
program endless.elf << END
	.globl _start, spin
	.type _start, @function
	.type spin, @function
_start:
	la sp, _start + 0x10000
	jal spin
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
# Runs a command in a session of its own, with a terminal. When it has written @, or opened the
# FIFO "list", SIGNAL comes: ^C and ^\ are typed, GROUP goes to all its processes as timeout(1)
# sends it, HANGUP closes the terminal, and another name is sent to the first process alone.
cat > terminal.py << 'END'
import os, pty, re, signal, sys, time
kind, command = sys.argv[1], sys.argv[2:]
pid, terminal = pty.fork()
if pid == 0:
    os.dup2(os.open('/dev/null', os.O_RDONLY), 0)
    os.execvp(command[0], command)
shown = b''
ended = 0
def look():
    # Reading may fail before the programs end.
    global shown, ended, status
    try:
        shown += os.read(terminal, 1000)
    except OSError:
        time.sleep(0.01)
        ended, status = os.waitpid(pid, os.WNOHANG)
if 'list' in command:
    os.open('list', os.O_WRONLY)
while 'list' not in command and b'@' not in shown and not ended:
    look()
keys = {'^C': b'\x03', '^\\': b'\x1c'}
if kind in keys:
    os.write(terminal, keys[kind])
elif kind == 'GROUP':
    os.kill(pid, signal.SIGTERM)
    os.killpg(pid, signal.SIGTERM)
elif kind != 'HANGUP':
    os.kill(pid, getattr(signal, 'SIG' + kind))
if kind == 'HANGUP':
    os.close(terminal)
    ended, status = os.waitpid(pid, 0)
while not ended:
    look()
how = 'signal %d' % os.WTERMSIG(status) if os.WIFSIGNALED(status) else 'status %d' % os.WEXITSTATUS(status)
said = re.findall(r'tr-[a-z]+: interrupted[^\r\n]*', shown.decode())
print(kind, how, *said, sep='; ')
END
in_terminal() { # SIGNAL COMMAND...: what becomes of it, and which programs say that they were interrupted
	timeout 60 python3 terminal.py "$@" < /dev/null
}
complete() { # FOLDER
	ls "$1" | tr '\n' ' '; echo
	tr-info "$1/trace.tr" | grep -o 'end  *interrupted' | tr -s ' '
	grep -o '^endless;_start;spin' "$1/stacks.folded"
}
echo '# during the run'
for kind in ^C TERM GROUP HANGUP; do
	in_terminal $kind tr-profile -o $kind soc-model endless.elf
	complete $kind
done
echo '# a log that a command prints, which the signal ends'
# It is more than a pipe holds, so that tr-capture reads when @ comes.
cat > log.sh << 'END'
i=0
while [ $i -lt 3000 ]; do
	echo 'core   0: 3 0x0000000080000000 (0x0000006f)'
	i=$((i + 1))
done
printf @ >&2
exec cat ready
END
mkfifo ready
for kind in ^C TERM; do
	in_terminal $kind tr-profile -o log --from spike -b endless.elf -- sh log.sh
	ls log | tr '\n' ' '; echo
done
echo '# a command that goes on after the signal, which it gets once'
cat > polite.sh << 'END'
trap 'echo INT >> signals' INT
trap 'echo TERM >> signals' TERM
i=0
while [ $i -lt 3000 ]; do
	echo 'core   0: 3 0x0000000080000000 (0x0000006f)'
	i=$((i + 1))
done
printf @ >&2
while [ ! -s signals ]; do sleep 0.1; done
sleep 0.5
END
for kind in ^C TERM; do
	in_terminal $kind tr-profile -o polite --from spike -b endless.elf -- sh polite.sh
	cat signals
	rm signals
done
echo '# later'
cp ^C/trace.tr .
mkfifo list
for kind in ^C TERM GROUP HUP ^\\; do
	(ulimit -c 0; in_terminal $kind tr-profile -o later -b list trace.tr)
	ls later
done
