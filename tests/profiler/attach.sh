#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# script runs|again TIMES SEED PROGRAM [ARGUMENT]: attach.c, which hands the counters over.
mkdir -p /tmp
cd /tmp || exit
what=$1 times=$2 seed=$3 program=$4
shift 4
attach "$what" "$times" "$seed" "/bin/$program" "$@" > /dev/null
echo "$program: status $?"
