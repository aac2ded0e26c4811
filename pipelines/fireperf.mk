# SPDX-License-Identifier: Apache-2.0
# `make fireperf`: the case study of FirePerf (Karandikar et al., ASPLOS 2020) on two
# machines: iperf3 from node 1 to node 0, with slow and fast user copies and with each step
# of the driver. A run is KERNEL-STEP; its results are in build/fireperf/KERNEL-STEP/, those
# of node N begin with N. Over loopback, one machine runs both sides.
#
# Throughput is that of the steady state: payload over the target's time, from the frames on
# the wire, without the first MiB; over loopback, the bytes that a longer run transfers more,
# over the cycles that it takes more.

FIREPERF := build/fireperf
FIREPERF_KERNEL_5.10 := build/linux-net-5.10/vmlinux
FIREPERF_KERNEL_bytes := build/linux-net-bytes/vmlinux
FIREPERF_KERNEL_shift := build/linux-net/vmlinux
FIREPERF_RUNS := 5.10-base bytes-base shift-base shift-csum shift-napi shift-jumbo
FIREPERF_LOOPBACK := 5.10 bytes shift
fireperf_kernel = $(FIREPERF_KERNEL_$(firstword $(subst -, ,$(1))))
fireperf_step = $(lastword $(subst -, ,$(1)))

.PHONY: fireperf fireperf-table-1 fireperf-table-4 fireperf-figure-5
fireperf: ## FirePerf's case study on two machines, beside the paper's tables (5 minutes after linux-net)
fireperf: fireperf-table-1 fireperf-table-4 fireperf-figure-5
	@printf 'open %s\n' $(FIREPERF_RUNS:%=$(FIREPERF)/%/1.svg)
fireperf-table-1: ## Linux with slow user copies, over the network and over loopback
fireperf-table-4: ## The steps of the case study, one added after the other
fireperf-figure-5: ## How many requests to send the driver keeps queued

FIREPERF_SIM := $(B)/bin/soc-sim
FIREPERF_READY := $(FIREPERF_SIM) $(addprefix $(B)/bin/,soc-net tr-capture tr-info) | linux-net

# $(call fireperf_node,RUN,SCRIPT,NODE)
fireperf_node = $(FIREPERF_SIM) --nic wire --ram 64M --dtb build/linux-net/$(2)-$(call fireperf_step,$(1)).dtb \
	--initrd build/linux-net/$(2).cpio $(FW) $(call fireperf_kernel,$(1)) \
	--trace $(FIREPERF)/$(1)/$(3).tr --pcap $(FIREPERF)/$(1)/$(3).pcap \
	--counters 'nic_*' --counters-every 100G --counters-csv $(FIREPERF)/$(1)/$(3).csv
define fireperf_run
$(FIREPERF)/$(1)/1.tr: $(FW) $(FIREPERF_READY)
	$$(call say,RUN,$$(@D))
	$(Q)mkdir -p $$(@D)
	$(Q)$(B)/bin/soc-net -o $$(@D)/ -- $(call fireperf_node,$(1),server,0) -- $(call fireperf_node,$(1),client,1) \
		|| { cat $$(@D)/0.txt $$(@D)/1.txt >&2; exit 1; }
endef
$(foreach r,$(FIREPERF_RUNS),$(eval $(call fireperf_run,$(r))))
.SECONDARY: $(FIREPERF_RUNS:%=$(FIREPERF)/%/1.tr) $(foreach n,0 1,$(FIREPERF_RUNS:%=$(FIREPERF)/%/$(n).stacks.tr))

# Throughput and retransmissions, from the frames; the console's own figure; occupancy.
$(FIREPERF)/%/result.txt: $(FIREPERF)/%/1.tr pipelines/fireperf-wire.awk pipelines/fireperf-occupancy.awk
	$(Q){ tcpdump -nn --nano -tt -r $(@D)/0.pcap tcp 2> /dev/null | awk -f pipelines/fireperf-wire.awk; \
	awk '/receiver/ { print "console", $$7 / 1000 }' $(@D)/1.txt; \
	awk -f pipelines/fireperf-occupancy.awk $(@D)/1.csv; } > $@

# The folder of a run's kernel, below build/.
fireperf_below = $(patsubst build/%,%,$(dir $(call fireperf_kernel,$(1))))

# $(call fireperf_stacks,NODE): flame graph and table of a node.
define fireperf_stacks
$(FIREPERF)/%/$(1).stacks.tr: $(FIREPERF)/%/1.tr $(B)/bin/tr-match $(B)/bin/tr-unwind
	$$(call say,STACKS,$$@)
	$(Q)printf '../../%s\n' 'target/firmware.elf firmware' '$$(call fireperf_below,$$*)vmlinux kernel' \
		'$$(call fireperf_below,$$*)vdso.so.dbg user' 'linux/init user' 'linux/busybox user' 'linux/iperf3 user' \
		> $$(@D)/bins.lst
	$(Q)$(B)/bin/tr-match --bins $$(@D)/bins.lst $$(@D)/$(1).tr | $(B)/bin/tr-unwind -o $$@
$(FIREPERF)/%/$(1).svg: $(FIREPERF)/%/$(1).stacks.tr $(B)/bin/tr-fold
	$$(call say,FOLD,$$@)
	$(Q)$(B)/bin/tr-fold --title 'iperf3 between two machines, $$*' --svg $$@ --table=$$(@D)/$(1).functions.txt \
		-o $$(@D)/$(1).folded $$<
endef
$(foreach n,0 1,$(eval $(call fireperf_stacks,$(n))))

# Over loopback: two sizes.
FIREPERF_SIZES := iperf3 iperf3-8m
$(FIREPERF)/loopback-%/result.txt: $(FW) $(FIREPERF_READY)
	$(call say,RUN,$(@D))
	$(Q)mkdir -p $(@D)
	$(Q)for size in $(FIREPERF_SIZES); do \
		$(B)/bin/tr-capture -o $(@D)/$$size.tr -- $(FIREPERF_SIM) --ram 64M $(FW) $(FIREPERF_KERNEL_$*) \
			$(LINUX_B)/$$size.elf > $(@D)/$$size.txt 2>&1 < /dev/null || { cat $(@D)/$$size.txt >&2; exit 1; }; \
		$(B)/bin/tr-info $(@D)/$$size.tr | awk '$$1 == "cycles" && NF == 2 { print $$2; exit }'; \
	done | awk '{ cycles[NR] = $$1 } END { if (NR != 2) exit 1; \
		print "gbits", 7 * 1048576 * 8 / (cycles[2] - cycles[1]) * 3.2 }' > $@.new; \
	awk '/receiver/ { print "console", $$7 / 1000; exit }' $(@D)/iperf3-8m.txt >> $@.new; mv $@.new $@

FIREPERF_RESULTS := $(FIREPERF_RUNS:%=$(FIREPERF)/%/result.txt) $(FIREPERF_LOOPBACK:%=$(FIREPERF)/loopback-%/result.txt)
fireperf_table = $(Q)awk -v table=$(1) -f pipelines/fireperf.awk $(filter %/result.txt,$^)
fireperf-table-1: $(foreach k,5.10 bytes,$(FIREPERF)/$(k)-base/result.txt $(FIREPERF)/loopback-$(k)/result.txt)
	$(call fireperf_table,1)
fireperf-table-4: $(filter-out $(FIREPERF)/5.10-base/%,$(FIREPERF_RUNS:%=$(FIREPERF)/%/result.txt))
	$(call fireperf_table,4)
fireperf-figure-5: $(foreach r,bytes-base shift-csum shift-napi shift-jumbo,$(FIREPERF)/$(r)/result.txt)
	$(call fireperf_table,5)
fireperf: $(FIREPERF_RUNS:%=$(FIREPERF)/%/1.svg) $(FIREPERF_RUNS:%=$(FIREPERF)/%/0.svg)
