#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The packages that debian/ builds, twice, from what is built: the same bytes, and lintian has nothing to
# say. What each contains, and that a tr-profile that was unpacked from them finds the kernel.
# Without a kernel in build/linux-gc/, as `make linux-kernel` leaves it, a program takes its place.
set -eu -o pipefail
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export LC_ALL=C XDG_CACHE_HOME=$folder/cache
unset MAKEFLAGS MFLAGS MAKELEVEL
fail() { echo "package: $1" >&2; exit 1; }

# Sources in folders of their own, since debhelper writes into them; the build as it is.
mkdir "$folder/sources"
git ls-files -zco --exclude-standard | xargs -0 cp -a --parents -t "$folder/sources"
make_sources() {
	mkdir -p "$1/build/linux-gc"
	cp -a "$folder/sources/." "$1"
	ln -s "$PWD"/build/* "$1/build/" 2> /dev/null || true
	if [ -e build/linux-gc/vmlinux ]; then
		ln -s "$PWD/build/linux-gc/vmlinux" "$1/build/linux-gc/vmlinux"
	else
		riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -nostdlib -static -x c -o "$1/build/linux-gc/vmlinux" - <<< 'void _start(void) { }'
	fi
}
# build FOLDER TARGET PROFILES: the packages, beside FOLDER/src, with what is built for this machine.
build() {
	make_sources "$1/src"
	(cd "$1/src" && DEB_BUILD_PROFILES=$3 DEB_BUILD_OPTIONS=noautodbgsym DPKG_DEB_COMPRESSOR_TYPE=gzip DPKG_DEB_COMPRESSOR_LEVEL=1 \
		debian/rules "$2" MARCH=native WITH_KERNEL=) > "$1/log" 2>&1 || { tail -n 20 "$1/log" >&2; fail "$2 with the profiles '$3'"; }
}
build "$folder/all" binary pkg.tr-profiler.linux
build "$folder/plain" binary ''
build "$folder/linux" binary-indep pkg.tr-profiler.linux

# names FOLDER: its packages.
names() { (cd "$1" && ls ./*.deb | sed 's,^./,,; s/_.*//' | tr '\n' ' '); }
[ "$(names "$folder/all")" = 'tr-profiler-dev tr-profiler-linux tr-profiler ' ] || fail "$(names "$folder/all") with the profile"
[ "$(names "$folder/plain")" = 'tr-profiler-dev tr-profiler ' ] || fail "$(names "$folder/plain") without the profile"
for deb in "$folder"/{plain,linux}/*.deb; do
	cmp "$deb" "$folder/all/$(basename "$deb")" || fail 'other bytes of the same sources'
done
lintian --allow-root "$folder"/all/*.deb > "$folder/said" 2>&1 && [ ! -s "$folder/said" ] || { cat "$folder/said" >&2; fail lintian; }

# files NAME: those of a package.
files() { dpkg-deb -c "$folder"/all/"$1"_*.deb | awk '$1 !~ /^d/ { print $6 }' | sort; }
diff - <(files tr-profiler-linux) >&2 << 'END' || fail 'other files in tr-profiler-linux'
./usr/share/doc/tr-profiler-linux/changelog.gz
./usr/share/doc/tr-profiler-linux/copyright
./usr/share/lintian/overrides/tr-profiler-linux
./usr/share/tr-profiler/linux/vmlinux
END
for file in bin/tr-profile bin/soc-sim bin/soc-model share/tr-profiler/linux.probes share/tr-profiler/linux/{first,firmware}.elf share/man/man1/tr-profile.1.gz; do
	grep -qx "./usr/$file" <(files tr-profiler) || fail "no $file in tr-profiler"
done
files tr-profiler | grep 'vmlinux\|busybox' && fail 'tr-profiler has what was built for this clone'
files tr-profiler-dev | grep -qx ./usr/include/tr-profiler/stream/reader.h || fail 'no headers in tr-profiler-dev'
dpkg-deb -f "$folder"/all/tr-profiler-linux_*.deb Depends | grep -qx 'tr-profiler (>= [0-9.]*)' || fail 'tr-profiler-linux does not depend on the programs'

# Without tr-profiler-linux tr-profile names it; with it, it finds the kernel.
cd "$folder"
riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -nostdlib -static -x c - -o prog <<< 'void _start(void) { }'
dpkg-deb -x all/tr-profiler_*.deb root
PATH=$folder/root/usr/bin:$(tr : '\n' <<< "$PATH" | grep -v "^$OLDPWD" | paste -sd :)
! tr-profile --linux ./prog < /dev/null 2> said || fail 'it runs without a kernel'
grep -q '^tr-profile: no Linux kernel: the package tr-profiler-linux has one' said || { cat said >&2; fail 'another message without a kernel'; }
dpkg-deb -x all/tr-profiler-linux_*.deb root
mkdir prepared
tr-profile --linux --prepare prepared ./prog < /dev/null
grep -qx "\"$folder/root/usr/share/tr-profiler/linux/vmlinux\" kernel" prepared/bins.lst || { cat prepared/bins.lst >&2; fail 'another kernel'; }
echo "package: $(names all)as expected"
