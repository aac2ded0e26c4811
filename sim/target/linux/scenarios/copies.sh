#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# User copies that fault: script.sh TURNS.
copies "$1"
