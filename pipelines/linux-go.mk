# SPDX-License-Identifier: Apache-2.0
# `make linux-go`: the goroutines of a Go program on Linux on the hardware, by probes on
# Go's runtime in a replay: the program is not changed and runs no tracer. Results are in
# build/linux-go/: a picture and a table.

LINUX_GO := build/linux-go
GO_RUN := $(GALLERY)/go/run.matched.tr
GO_PROBES := filters/lib/probe/go.probes filters/lib/probe/linux.probes

.PHONY: linux-go
linux-go: linux-gc $(SIMULATOR_BIN) $(FILTERS:%=$(B)/bin/%) ## Draw the goroutines of a Go program on Linux, by probes on its runtime
	@$(MAKE) --no-print-directory $(LINUX_GO)/goroutines.svg
	@cat $(LINUX_GO)/goroutines.txt; printf 'open %s\n' $(LINUX_GO)/goroutines.svg

$(LINUX_GO)/hits.txt: $(GO_RUN) $(GO_PROBES) $(B)/bin/tr-replay
	$(call say,REPLAY,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(B)/bin/tr-replay $(GO_PROBES:%=--probes %) --dtb $(GC_B)/go-$(SEED).dtb --initrd $(GC_B)/go.cpio -o $@ \
		$< $(FW) $(GC_B)/vmlinux 2> $(@D)/replay.log || { cat $(@D)/replay.log >&2; exit 1; }
$(LINUX_GO)/names.txt: $(GC_ROOT)/bin/go
	$(Q)mkdir -p $(@D); $(LINUX_CROSS)nm $< > $@
$(LINUX_GO)/goroutines.txt: $(LINUX_GO)/hits.txt $(LINUX_GO)/names.txt pipelines/linux-go.awk
	$(Q)awk -v names=$(@D)/names.txt -v intervals=$(@D)/intervals.txt -f pipelines/linux-go.awk $< > $@
$(LINUX_GO)/goroutines.svg: $(LINUX_GO)/goroutines.txt pipelines/linux-go-picture.awk
	$(call say,PICTURE,$@)
	$(Q)awk -f pipelines/linux-go-picture.awk $(@D)/intervals.txt > $@
