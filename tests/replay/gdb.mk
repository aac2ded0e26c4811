# SPDX-License-Identifier: Apache-2.0
.PHONY: test-gdb
test-gdb: $(B)/bin/soc-sim $(B)/bin/soc-model $(B)/bin/tr-replay $(B)/smp/random-1.elf target ## gdb on replays, forwards and backwards
	$(Q)tests/replay/gdb.sh $(abspath $(B)/bin build/target $(B)/smp/random-1.elf) $(B)/gdb
