# SPDX-License-Identifier: Apache-2.0
# A forked child that has not run in user mode yet is of the process of its task, in the kernel
# on its parent's stack: the same cycles as of its thread. A child of vfork is of its parent's
# process, and a kernel's thread, as well as a child that no probe has told of, of none.
cat > a.txt << 'END'
header content=stacks
func f0 kind=program address=0x0 binary="busybox" name="busybox"
func f1 kind=function address=0x100 binary="busybox" name="main"
func f2 kind=trap address=0x0 binary="" name="[ecall]"
func f3 kind=function address=0x200 binary="vmlinux" name="ret_from_fork"
func f4 kind=program address=0x0 binary="vmlinux" name="vmlinux"
func f5 kind=unknown address=0x0 binary="" name="[unknown]"
node n1 parent=n0 func=f0
node n2 parent=n1 func=f1
node n3 parent=n2 func=f2
node n4 parent=n3 func=f3
node n5 parent=n0 func=f4
node n6 parent=n0 func=f5
thread t0 name=""
thread t1 tp=0x8000 name="busybox"
thread t2 tp=0x9000 name="busybox"
thread t3 tp=0xa000 name="busybox"
thread t4 tp=0xb000 name="vmlinux"
thread t5 tp=0xc000 name="busybox"
thread t6 tp=0xd000 name=""
task k0 pid=19 tgid=19 name="sh"
task k1 pid=20 tgid=20 name="sh"
task k2 pid=21 tgid=19 name="sh"
task k3 pid=2 tgid=2 name="kthreadd"
task k4 pid=22 tgid=22 name="sh"
use t1 task=k0
use t2 task=k1
use t3 task=k2
use t4 task=k3
use t6 task=k4
use process=1 task=k0
hart 0 cycle=0
scontext priv=S process=0
srow n4 t5 cycles=1000000 instructions=1
scontext priv=U process=1
srow n2 t1 cycles=1 instructions=1 fresh
scontext priv=U process=3
srow n6 t6 cycles=3 instructions=1 fresh
scontext priv=S process=0
srow n4 t2 cycles=10 instructions=1
srow n4 t3 cycles=100 instructions=1
srow n5 t4 cycles=1000 instructions=1
srow n4 t5 cycles=10000 instructions=1
srow n6 t4 cycles=20000 instructions=1
frame 1
task k1 pid=20 tgid=20 name="ls"
use process=2 task=k1
hart 0 cycle=1031114
scontext priv=U process=2
srow n2 t2 cycles=100000 instructions=1 fresh
end end=power-off
END
tr-text --encode -o a.tr a.txt
for by in process thread; do
	echo "$by:"
	tr-fold --by $by a.tr
done
echo 'of these [ecall]:'
tr-fold --by process --focus '^\[ecall\]$' a.tr 2> /dev/null
