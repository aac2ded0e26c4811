# SPDX-License-Identifier: Apache-2.0
.PHONY: test-gdb
test-gdb: $(B)/bin/soc-sim $(B)/bin/soc-model $(B)/bin/tr-replay $(B)/bin/tr-text $(B)/smp/random-1.elf $(NIC_B)/loop.elf target ## gdb on replays, forwards and backwards
	$(Q)tests/replay/gdb.sh $(abspath $(B)/bin build/target $(B)/smp/random-1.elf) $(B)/gdb
	$(Q)tests/replay/gdb-writes.sh $(abspath $(B)/bin $(NIC_B)/loop.elf) $(B)/gdb/writes
	$(Q)tests/replay/gdb-watches.sh $(abspath $(B)/bin) $(B)/gdb/watches
	$(Q)tests/replay/gdb-clients.sh $(abspath $(B)/bin build/target) $(B)/gdb/clients
