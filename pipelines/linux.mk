# SPDX-License-Identifier: Apache-2.0
# Linux on the hardware, from the run to the flame graphs: the boot (userspace paper,
# figure 1), hello_world (figure 7), BusyBox (figure 8), iperf3 over loopback (figures 9
# and 10; FirePerf, figure 2). Probes on a replay tell the names of processes. Results are
# in build/linux-demo/SCENARIO/; linux-reports.mk has the report of each run.

LINUX_DEMO := build/linux-demo$(OTHER)
LINUX_RUNS := boot hello busybox iperf3
LINUX_OWN := joined.svg classes.svg processes/index.txt functions.txt summary.txt report.txt

# The image that boots, if its name is not the scenario's, and the input typed at its
# console.
LINUX_IMAGE_boot := shell
LINUX_TYPED_boot := exit\n
LINUX_IMAGE = $(LINUX_B)/$(or $(LINUX_IMAGE_$(1)),$(1))
LINUX_RUN = $(SIMULATOR_BIN) --ram 64M $(FW) $(LINUX_B)/vmlinux $(call LINUX_IMAGE,$(1)).elf

.PHONY: linux-demo $(LINUX_RUNS:%=linux-%)
linux-demo: ## Run Linux and draw it: boot, hello, BusyBox, iperf3 (make linux first)
linux-demo: $(LINUX_RUNS:%=linux-%)
linux-boot: ## Linux from reset to a shell
linux-hello: ## hello_world on Linux: foo against printf
linux-busybox: ## BusyBox on Linux
linux-iperf3: ## iperf3 over loopback

define linux_run
linux-$(1): linux $(SIMULATOR_BIN) $(FILTERS:%=$(B)/bin/%)
	@$$(MAKE) --no-print-directory $(LINUX_OWN:%=$(LINUX_DEMO)/$(1)/%)
	@echo; cat $(LINUX_DEMO)/$(1)/summary.txt $(LINUX_DEMO)/$(1)/report.txt; \
	printf 'open %s (all together), %s (one per process), %s (classes of lost cycles)\n' \
		$(LINUX_DEMO)/$(1)/joined.svg '$(LINUX_DEMO)/$(1)/processes/*.svg' $(LINUX_DEMO)/$(1)/classes.svg

$(addprefix $(LINUX_DEMO)/$(1)/,run.tr console.txt run.log seconds.txt) &: $(FW) $(LINUX_B)/vmlinux $(call LINUX_IMAGE,$(1)).elf \
		$(SIMULATOR_BIN) $(B)/bin/tr-capture
	$$(call say,RUN,$$(@D)/run.tr)
	$(Q)mkdir -p $$(@D)
	$(Q)TIMEFORMAT='wall %R cpu %U'; { time printf '$(LINUX_TYPED_$(1))' | \
		$(B)/bin/tr-capture -o $$(@D)/run.tr -- $(call LINUX_RUN,$(1)) > $$(@D)/console.txt 2> $$(@D)/run.log; } \
		2> $$(@D)/seconds.txt || { cat $$(@D)/run.log >&2; exit 1; }
$(call profile_rules,$(LINUX_DEMO)/$(1),'Linux$(comma) $(1): $(PROFILE_ALL)',$(call LINUX_IMAGE,$(1)).lst \
	$(LINUX_PROBES) $(B)/bin/tr-replay,-v --bins $(call LINUX_IMAGE,$(1)).lst,--by process,$(B)/bin/tr-replay --stream \
	--probes $(LINUX_PROBES) $(LINUX_DEMO)/$(1)/run.tr $(FW) $(LINUX_B)/vmlinux $(call LINUX_IMAGE,$(1)).elf)
endef
$(foreach run,$(LINUX_RUNS),$(eval $(call linux_run,$(run))))

# $(call linux_summary,FOLDER,TITLE,AWK): the summary of each run, FOLDER/RUN/run.tr. AWK adds
# rows to it.
LINUX_SUMMED := run.tr seconds.txt match.log unwind.log fold.log
define linux_summary
$(1)/%/summary.txt: $(addprefix $(1)/%/,$(LINUX_SUMMED)) $(B)/bin/tr-info pipelines/linux-summary.awk $(3)
	$(Q){ sed 's/^/seconds /' $$(@D)/seconds.txt; $(B)/bin/tr-info $$(@D)/run.tr | sed 's/^/info /'; \
	cat $$(@D)/match.log $$(@D)/unwind.log $$(@D)/fold.log; } | \
		awk -v title='$(2): $$*' $$(patsubst %,-f %,$$(filter %.awk,$$^)) > $$@
endef
$(eval $(call linux_summary,$(LINUX_DEMO),Linux on the hardware))

$(LINUX_DEMO)/%/classes.svg: $(LINUX_DEMO)/%/run.stacks.tr $(B)/bin/tr-fold $(B)/bin/tr-report
	$(call say,FOLD,$@)
	$(Q)$(B)/bin/tr-fold --title 'Linux, $*: lost cycles by class' --tma \
		--svg $@ -o /dev/null $<
	$(Q)$(B)/bin/tr-report tma -o $(@D)/classes.txt $<
$(LINUX_DEMO)/%/processes/index.txt: $(LINUX_DEMO)/%/run.stacks.tr $(B)/bin/tr-fold
	$(call say,FOLD,$(@D))
	$(Q)mkdir -p $(@D); rm -f $(@D)/*
	$(Q)$(B)/bin/tr-fold --by process --title 'Linux, $*: flame graphs by process' \
		--svg $(@D)/../processes.svg -d $(@D) $< > /dev/null
	$(Q)cd $(@D); for f in *.folded; do \
		awk -v f="$${f%.folded}" '{ n += $$NF; who = $$0 } END { sub(/(;.*)? [0-9]*$$/, "", who); print f, n, who }' \
		"$$f"; done > index.txt

.SECONDARY: $(foreach run,$(LINUX_RUNS),$(addprefix $(LINUX_DEMO)/$(run)/,$(PROFILE_KEPT) replay.log))
