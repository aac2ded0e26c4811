#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# script runs|again TIMES SEED PROGRAM [ARGUMENT]: attach.c, which hands the counters over.
mkdir -p /tmp
cd /tmp
attach "$1" "$2" "$3" "/bin/$4" $5 > /dev/null
echo "$4: status $?"
