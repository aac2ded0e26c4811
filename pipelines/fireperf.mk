# SPDX-License-Identifier: Apache-2.0
# `make fireperf`: the case study of FirePerf (Karandikar et al., ASPLOS 2020) on two
# machines: iperf3 from node 1 to node 0, with slow and fast user copies and with each step
# of the driver. fireperf-tables.mk prints its tables and figures from the runs made here.
#
# A run is KERNEL-STEP or KERNEL-STEP-PLACE, with -dual behind it if its machines have two
# harts; its results are in build/fireperf/RUN/, those of node N begin with N. Over loopback,
# one machine runs both sides.
#
# Throughput is that of the steady state, without the first MiB: payload over the target's time,
# from the frames on the wire; over loopback, the blocks that iperf3 sends, over the cycles.

FIREPERF := build/fireperf$(CORE_SUFFIX)

# --- the runs. A KERNEL may have options of soc-sim: FIREPERF_SIM_KERNEL. A PLACE may have
# FIREPERF_SIM_PLACE, and options of soc-net, FIREPERF_NET_PLACE.

FIREPERF_KERNEL_5.10 := build/linux-net-5.10/vmlinux
FIREPERF_KERNEL_bytes := build/linux-net-bytes/vmlinux
FIREPERF_KERNEL_shift := build/linux-net/vmlinux
FIREPERF_KERNEL_copy := build/linux-net-copy/vmlinux
FIREPERF_SIM_copy := --copy-unit
# The kernel whose copies are fast: FirePerf's accelerator, the copy unit.
FIREPERF_FAST := copy
FIREPERF_STEPS := $(addprefix $(FIREPERF_FAST)-,base csum napi jumbo)
FIREPERF_CASE := 5.10-base bytes-base $(FIREPERF_STEPS)

# The final system at the distance of two machines of a cloud's placement group: 25 us, a
# round trip of 50 us, with frames of 9000 and of 1500 bytes.
FIREPERF_CLOUD := $(addprefix $(FIREPERF_FAST)-,jumbo-cloud napi-cloud)
FIREPERF_NET_cloud := --latency 80k

# A board and a faster machine, with frames of 1500 and of 3000 bytes; the place is the
# board's role. The board's clock is 1 GHz, so its link of 1 Gbit/s takes as many bits a
# cycle as one of 3.2 Gbit/s at the nominal 3.2 GHz, and DRAM answers after 60 ns. The faster
# machine stands for one with a faster clock: its caches and memory answer at once, and its
# copies are fast, in software.
FIREPERF_BOARD := $(foreach k,bytes shift,$(foreach m,1500 3000,$(k)-$(m)-server $(k)-$(m)-client))
FIREPERF_NET_server := --rate 3200M
FIREPERF_NET_client := $(FIREPERF_NET_server)
FIREPERF_SIM_board := --dram-latency 60
FIREPERF_SIM_peer := --l2-latency 1 --dram-latency 1
FIREPERF_PEER_server := 1
FIREPERF_PEER_client := 0

# Machines of two harts: options, a firmware, device trees, kernels. Hart 1 takes the interrupts,
# as a daemon that balances them would arrange it, since Linux alone leaves them and iperf3 on
# hart 0; the place "own" shows that. FIREPERF_CORES=1 omits these runs.
FIREPERF_CORES := 2
ifneq ($(FIREPERF_CORES),1)
FIREPERF_OWN := $(FIREPERF_FAST)-napi-own
FIREPERF_DUAL := $(addsuffix -dual,$(FIREPERF_CASE) $(FIREPERF_CLOUD) $(FIREPERF_OWN))
FIREPERF_DUAL_LOOPBACK := $(addsuffix -dual,5.10 bytes shift copy)
endif
FIREPERF_SIM_dual := --harts 2
FIREPERF_FW_dual := $(TARGET_B)/firmware-smp.elf
FIREPERF_TREE_dual := 2-moved
FIREPERF_TREE_own := 2
FIREPERF_KERNEL_5.10-dual := build/linux-net-5.10-smp/vmlinux
FIREPERF_KERNEL_bytes-dual := build/linux-net-bytes-smp/vmlinux
FIREPERF_KERNEL_shift-dual := build/linux-net-smp/vmlinux
FIREPERF_KERNEL_copy-dual := build/linux-net-copy-smp/vmlinux

FIREPERF_RUNS := $(FIREPERF_CASE) $(FIREPERF_CLOUD) $(FIREPERF_BOARD) $(FIREPERF_DUAL)
# Those whose stacks are shown. Of the others there are no traces.
FIREPERF_TRACED := $(FIREPERF_CASE) $(filter $(addsuffix -dual,bytes-base $(addprefix $(FIREPERF_FAST)-,csum napi jumbo) $(FIREPERF_OWN)), \
	$(FIREPERF_DUAL))
FIREPERF_LOOPBACK := 5.10 bytes shift copy traced $(FIREPERF_DUAL_LOOPBACK)

fireperf_word = $(word $(1),$(subst -, ,$(2)))
fireperf_place = $(filter-out dual,$(call fireperf_word,3,$(1)))
# $(call fireperf_harts,RUN): "dual" if its machines have two harts
fireperf_harts = $(if $(filter %-dual,$(1)),dual)
# $(call fireperf_peer,RUN,NODE): is the node the faster machine of a board?
fireperf_peer = $(filter $(2),$(FIREPERF_PEER_$(call fireperf_place,$(1))))
# $(call fireperf_copies,RUN,NODE): the KERNEL of a node
fireperf_copies = $(if $(call fireperf_peer,$(1),$(2)),shift,$(call fireperf_word,1,$(1)))
fireperf_kernel = $(FIREPERF_KERNEL_$(call fireperf_copies,$(1),$(2))$(addprefix -,$(call fireperf_harts,$(1))))
fireperf_firmware = $(or $(FIREPERF_FW_$(call fireperf_harts,$(1))),$(FW))
fireperf_options = $(FIREPERF_SIM_$(call fireperf_copies,$(1),$(2))) $(FIREPERF_SIM_$(call fireperf_place,$(1))) \
	$(FIREPERF_SIM_$(call fireperf_harts,$(1))) \
	$(if $(filter $(1),$(FIREPERF_BOARD)),$(FIREPERF_SIM_$(if $(call fireperf_peer,$(1),$(2)),peer,board)))

# --- between two machines

FIREPERF_SIM := $(B)/bin/soc-sim
FIREPERF_READY := $(FIREPERF_SIM) $(addprefix $(B)/bin/,soc-net tr-capture tr-info)

# $(call fireperf_machine,RUN,SCRIPT,NODE), and what it writes
fireperf_tree = $(call fireperf_word,2,$(1))$(addprefix -,$(or $(FIREPERF_TREE_$(call fireperf_place,$(1))),$(FIREPERF_TREE_$(call fireperf_harts,$(1)))))
fireperf_machine = $(FIREPERF_SIM) --nic wire --ram 64M --dtb build/linux-net/$(2)-$(call fireperf_tree,$(1)).dtb \
	--initrd build/linux-net/$(2).cpio $(call fireperf_options,$(1),$(3)) \
	$(call fireperf_firmware,$(1)) $(call fireperf_kernel,$(1),$(3))
# $(call fireperf_files,RUN,SCRIPT,NODE): firmware, kernel, device tree and archive, of which one
# that has changed runs the machines again. The targets of fireperf-tables.mk make linux-net first.
fireperf_files = $(call fireperf_firmware,$(1)) $(call fireperf_kernel,$(1),$(3)) \
	build/linux-net/$(2)-$(call fireperf_tree,$(1)).dtb build/linux-net/$(2).cpio
fireperf_node = $(fireperf_machine) $(if $(filter $(1),$(FIREPERF_TRACED)),--trace $(FIREPERF)/$(1)/$(3).tr) --pcap $(FIREPERF)/$(1)/$(3).pcap \
	--counters 'nic_*' --counters-every 100G --counters-csv $(FIREPERF)/$(1)/$(3).csv
define fireperf_run
$(addprefix $(FIREPERF)/$(1)/,net.txt $(if $(filter $(1),$(FIREPERF_TRACED)),0.tr 1.tr)) &: \
		$(sort $(call fireperf_files,$(1),server,0) $(call fireperf_files,$(1),client,1)) $(FIREPERF_READY)
	$$(call say,RUN,$$(@D))
	$(Q)mkdir -p $$(@D)
	$(Q)$(B)/bin/soc-net $(FIREPERF_NET_$(call fireperf_place,$(1))) -o $$(@D)/ \
		-- $(call fireperf_node,$(1),server,0) -- $(call fireperf_node,$(1),client,1) 2> $$(@D)/net.txt \
		|| { cat $$(@D)/net.txt $$(@D)/0.txt $$(@D)/1.txt >&2; exit 1; }
endef
$(foreach r,$(FIREPERF_RUNS),$(eval $(call fireperf_run,$(r))))
.SECONDARY: $(FIREPERF_RUNS:%=$(FIREPERF)/%/net.txt) $(foreach n,0 1,$(foreach f,tr lst stacks.tr,$(FIREPERF_TRACED:%=$(FIREPERF)/%/$(n).$(f))))

# Frames, checksums and payload of a node, by us and by tcpdump.
FIREPERF_FRAMES := $(B)/tests/fireperf-frames
$(eval $(call program,fireperf-frames,pipelines/fireperf-frames.c pipelines/fireperf-flow.c,tests))
define fireperf_frames
$(FIREPERF)/%/$(1).frames.txt: $(FIREPERF)/%/net.txt $(FIREPERF_FRAMES)
	$(Q)$(FIREPERF_FRAMES) $(1) $$(@D)/$(1).pcap > $$@
	$(Q)tcpdump -nn -vv -r $$(@D)/$(1).pcap 2> /dev/null | awk '/^[0-9][0-9]:/ { read++ } /bad cksum|incorrect/ { bad++ } \
		END { print "tcpdump read", read + 0, "bad", bad + 0 }' >> $$@
endef
$(foreach n,0 1,$(eval $(call fireperf_frames,$(n))))

.PRECIOUS: $(FIREPERF)/%/0.frames.txt $(FIREPERF)/%/1.frames.txt $(FIREPERF)/%/sums.txt $(FIREPERF)/%/transmit.txt

# The sums of frames: sent = received + dropped. A run whose sums fail has no result.
FIREPERF_SUMS := net.txt $(foreach n,0 1,$(n).frames.txt $(n).csv $(n).txt)
$(FIREPERF)/%/sums.txt: $(FIREPERF)/%/0.frames.txt $(FIREPERF)/%/1.frames.txt pipelines/fireperf-sums.awk
	$(Q)awk -f pipelines/fireperf-sums.awk $(FIREPERF_SUMS:%=$(@D)/%) > $@

# Throughput, retransmissions, and the console's own figure; occupancy; counters of Linux.
$(FIREPERF)/%/result.txt: $(FIREPERF)/%/sums.txt $(addprefix pipelines/fireperf-,result.awk occupancy.awk snmp.awk)
	$(Q){ awk -f pipelines/fireperf-result.awk $(@D)/0.frames.txt $(@D)/1.frames.txt; \
	awk '/receiver/ { print "console", $$7 / 1000 }' $(@D)/1.txt; \
	awk -f pipelines/fireperf-occupancy.awk $(@D)/1.csv; \
	awk -f pipelines/fireperf-snmp.awk $(@D)/0.txt $(@D)/1.txt; } > $@

# --- stacks and flame graphs of a node, in the steady state

# The folder of a kernel, below build/.
fireperf_below = $(patsubst build/%,%,$(dir $(1)))
# $(call fireperf_bins,KERNEL,RUN): lines for tr-match, for a folder two below build/
fireperf_bins = printf '../../%s\n' '$(patsubst build/%,%,$(call fireperf_firmware,$(2))) firmware' '$(call fireperf_below,$(1))vmlinux kernel' \
	'$(call fireperf_below,$(1))vdso.so.dbg user' 'linux/init user' 'linux/busybox user' 'linux/iperf3 user' \
	'linux-net/strace user'
# The steady state's cycles, in the shell.
fireperf_window = $$(awk '$$1 == "window" { print "--from", $$2, "--to", $$3 }' $(1)/result.txt)

# $(call fireperf_drawn,FOLDER,STACKS,PICTURE,TABLE,TITLE): names of files in FOLDER
define fireperf_drawn
$(call profile_joined,$(1)/$(3),$(1)/$(2),$(5),$$(call fireperf_window,$(1)) --idle,$(1)/result.txt)
$(call profile_functions,$(1)/$(4),$(1)/$(2),$$(call fireperf_window,$(1)) --idle,$(1)/result.txt)
endef

FIREPERF_SIDE_0 := server
FIREPERF_SIDE_1 := client
# $(call fireperf_stacks,RUN,NODE)
define fireperf_stacks
$(FIREPERF)/$(1)/$(2).lst: $(FIREPERF)/$(1)/net.txt
	$(Q)$(call fireperf_bins,$(call fireperf_kernel,$(1),$(2)),$(1)) > $$@
$(call profile_stacks,$(FIREPERF)/$(1)/$(2).stacks.tr,$(FIREPERF)/$(1)/$(2).tr,$(FIREPERF)/$(1)/$(2).lst,--bins $(FIREPERF)/$(1)/$(2).lst)
$(call fireperf_drawn,$(FIREPERF)/$(1),$(2).stacks.tr,$(2).svg,$(2).functions.txt,'iperf3 between two machines$(comma) $(1)$(comma) $(FIREPERF_SIDE_$(2))')
endef
$(foreach r,$(FIREPERF_TRACED),$(foreach n,0 1,$(eval $(call fireperf_stacks,$(r),$(n)))))

# How often, and for how long, the client's driver is in its transmit function; the durations
# of its calls, traps included, as a picture.
$(FIREPERF)/%/transmit.txt: $(FIREPERF)/%/1.stacks.tr $(FIREPERF)/%/result.txt pipelines/fireperf-entries.awk \
		$(B)/bin/tr-text $(B)/bin/tr-report
	$(call say,COUNT,$@)
	$(Q)$(B)/bin/tr-text $< | awk -v name=start_xmit -v window="$(call fireperf_window,$(@D))" \
		-f pipelines/fireperf-entries.awk > $@
	$(Q)$(B)/bin/tr-report histogram $(call fireperf_window,$(@D)) --svg $(@D)/transmit.svg -o /dev/null start_xmit $<

# --- over loopback

FIREPERF_IMAGE := $(LINUX_B)/iperf3-8m.elf
FIREPERF_IMAGE_traced := --dtb build/linux-net/traced-8M.dtb --initrd build/linux-net/traced.cpio
FIREPERF_IMAGE_dual := --dtb build/linux-net/iperf3-8M-2.dtb --initrd build/linux-net/iperf3.cpio
fireperf_alone = $(or $(FIREPERF_KERNEL_$(1)),$(FIREPERF_KERNEL_bytes))
fireperf_image = $(or $(FIREPERF_IMAGE_$(1)),$(FIREPERF_IMAGE_$(call fireperf_harts,$(1))),$(FIREPERF_IMAGE))
define fireperf_loopback
$(FIREPERF)/loopback-$(1)/run.tr $(FIREPERF)/loopback-$(1)/console.txt &: $(call fireperf_firmware,$(1)) \
		$(call fireperf_alone,$(1)) $(filter build/%,$(call fireperf_image,$(1))) $(FIREPERF_READY)
	$$(call say,RUN,$$(@D))
	$(Q)mkdir -p $$(@D)
	$(Q)$(B)/bin/tr-capture -o $$(@D)/run.tr -- $(FIREPERF_SIM) $(FIREPERF_SIM_$(1:-dual=)) $(FIREPERF_SIM_$(call fireperf_harts,$(1))) \
		--ram 64M $(call fireperf_firmware,$(1)) $(call fireperf_alone,$(1)) $(call fireperf_image,$(1)) > $$(@D)/console.txt 2>&1 < /dev/null || { cat $$(@D)/console.txt >&2; exit 1; }
$(FIREPERF)/loopback-$(1)/bins.lst: $(FIREPERF)/loopback-$(1)/run.tr
	$(Q)$(call fireperf_bins,$(call fireperf_alone,$(1)),$(1)) > $$@
$(call profile_stacks,$(FIREPERF)/loopback-$(1)/stacks.tr,$(FIREPERF)/loopback-$(1)/run.tr,$(FIREPERF)/loopback-$(1)/bins.lst,--bins $(FIREPERF)/loopback-$(1)/bins.lst)
$(call fireperf_drawn,$(FIREPERF)/loopback-$(1),stacks.tr,joined.svg,functions.txt,'iperf3 over loopback$(comma) $(1)')
endef
$(foreach k,$(FIREPERF_LOOPBACK),$(eval $(call fireperf_loopback,$(k))))
.SECONDARY: $(foreach f,run.tr console.txt bins.lst stacks.tr,$(FIREPERF_LOOPBACK:%=$(FIREPERF)/loopback-%/$(f)))

$(FIREPERF)/loopback-%/result.txt: $(FIREPERF)/loopback-%/stacks.tr $(FIREPERF)/loopback-%/console.txt pipelines/fireperf-loopback.awk $(B)/bin/tr-text
	$(Q){ $(B)/bin/tr-text $< | awk -v block=16384 -v least=8388608 -f pipelines/fireperf-loopback.awk; \
	awk '/receiver/ { print "console", $$7 / 1000; exit }' $(@D)/console.txt; } > $@
