#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Frames of all lengths through a wire that returns them: script.sh COUNT.
ifconfig eth0 10.0.0.1 up
frames eth0 "$1" && cat /proc/net/dev
