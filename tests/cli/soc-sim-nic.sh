# SPDX-License-Identifier: Apache-2.0
# --nic: what it is connected to, and no interface without it.
soc-sim --nic cable x.elf; echo "status $?"
soc-sim --nic loopback --nic-latency 0 x.elf; echo "status $?"
loop=$SRC/build/nic/loop.elf
soc-sim --nic loopback "$loop"; echo "status $?"
soc-sim --max-cycles 100k "$loop"; echo "status $?"
soc-sim --lockstep --max-cycles 100k "$loop"; echo "status $?"
