# SPDX-License-Identifier: Apache-2.0
# The system calls of a shell and its child, which strace follows with ptrace().
cat > /inner.sh <<'END'
for i in 1 2 3 4 5 6 7 8 9 10; do echo "line $i"; done
(exit 3) || echo "child $?"
END
traced /usr/bin/strace -f -o /log -e trace=write,execve busybox sh /inner.sh
busybox grep -c 'write(1, "line [0-9]*\\n", [78]) *= [78]' /log
busybox grep -o 'execve("/usr/bin/busybox", \["busybox", "sh", "/inner.sh"\]' /log
busybox grep -c '+++ exited with 3 +++' /log
