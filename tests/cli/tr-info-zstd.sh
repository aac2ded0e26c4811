# SPDX-License-Identifier: Apache-2.0
# zstd frames are counted: one for each record of a stream; and skippable ones not.
tr-text --encode -o a.tr "$SRC/tests/cli/data/two-spaces.txt"
tr-info a.tr | grep '^  zstd'
printf 'P*M\030\003\000\000\000abc' | cat - a.tr > b.tr
tr-info b.tr | grep '^  zstd'
zstd -dqc a.tr | tr-info | grep '^  zstd' || echo 'not counted in a pipe'
