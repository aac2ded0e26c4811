#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# packages.sh FOLDER RELEASE PACKAGE...: unpacks Debian's packages for riscv64, and all that they
# depend on, without running their scripts, into FOLDER/root, the root of a target. Their debug
# information, if there is any, is in FOLDER/usr/lib/debug, where the filters find it, and which
# is no part of that root. FOLDER/packages.txt has their versions, and FOLDER/programs.txt the
# programs of the packages themselves. What FOLDER had of these is replaced, once all is there.
#
# APT has options of apt for the release, and APT_DEBUG those for its archive of debug symbols,
# or nothing.
set -eu -o pipefail
export LC_ALL=C
folder=$1 release=$2
shift 2
read -ra apt <<< "$APT"
read -ra debug <<< "${APT_DEBUG-}"

# apt takes a name that is no package as a pattern (hell.), and that of a virtual package without a word.
for package; do
	[[ $package =~ ^[a-z0-9][a-z0-9+.-]+$ ]] && grep -qxF "Package: $package" <(apt-cache "${apt[@]}" show "$package" 2>&1) ||
		{ printf "make: Debian's %s has no package %s for riscv64\n" "$release" "$package" >&2; exit 1; }
done
work=$folder/new
rm -rf "$work"
mkdir -p "$work"/{debs,symbols}/partial "$work"/root/{tmp,usr/bin,usr/lib,usr/sbin} "$work/usr/lib/debug"
for link in bin lib sbin; do ln -s usr/$link "$work/root/$link"; done

# fetch FOLDER COMMAND...: apt-get with this folder for its packages.
fetch() {
	local to=$1
	shift
	apt-get "$@" -o DPkg::Lock::Timeout=600 -o Dir::Cache::archives="$(realpath "$to")" > "$work/log" 2>&1 || { tail -n 5 "$work/log" >&2; exit 1; }
}
fetch "$work/debs" "${apt[@]}" install -y --no-install-recommends --download-only "$@"
for deb in "$work"/debs/*.deb; do
	dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$work/root" --keep-directory-symlink --no-same-owner \
		--exclude='./usr/share/'{bug,doc,info,lintian,locale,man}'/*'
	dpkg-deb -W --showformat='${Package} ${Version}\n' "$deb"
done > "$work/packages.txt"
for package; do
	dpkg-deb -c "$work/debs/${package}"_*.deb | awk -v package="$package" '$1 ~ /^[-l].*x/ && $6 ~ /^[.]\/(usr\/)?s?bin\/[^\/]+$/ {
		sub(/^[.]\/(usr\/)?/, "usr/", $6); print package, $6 }'
done > "$work/programs.txt"

# symbols OPTIONS -- NAME...: fetches those of these packages that there are.
symbols() {
	local options=() names
	while [ "$1" != -- ]; do options+=("$1"); shift; done
	shift
	names=$(comm -12 <(printf '%s\n' "$@" | sort -u) <(apt-cache "${options[@]}" pkgnames | sort))
	[ -z "$names" ] || (cd "$work/symbols" && apt-get "${options[@]}" download $names > log 2>&1 || tail -n 5 log >&2)
}
mapfile -t names < <(sed 's/ .*//' "$work/packages.txt")
symbols "${apt[@]}" -- "${names[@]/%/-dbg}" $(printf '%s\n' "${names[@]}" | sed -n 's/-minimal$/-dbg/p')
[ ${#debug[@]} = 0 ] || symbols "${debug[@]}" -- "${names[@]/%/-dbgsym}"
for deb in "$work"/symbols/*.deb; do
	[ -e "$deb" ] || continue
	tar -x -C "$work" --no-same-owner --wildcards './usr/lib/debug/.build-id' 2> /dev/null < <(dpkg-deb --fsys-tarfile "$deb") || true
	dpkg-deb -W --showformat='${Package} ${Version}\n' "$deb"
done >> "$work/packages.txt"

rm -rf "$work"/{debs,symbols,log} "${folder:?}"/{root,usr,packages.txt,programs.txt}
mv "$work"/* "$folder"
rmdir "$work"
