# SPDX-License-Identifier: Apache-2.0
# Several machines on one network, with bare programs.

NETWORK_B := build/net
NETWORK_PROGRAMS := $(patsubst tests/net/%.c,%,$(sort $(wildcard tests/net/*.c)))

$(NETWORK_B)/%.elf: tests/net/%.c tests/nic/start.S tests/nic/nic.h sim/soc.h tests/isa/link.ld tests/net/net.mk
	$(call say,RVCC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(ISA_CC) $(ISA_CFLAGS) $(NIC_CFLAGS) -Itests/nic $(ISA_LDFLAGS) -o $@ tests/nic/start.S $<

.PHONY: test-net
test-net: $(NETWORK_PROGRAMS:%=$(NETWORK_B)/%.elf) $(addprefix $(B)/bin/,soc-sim soc-net tr-info) ## Run machines on one network
	$(Q)tests/net/run.sh $(B)/bin $(NETWORK_B)

.PHONY: bench-net
bench-net: $(B)/smp/compute-1.elf $(B)/bin/soc-sim $(B)/bin/soc-net ## Measure two nodes on a wire, against two without
	$(Q)$(call bench_plain,instructions)
	$(Q)TSV=build/bench-net.tsv tests/bench/bench.sh net
