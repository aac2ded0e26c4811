#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Python's functions on the stacks: each is called as often as sys.setprofile() tells in a run
# of its own, and without them the stacks are those of a run without probes.
#
#   BIN=build/bin tests/interpreters/python.sh PYTHON FOLDER_OF_ITS_MODULES
program=$(realpath "$1")
modules=$(realpath "$2")
name=$(basename "$(dirname "$program")")
. "$(dirname "$0")/interpreters.inc"
cd "$folder"
version=${name#python-}
mkdir -p "root/py/lib/python$version"
cp -r "$modules/encodings" "$modules"/{abc,codecs,io,os,site,stat,posixpath,genericpath,_collections_abc}.py "root/py/lib/python$version/"
cp "$here"/{calls,count,processes}.py root/
cp "$program" python
options=(--probes python.probes --root root --env PYTHONHOME=/py --env PYTHONHASHSEED=0)
profile counted "${options[@]}" ./python -S -B /count.py /calls.py
grep '(calls.py:\|(<string>:' counted/console.txt | sort > want
[ "$(wc -l < want)" -ge 20 ] || fail "counts: $(wc -l < want)"
profile profile "${options[@]}" ./python -S -B /calls.py
calls py: 'calls.py:' > got
calls py: '<string>:' >> got
sort got | diff want - || fail 'other calls'
check_stacks py

# A child, and threads: each process works once in main, without the functions in which it was
# forked; 2 + 10 calls of work, each with as many of its generator as numbers and one.
mv profile calls
profile profile "${options[@]}" ./python -S -B /processes.py
printf '%s\n' '1 py:<module>' '1 py:fork' '1 py:main' '12 py:work' '182 py:work.<locals>.<genexpr>' '2 py:run' '2 py:turn' '4 py:deep' | sort > want
calls py: processes.py: | sed 's/ (.*//' | grep -v 'listcomp' | sort | diff want - || fail 'other calls of processes'
tr-fold --by process profile/stacks.tr | grep 'py:main [^;]*;py:work ([^)]*) ' |
	sed 's/^\([^;]*\)\[[0-9]*\];.*;py:<module> /\1;py:<module> /; s/ ([^)]*)//g; s/ [0-9]*$//' | sort | uniq -c > workers
[ "$(tr -s ' ' < workers)" = ' 2 python;py:<module>;py:main;py:work' ] || { cat workers >&2; fail 'other stacks of processes'; }
mv profile processes
mv calls profile

echo "$name: $(wc -l < got) functions, $(awk '{ sum += $1 } END { print sum }' got) calls"
