# SPDX-License-Identifier: Apache-2.0
# Programs that send frames to themselves: NAME.elf for each tests/nic/NAME.c. They run on
# the hardware whose link returns the frames, alone, without skipping idle cycles, and in
# lockstep with the model; the first two must count the same in every cover point. On two
# harts they have the same traces; harts.c is for two.

NIC_B := build/nic
NIC_CFLAGS := -std=c11 -O2 -ffreestanding -fno-tree-loop-distribute-patterns -Wall -Wextra
NIC_PROGRAMS := $(patsubst tests/nic/%.c,%,$(sort $(wildcard tests/nic/*.c)))
NIC_TESTS := $(filter-out rate harts,$(NIC_PROGRAMS))
NIC_TESTS_SMP := $(filter-out rate,$(NIC_PROGRAMS))
NIC_SIM := $(B)/bin/soc-sim --nic loopback

$(NIC_B)/%.elf: tests/nic/%.c tests/nic/start.S tests/nic/nic.h sim/soc.h tests/isa/link.ld tests/nic/nic.mk
	$(call say,RVCC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(ISA_CC) $(ISA_CFLAGS) $(NIC_CFLAGS) $(ISA_LDFLAGS) -o $@ tests/nic/start.S $<

# $(call nic_counts,OPTIONS): runs each test, and keeps its counts.
nic_counts = for t in $(NIC_TESTS); do timeout 300 $(NIC_SIM) $(1) --counters all \
	--counters-csv $(NIC_B)/$$t$(2).csv --counters-every 100M $(NIC_B)/$$t.elf > /dev/null; done

.PHONY: bench-nic
bench-nic: $(NIC_B)/rate.elf $(B)/bin/soc-sim target ## Measure the rate of the network interface, and its cost while idle
	$(Q)$(call bench_plain,instructions)
	$(Q)tests/nic/rate.sh '$(NIC_SIM)' build/instructions/bin/soc-sim

.PHONY: test-nic test-nic-smp
test-nic: test-nic-smp $(NIC_TESTS:%=$(NIC_B)/%.elf) $(B)/bin/soc-sim ## Run programs that send frames to themselves
	$(Q)ISA_TIMEOUT=120 tests/isa/run.sh '$(NIC_SIM)' $(filter %.elf,$^)
	$(Q)ISA_TIMEOUT=300 tests/isa/run.sh '$(NIC_SIM) --lockstep' $(filter %.elf,$^)
	$(Q)ISA_TIMEOUT=300 tests/isa/run.sh '$(NIC_SIM) --lockstep --l2-latency 1 --dram-latency 3 --nic-latency 1' $(filter %.elf,$^)
	$(Q)$(call nic_counts,)
	$(Q)$(call nic_counts,--no-skip,-no-skip)
	$(Q)for t in $(NIC_TESTS); do cmp $(NIC_B)/$$t.csv $(NIC_B)/$$t-no-skip.csv; done; \
		echo "nic: the same counts without skips"

# $(call nic_traces,OPTIONS,SUFFIX): runs each test on two harts, and keeps trace and packets.
nic_traces = for t in $(NIC_TESTS_SMP); do timeout 300 $(NIC_SIM) --harts 2 --no-provenance $(1) \
	--trace $(NIC_B)/$$t$(2).tr --pcap $(NIC_B)/$$t$(2).pcap $(NIC_B)/$$t.elf > /dev/null || exit; done

test-nic: test-nic-full
test-nic-full: $(NIC_B)/loop.elf $(B)/bin/soc-sim
	$(Q)status=0; $(NIC_SIM) --pcap /dev/full $(NIC_B)/loop.elf 2> $(NIC_B)/full.txt > /dev/null || status=$$?; [ $$status = 2 ]
	$(Q)[ "$$(sed -E 's/cycle [0-9]+/cycle N/' $(NIC_B)/full.txt)" = 'soc-sim: cycle N: /dev/full: No space left on device' ] && \
		echo 'nic: a full disk is told in one line'

test-nic-smp: $(NIC_TESTS_SMP:%=$(NIC_B)/%.elf) $(B)/bin/soc-sim
	$(Q)for options in '--lockstep' '--lockstep --l2-latency 1 --dram-latency 3 --nic-latency 1'; do \
		ISA_TIMEOUT=300 tests/isa/run.sh "$(NIC_SIM) --harts 2 $$options" $(filter %.elf,$^) || exit; done
	$(Q)$(call nic_traces,,)
	$(Q)$(call nic_traces,--no-skip,-no-skip)
	$(Q)for t in $(NIC_TESTS_SMP); do for f in tr pcap; do \
		cmp $(NIC_B)/$$t.$$f $(NIC_B)/$$t-no-skip.$$f || exit; done; done; \
		echo "nic: the same traces of two harts without skips"
