# SPDX-License-Identifier: Apache-2.0
# Classes of lost cycles on Linux: the boot, iperf3, and iperf3's transfer alone, from the
# runs of `make linux-demo`. Results are in build/linux-demo/tma/.

LINUX_TMA := $(LINUX_DEMO)/tma
LINUX_TMA_PARTS := boot iperf3 transfer
LINUX_TMA_FUNCTIONS := 10
LINUX_WINDOW_transfer := --from iperf_run_client --to iperf_run_client

.PHONY: linux-tma
linux-tma: linux $(SIMULATOR_BIN) $(FILTERS:%=$(B)/bin/%) ## Linux boot and iperf3 by class of lost cycles
	@$(MAKE) -s --no-print-directory $(LINUX_TMA)/classes.txt
	@echo; cat $(LINUX_TMA)/classes.txt; \
	printf '\n%s has all functions, %s the stacks in which the cycles were lost\n' \
		'$(LINUX_TMA)/NAME.txt' '$(LINUX_TMA)/NAME.svg'

$(LINUX_TMA)/boot.txt: $(LINUX_DEMO)/boot/run.stacks.tr
$(LINUX_TMA)/iperf3.txt $(LINUX_TMA)/transfer.txt: $(LINUX_DEMO)/iperf3/run.stacks.tr
$(LINUX_TMA_PARTS:%=$(LINUX_TMA)/%.txt): $(LINUX_TMA)/%.txt: $(B)/bin/tr-fold $(B)/bin/tr-report
	$(call say,FOLD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(B)/bin/tr-fold --title 'Linux, $*: lost cycles by class' --tma --idle \
		$(LINUX_WINDOW_$*) --svg $(LINUX_TMA)/$*.svg -o /dev/null $(filter %.tr,$^)
	$(Q)$(B)/bin/tr-report tma --idle $(LINUX_WINDOW_$*) -o $@ $(filter %.tr,$^)

$(LINUX_TMA)/classes.txt: $(LINUX_TMA_PARTS:%=$(LINUX_TMA)/%.txt) $(addprefix pipelines/,tma.awk last-column.awk linux-tma.awk)
	$(Q)awk -f pipelines/tma.awk $(LINUX_TMA_PARTS:%=$(LINUX_TMA)/%.txt) > $@
	$(Q)awk -v most=$(LINUX_TMA_FUNCTIONS) $(patsubst %,-f %,$(filter %/last-column.awk %/linux-tma.awk,$^)) \
		$(LINUX_TMA_PARTS:%=$(LINUX_TMA)/%.txt) >> $@
