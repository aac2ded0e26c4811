# SPDX-License-Identifier: Apache-2.0
# A signal that comes when the simulator's process has just been made ends it as well.
. "$SRC/tests/cli/soc-model.inc"
program endless.elf << 'END'
	.globl _start
_start:	j _start
END
cat > early.c << 'END'
#include <dlfcn.h>
#include <signal.h>
#include <unistd.h>
pid_t fork(void)
{
	pid_t (*real)(void) = (pid_t (*)(void))dlsym(RTLD_NEXT, "fork");
	pid_t pid = real();
	if (pid > 0)
		raise(SIGTERM);
	return pid;
}
END
gcc -D_GNU_SOURCE -shared -fPIC -o early.so early.c
# The sanitizer, if any, would be first.
timeout 60 env LD_PRELOAD="$PWD/early.so" ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0" \
	tr-capture -o a.tr -- soc-model endless.elf 2> said
status=$?
# It may have begun its stream or not.
case $status in
0 | 2) echo ended ;;
*) echo "exit $status"; cat said ;;
esac
