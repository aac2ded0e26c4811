#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Installs into a folder, uses what is there as a user would, and uninstalls it.
set -eu -o pipefail
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "install: $1" >&2; exit 1; }

make --no-print-directory -s install DESTDIR="$folder/root" PREFIX=/usr > "$folder/log" 2>&1 || { cat "$folder/log"; fail 'make install'; }
usr=$folder/root/usr
(cd "$usr" && find . ! -type d | sort) > "$folder/files"

# Programs run from there, without the clone in PATH.
export XDG_CACHE_HOME=$folder/cache
PATH=$usr/bin:$(tr : '\n' <<< "$PATH" | grep -v "^$PWD" | paste -sd :)
cp build/target/demo.elf "$folder/demo.elf"
(cd "$folder" && tr-profile -o demo soc-model --max-instructions 1M root/usr/lib/tr-profiler/firmware.elf demo.elf) \
	> "$folder/out" 2>&1 || { cat "$folder/out"; fail 'tr-profile'; }
grep -q '<svg' "$folder/demo/flame.svg" || fail 'no flame graph'

# It finds what is installed for programs for Linux.
riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -nostdlib -static -x c - -o "$folder/linux" <<< 'void _start(void) { }' 2> "$folder/log"
(cd "$folder" && tr-profile --linux --prepare . ./linux) || fail 'tr-profile --linux'
grep -q "^\"$usr/share/tr-profiler/linux/first.elf\" user$" "$folder/bins.lst" || fail 'another first.elf'

# The library is found by pkg-config, and its headers are complete.
export PKG_CONFIG_LIBDIR=$usr/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$folder/root
# shellcheck disable=SC2046,SC2086 # words
${CC:-gcc} -std=c11 -Wall -Wextra -Werror ${SANFLAGS-} tests/install/count.c \
	$(pkg-config --define-variable=prefix=/usr --cflags --libs tr-profiler) -o "$folder/count"
# Whoever reads streams needs no library for DWARF, HTTP or pictures.
if [ -z "${SANFLAGS-}" ]; then
	needed=$(ldd "$folder/count" | awk '$1 ~ /^lib/ { sub(/\.so.*/, "", $1); print $1 }' | sort | tr '\n' ' ')
	[ "$needed" = 'libc libxxhash libzstd ' ] || fail "the library needs $needed"
fi
"$folder/count" "$folder/demo/trace.tr" | grep -q '^[1-9][0-9]* frames, 1000000 instructions$' || fail 'the library counts wrongly'
"$folder/count" "$folder/out" 2> "$folder/message" && fail 'the library reads anything'
grep -q 'byte 0: not a trace stream' "$folder/message" || fail 'no message of the library'

# The sink for other cores is complete: its module, its library, its header.
for file in lib/tr-profiler/trace/trace_sink.sv lib/libtr_trace.a lib/tr-profiler/libtr_trace.so include/tr-profiler/tr_trace.h; do
	[ -s "$usr/$file" ] || fail "no $file"
done
echo '#include <tr_trace.h>
int main(void) { return tr_trace_message(0) == 0; }' > "$folder/sink.c"
# shellcheck disable=SC2046,SC2086
${CC:-gcc} -std=c11 -Wall -Wextra -Werror ${SANFLAGS-} "$folder/sink.c" $(pkg-config --cflags tr-profiler) \
	"$usr/lib/libtr_trace.a" -lzstd -lxxhash -o "$folder/sink"
"$folder/sink" || fail 'the sink is not to be had from C'

# A program with marks needs nothing but a header.
printf '#include <tr-profiler/mark.h>\nint main(void) { TR_POINT(1, "one"); return 0; }\n' > "$folder/mark.c"
riscv64-unknown-elf-gcc -O2 -Wall -Wextra -Werror -I"$usr/include" -c -o "$folder/mark.o" "$folder/mark.c" || fail 'no marks'

# The documents find one another.
find "$usr/share/doc/tr-profiler" -name '*.md' -exec awk -f tests/install/dead-links.awk {} + > "$folder/links"
[ ! -s "$folder/links" ] || { cat "$folder/links"; fail 'a link of a document leads nowhere'; }

# man finds each page, and completion knows each program.
unset MANPATH
for program in "$usr"/bin/*; do
	name=$(basename "$program")
	[ "$(man -w "$name")" = "$usr/share/man/man1/$name.1" ] || fail "no man page of $name"
	[ -e "$usr/share/bash-completion/completions/$name" ] || fail "no completion of $name"
done
# Whoever reads this reads all of it: printf fails behind a closed pipe.
complete_words() { # PROGRAM WORD...: prints what completes the last word
	bash -c '. "$0"; program=$1; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
		complete -p "$program" > /dev/null && _tr_profiler "$program" "${!#}" "${COMP_WORDS[COMP_CWORD - 1]}"
		printf "%s\n" "${COMPREPLY[@]}"' "$usr/share/bash-completion/completions/tr-profile" "$@"
}
complete_words tr-match --sys | grep -x -- --sysroot > /dev/null || fail 'no completion of --sysroot'
complete_words tr-capture --from sp | grep -x spike > /dev/null || fail 'no completion of formats'
complete_words tr-fold --by th | grep -x thread > /dev/null || fail 'no completion of values'
complete_words tr-report his | grep -x histogram > /dev/null || fail 'no completion of commands'
complete_words tr-report slowest --mer | grep -x -- --merge-recursion > /dev/null || fail "no completion of a command's options"
(cd "$folder" && complete_words tr-info dem) | grep -x demo.elf > /dev/null || fail 'no completion of files'

make --no-print-directory -s uninstall DESTDIR="$folder/root" PREFIX=/usr
[ -z "$(find "$folder/root" ! -type d)" ] || { find "$folder/root" ! -type d; fail 'files are left'; }

# Folders with spaces in their names, for all users though root's umask is 077. The files of others, whose
# names are words of these, remain.
spaced=$folder/of\ us/root prefix='/opt/my  tools; 2'
mkdir -p "$spaced/opt"
echo precious | tee "$folder/of" > "$spaced/opt/my"
for target in install uninstall; do
	(umask 077; make --no-print-directory -s $target DESTDIR="$spaced" PREFIX="$prefix") > "$folder/log" 2>&1 ||
		{ cat "$folder/log"; fail "make $target with spaces"; }
	[ $target = install ] || break
	(cd "$spaced$prefix" && find . ! -type d | sort) | cmp -s - "$folder/files" || fail 'other files with spaces'
	secret=$(find "$spaced$prefix" ! -type l ! -perm -o=r -o -type d ! -perm -o=x)
	[ -z "$secret" ] || fail "not for all users: $secret"
	PKG_CONFIG_LIBDIR=$spaced$prefix/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$spaced pkg-config --cflags tr-profiler > "$folder/cflags"
	eval "words=($(cat "$folder/cflags"))"
	[ "${words[*]}" = "-I$spaced$prefix/include/tr-profiler" ] || fail "pkg-config: ${words[*]}"
done
left=$(find "$spaced" ! -type d)
[ "$left" = "$spaced/opt/my" ] && [ -e "$folder/of" ] || fail "uninstall with spaces leaves $left"
echo "install: $(wc -l < "$folder/files") files"
