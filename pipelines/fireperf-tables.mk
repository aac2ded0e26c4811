# SPDX-License-Identifier: Apache-2.0
# Tables and figures of FirePerf's case study, from the runs of fireperf.mk, each with a
# target and a script of its own: fireperf-table-N.awk, fireperf-figure-N.awk. A target prints
# its build/fireperf/NAME.txt, so that `make -j2 fireperf` prints one after the other.

FIREPERF_TARGETS := $(foreach t,1 2 3 4,table-$(t)) $(foreach f,2 3 5 7,figure-$(f)) transmit copies latency table-5
.PHONY: fireperf fireperf-files $(FIREPERF_TARGETS:%=fireperf-%)
fireperf: ## FirePerf on two machines: all of the following (15 minutes with -j2)
FIREPERF_ALL := $(FIREPERF_TARGETS:%=$(FIREPERF)/%.txt) $(foreach n,0 1,$(FIREPERF_CASE:%=$(FIREPERF)/%/$(n).svg))
# One make for all that is asked for, after Linux has been built: they share runs.
fireperf-files: linux-net
	@$(MAKE) --no-print-directory $(or $(if $(filter fireperf,$(MAKECMDGOALS)),$(FIREPERF_ALL) $(patsubst %.svg,%.functions.txt,$(filter %.svg,$(FIREPERF_ALL)))), \
		$(patsubst fireperf-%,$(FIREPERF)/%.txt,$(filter $(FIREPERF_TARGETS:%=fireperf-%),$(MAKECMDGOALS))))
fireperf: fireperf-files
	@cat $(filter %.txt,$(FIREPERF_ALL))
	@printf 'open %s\n' $(filter %.svg,$(FIREPERF_ALL))
$(FIREPERF_TARGETS:%=fireperf-%): fireperf-%: fireperf-files
	@cat $(FIREPERF)/$*.txt
fireperf-table-1: ## Linux with slow user copies, over the network and over loopback
fireperf-table-2: ## User copies of different speed, and strace, over loopback
fireperf-table-3: ## Fast user copies, over the network and over loopback
fireperf-table-4: ## The steps of the case study, one added after the other
fireperf-table-5: ## Slow and fast user copies on a slower machine with 1 Gbit/s
fireperf-figure-2: ## Flame graph of iperf3 over loopback
fireperf-figure-3: ## Flame graph of iperf3's server
fireperf-figure-5: ## How many requests to send the driver keeps queued
fireperf-figure-7: ## Flame graph of iperf3's server with fast user copies
fireperf-transmit: ## Entries of the driver's transmit function, and durations (section 4.8)
fireperf-copies: ## User copies: bytes per cycle, IPC, misses of the L1D (section 4.5.1)
fireperf-latency: ## The final system with a cloud's latency (section 4.10)

FIREPERF_RESULTS := $(FIREPERF_RUNS:%=$(FIREPERF)/%/result.txt) $(FIREPERF_LOOPBACK:%=$(FIREPERF)/loopback-%/result.txt)
# $(call fireperf_results,RUN...): those of these runs that exist, of one and of two harts
fireperf_results = $(filter $(foreach r,$(1),$(FIREPERF)/$(r)/result.txt $(FIREPERF)/$(r)-dual/result.txt),$(FIREPERF_RESULTS))
# $(call fireperf_table,NAME,RUN...)
define fireperf_table
$(FIREPERF)/$(1).txt: $(call fireperf_results,$(2)) pipelines/fireperf.awk pipelines/fireperf-$(1).awk FORCE
	$(Q){ awk -v fast=$(FIREPERF_FAST) $$(patsubst %,-f %,$$(filter %.awk,$$^)) $$(filter %/result.txt,$$^); \
	$$(foreach f,$$(filter-out %.awk %/result.txt FORCE,$$^),cat $$f;) } > $$@
endef
$(eval $(call fireperf_table,table-1,5.10-base bytes-base loopback-5.10 loopback-bytes))
$(eval $(call fireperf_table,table-3,bytes-base loopback-bytes $(FIREPERF_FAST)-base loopback-$(FIREPERF_FAST)))
$(eval $(call fireperf_table,table-4,bytes-base $(FIREPERF_STEPS) $(FIREPERF_OWN)))
$(eval $(call fireperf_table,table-5,$(FIREPERF_BOARD)))
$(eval $(call fireperf_table,latency,$(FIREPERF_CLOUD) $(FIREPERF_FAST)-napi $(FIREPERF_FAST)-jumbo))
$(eval $(call fireperf_table,figure-5,bytes-base $(FIREPERF_STEPS)))

# Where the time goes under strace: with each block that iperf3 sends, into strace.
$(FIREPERF)/table-2.txt: $(FIREPERF)/loopback-traced/strace.txt
$(FIREPERF)/loopback-traced/strace.txt: $(addprefix $(FIREPERF)/loopback-traced/,joined.folded functions.txt) pipelines/fireperf-programs.awk
	$(Q)awk -v title='cycles under strace' -f pipelines/fireperf-programs.awk $< > $@
$(eval $(call fireperf_table,table-2,$(addprefix loopback-,bytes traced shift copy)))

# Why the last step is so much faster than the first, or is not; and why NAPI is slower. From
# the first data to the exchange of results.
# $(call fireperf_causes,FILE,NODE,BEFORE,AFTER,TITLE)
FIREPERF_WINDOW_0 := --from iperf_tcp_recv --to iperf_exchange_results
FIREPERF_WINDOW_1 := --from iperf_tcp_send --to iperf_exchange_results
define fireperf_causes
$(FIREPERF)/$(1).txt: $(foreach r,$(3) $(4),$(FIREPERF)/$(r)/$(2).stacks.tr) $(B)/bin/tr-diff $(addprefix pipelines/,last-column.awk fireperf-causes.awk)
	$(Q){ $(B)/bin/tr-diff --tma --threshold 1% $(FIREPERF_WINDOW_$(2)) $$(filter %.tr,$$^) || [ $$$$? = 1 ]; } | \
		awk -v title='$(5)' $$(patsubst %,-f %,$$(filter %.awk,$$^)) > $$@
endef
# $(call fireperf_why,HARTS,CORES)
define fireperf_why
$(FIREPERF)/table-4.txt: $(FIREPERF)/causes$(1).txt
$(FIREPERF)/figure-5.txt: $(FIREPERF)/napi-server$(1).txt $(FIREPERF)/napi-client$(1).txt
$(call fireperf_causes,causes$(1),0,bytes-base$(1),$(FIREPERF_FAST)-jumbo$(1),server$(comma) $(2)$(comma) baseline and last)
$(call fireperf_causes,napi-server$(1),0,$(FIREPERF_FAST)-csum$(1),$(FIREPERF_FAST)-napi$(1),server$(comma) $(2)$(comma) without and with NAPI)
$(call fireperf_causes,napi-client$(1),1,$(FIREPERF_FAST)-csum$(1),$(FIREPERF_FAST)-napi$(1),client$(comma) $(2)$(comma) without and with NAPI)
endef
$(eval $(call fireperf_why,,one core))
$(if $(FIREPERF_DUAL),$(eval $(call fireperf_why,-dual,two cores)))

# How far two harts share the work, and which of them the interface interrupts.
ifdef FIREPERF_DUAL
$(FIREPERF)/table-4.txt: $(FIREPERF)/harts.txt
$(FIREPERF)/harts.txt: $(foreach r,$(filter %-dual,$(FIREPERF_TRACED)),$(FIREPERF)/$(r)/harts.txt)
	$(Q){ echo 'Two cores: cycles in which a hart is busy (is in iperf3, system calls included), and interrupts of the NIC'; \
	printf '  %-36s %18s %9s %18s %9s\n' '' 'hart 0' '' 'hart 1' ''; cat $^; } > $@
endif
$(FIREPERF)/%/harts.txt: $(FIREPERF)/%/0.stacks.tr $(FIREPERF)/%/1.stacks.tr $(FIREPERF)/%/result.txt \
		pipelines/fireperf-harts.awk $(B)/bin/tr-fold
	$(Q)for n in 0 1; do $(B)/bin/tr-fold $(call fireperf_window,$(@D)) --idle --by hart $(@D)/$$n.stacks.tr | \
		awk -v title="$* $$([ $$n = 0 ] && echo server || echo client)" -f pipelines/fireperf-harts.awk $(@D)/$$n.txt -; done > $@

$(FIREPERF)/transmit.txt: $(foreach r,bytes-base $(FIREPERF_STEPS),$(FIREPERF)/$(r)/transmit.txt) pipelines/fireperf-transmit.awk
	$(Q){ awk -f pipelines/fireperf-transmit.awk $(filter %.txt,$^); \
	printf 'open %s\n' $(patsubst %.txt,%.svg,$(filter %.txt,$^)); } > $@

# --- pictures: the functions with most cycles

# $(call fireperf_figure,NUMBER,PICTURE,TABLE,TITLE)
define fireperf_figure
$(FIREPERF)/figure-$(1).txt: $(FIREPERF)/$(2).svg $(FIREPERF)/$(3) $(addprefix pipelines/,last-column.awk fireperf-functions.awk)
	$(Q){ awk -v title='Figure $(1): $(4)' $$(patsubst %,-f %,$$(filter %.awk,$$^)) $(FIREPERF)/$(3); \
	echo 'open $(FIREPERF)/$(2).svg'; } > $$@
endef
$(eval $(call fireperf_figure,2,loopback-bytes/joined,loopback-bytes/functions.txt,loopback$(comma) baseline))
$(eval $(call fireperf_figure,3,bytes-base/0,bytes-base/0.functions.txt,server$(comma) baseline))
$(eval $(call fireperf_figure,7,$(FIREPERF_FAST)-base/0,$(FIREPERF_FAST)-base/0.functions.txt,server$(comma) fast copies))

# --- section 4.5.1: copies over loopback, and of the server of the network, from a trace of
# them alone, with the hardware's counters. A window of the trace opens at the copy's first
# instruction and closes at its return. 4 MiB are enough for the server.

FIREPERF_COPIES := bytes shift
FIREPERF_COUNTED := instructions_retired,load,store,l1d_refill,dcache_miss,exception,branch_miss
# $(call fireperf_windows,KERNEL): in the shell; writes window.txt
fireperf_windows = $(LINUX_CROSS)objdump -d --disassemble=__asm_copy_from_user $(call fireperf_alone,$(1)) | \
	awk '/^[0-9a-f]+ </ { print "--start pc=0x" $$1 } /ret$$/ { sub(/:.*/, ""); print "--stop pc=0x" $$1; exit }' \
	> $(@D)/window.txt
fireperf_counting = $$(cat $(@D)/window.txt) --trace $(@D)/windows.tr --counters $(FIREPERF_COUNTED) \
	--counters-every 100G --counters-csv $@
$(foreach k,$(FIREPERF_COPIES),\
	$(eval $(FIREPERF)/copies-$(k)/counts.csv: $(call fireperf_alone,$(k)) $(filter build/%,$(FIREPERF_IMAGE))) \
	$(eval $(FIREPERF)/copies-$(k)-server/counts.csv: $(sort $(call fireperf_files,$(k)-base,server,0) \
		$(call fireperf_files,$(k)-short,client,1))))
$(FIREPERF_COPIES:%=$(FIREPERF)/copies-%/counts.csv): $(FIREPERF)/copies-%/counts.csv: $(FW) $(FIREPERF_READY)
	$(call say,RUN,$(@D))
	$(Q)mkdir -p $(@D); $(call fireperf_windows,$*)
	$(Q)$(FIREPERF_SIM) $(FIREPERF_SIM_$*) --ram 64M $(FW) $(call fireperf_alone,$*) $(FIREPERF_IMAGE) \
		$(call fireperf_counting) > $(@D)/console.txt < /dev/null
$(FIREPERF_COPIES:%=$(FIREPERF)/copies-%-server/counts.csv): $(FIREPERF)/copies-%-server/counts.csv: $(FW) $(FIREPERF_READY)
	$(call say,RUN,$(@D))
	$(Q)mkdir -p $(@D); $(call fireperf_windows,$*)
	$(Q)$(B)/bin/soc-net -o $(@D)/ -- $(call fireperf_machine,$*-base,server,0) $(call fireperf_counting) \
		-- $(call fireperf_machine,$*-short,client,1)
$(FIREPERF)/copies-%/counts.txt: $(FIREPERF)/copies-%/counts.csv pipelines/fireperf-copied.awk $(B)/bin/tr-text
	$(Q){ awk -F, '/^label/ { split($$0, name) } { split($$0, last) } \
		END { for (i = 2; i in name; i++) print name[i], last[i] }' $<; \
	$(B)/bin/tr-text $(@D)/windows.tr | awk -v from=$$(sed -n 's/.*start pc=//p' $(@D)/window.txt) \
		-v to=$$(sed -n 's/.*stop pc=//p' $(@D)/window.txt) -f pipelines/fireperf-copied.awk; } > $@
.PRECIOUS: $(FIREPERF)/copies-%/counts.txt $(FIREPERF)/copies-%/counts.csv
$(FIREPERF)/copies.txt: $(foreach k,$(FIREPERF_COPIES),$(FIREPERF)/copies-$(k)/counts.txt $(FIREPERF)/copies-$(k)-server/counts.txt) \
		pipelines/fireperf-copies.awk
	$(Q)awk -f pipelines/fireperf-copies.awk $(filter %.txt,$^) > $@
