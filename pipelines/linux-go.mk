# SPDX-License-Identifier: Apache-2.0
# `make linux-go`: the goroutines of a Go program on Linux on the hardware, by probes on
# Go's runtime in a replay: the program is not changed and runs no tracer. Results are in
# build/linux-go/: a picture, a table, and the stacks of each goroutine, folded.
#
# `make linux-go-tracer`: the same program with Go's execution tracer. The trace leaves the
# machine by a probe on write; each change of a goroutine's state in it must be one that the
# probes see.
#
# `make linux-go-latency`: latencies of requests between goroutines, by GOMAXPROCS, and what
# they are made of.

LINUX_GO := build/linux-go
GO_HITS := pipelines/hits.awk
GO_RUN := $(GALLERY)/go/run.matched.tr
GO_PROBES := filters/lib/probe/go.probes filters/lib/probe/linux.probes

.PHONY: linux-go
linux-go: linux-gc $(SIMULATOR_BIN) $(FILTERS:%=$(B)/bin/%) ## Draw the goroutines of a Go program on Linux, by probes on its runtime
	@$(MAKE) --no-print-directory $(LINUX_GO)/goroutines.svg $(LINUX_GO)/goroutines.folded
	@cat $(LINUX_GO)/goroutines.txt; printf 'open %s\n' $(LINUX_GO)/goroutines.svg

$(LINUX_GO)/hits.txt: $(GO_RUN) $(GO_PROBES) $(B)/bin/tr-replay
	$(call say,REPLAY,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(B)/bin/tr-replay $(GO_PROBES:%=--probes %) --dtb $(GC_B)/go-$(SEED).dtb --initrd $(GC_B)/go.cpio -o $@ \
		$< $(FW) $(GC_B)/vmlinux 2> $(@D)/replay.log || { cat $(@D)/replay.log >&2; exit 1; }
$(LINUX_GO)/names.txt: $(GC_ROOT)/bin/go
	$(Q)mkdir -p $(@D); $(LINUX_CROSS)nm $< > $@
$(LINUX_GO)/goroutines.txt: $(LINUX_GO)/hits.txt $(LINUX_GO)/names.txt $(GO_HITS) pipelines/linux-go.awk
	$(Q)awk -v names=$(@D)/names.txt -v intervals=$(@D)/intervals.txt -f $(GO_HITS) -f pipelines/linux-go.awk $< > $@
$(LINUX_GO)/goroutines.svg: $(LINUX_GO)/goroutines.txt pipelines/linux-go-picture.awk
	$(call say,PICTURE,$@)
	$(Q)awk -f pipelines/linux-go-picture.awk $(@D)/intervals.txt > $@
$(LINUX_GO)/goroutines.folded: $(LINUX_GO)/goroutines.txt $(GALLERY)/go/run.stacks.tr $(B)/bin/tr-text pipelines/linux-go-stacks.awk
	$(call say,FOLD,$@)
	$(Q)$(B)/bin/tr-text $(GALLERY)/go/run.stacks.tr | \
		awk -v order=$(@D)/order.txt -f pipelines/linux-go-stacks.awk $(@D)/intervals.txt - | LC_ALL=C sort > $@; rm $(@D)/order.txt

# --- with Go's tracer

GO_TRACED := $(LINUX_GO)/traced
GO_TRACER_PROBES := $(GO_PROBES) pipelines/linux-go-trace.probes
GO_BINS := --bins $(GC_B)/system.lst --bins $(GC_ROOT)/init
GO_TRACED_FILES := --dtb $(GC_B)/go-$(SEED).dtb --initrd $(GO_TRACED)/go.cpio

.PHONY: linux-go-tracer
linux-go-tracer: linux-gc $(SIMULATOR_BIN) $(FILTERS:%=$(B)/bin/%) ## Compare the goroutines with the trace of Go's own tracer; print its price
	@$(MAKE) --no-print-directory $(GO_TRACED)/judge.txt $(GO_TRACED)/price.txt
	@cat $(GO_TRACED)/judge.txt $(GO_TRACED)/price.txt

$(GO_TRACED)/go: $(GC)/go.go $(GC)/go-traced.go
	$(call say,GO,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(GC_GO) -o $@ $^
$(LINUX_GO)/%/go.cpio: $(LINUX_GO)/%/go $(LINUX)/initramfs.sh $(GC_B)/stripped/init
	$(call say,CPIO,$@)
	$(Q)mkdir -p $(@D)/stripped; $(LINUX_CROSS)strip -o $(@D)/stripped/go $(@D)/go
	$(Q)$(LINUX)/initramfs.sh $(GC_KERNEL)/usr/gen_init_cpio $(GC_B)/stripped/init $(@D)/stripped/go > $@
$(GO_TRACED)/run.tr: $(FW) $(GC_B)/vmlinux $(GC_B)/go-$(SEED).dtb $(GO_TRACED)/go.cpio $(SIMULATOR_BIN) $(B)/bin/tr-capture
	$(call say,RUN,$@)
	$(Q)$(B)/bin/tr-capture -o $@ -- $(SIMULATOR_BIN) --isa rv64gc --ram 64M $(GO_TRACED_FILES) $(FW) $(GC_B)/vmlinux \
		< /dev/null > $(@D)/console.txt 2> $(@D)/run.log
$(GO_TRACED)/run.matched.tr: $(GO_TRACED)/run.tr $(GO_TRACED)/go $(B)/bin/tr-match
	$(call say,MATCH,$@)
	$(Q)$(B)/bin/tr-match $(GO_BINS) --bins $(GO_TRACED)/go -o $@ $<
$(GO_TRACED)/hits.txt: $(GO_TRACED)/run.matched.tr $(GO_TRACER_PROBES) $(B)/bin/tr-replay
	$(call say,REPLAY,$@)
	$(Q)$(B)/bin/tr-replay $(GO_TRACER_PROBES:%=--probes %) $(GO_TRACED_FILES) -o $@ \
		$< $(FW) $(GC_B)/vmlinux 2> $(@D)/replay.log || { cat $(@D)/replay.log >&2; exit 1; }
$(GO_TRACED)/events.txt: $(GO_TRACED)/hits.txt $(GO_TRACED)/go $(GO_HITS) pipelines/linux-go-inband.awk
	$(Q)$(LINUX_CROSS)nm $(@D)/go > $(@D)/names.txt
	$(Q)awk -v names=$(@D)/names.txt -f $(GO_HITS) -f pipelines/linux-go-inband.awk $< | LC_ALL=C sort -n -s -k1,1 > $@
$(GO_TRACED)/judge.txt: $(GO_TRACED)/events.txt $(GO_TRACED)/hits.txt $(GO_HITS) pipelines/linux-go-judge.awk
	$(Q)awk -f $(GO_HITS) -f pipelines/linux-go-judge.awk $(@D)/events.txt $(@D)/hits.txt > $@ || { cat $@; exit 1; }
# Both runs from reset to power-off.
$(GO_TRACED)/price.txt: $(GALLERY)/go/run.tr $(GO_TRACED)/run.tr $(B)/bin/tr-info
	$(Q){ $(B)/bin/tr-info $<; $(B)/bin/tr-info $(word 2,$^); } | awk '/^end/ { run++; inside = 1 } /^[^ ]/ && !/^end/ { inside = 0 } \
		inside && /^  (instructions|cycles) / { n[$$1, run] = $$2 } \
		END { for (i = split("instructions cycles", what, " "); i; i--) \
			printf "the tracer costs %d %s of %d without it: %.1f %%\n", n[what[i], 2] - n[what[i], 1], what[i], n[what[i], 1], \
				100 * (n[what[i], 2] - n[what[i], 1]) / n[what[i], 1] }' > $@

# --- latencies

GO_REQUESTS := $(LINUX_GO)/requests
GO_PROCS := 1 2 4
GO_REQUESTS_PROBES := $(GO_PROBES) pipelines/linux-go-requests.probes

.PHONY: linux-go-latency
linux-go-latency: linux-gc $(SIMULATOR_BIN) $(FILTERS:%=$(B)/bin/%) ## Latencies of requests in Go by GOMAXPROCS, and what they are made of
	@$(MAKE) --no-print-directory $(GO_REQUESTS)/latency.txt
	@cat $(GO_REQUESTS)/latency.txt

$(GO_REQUESTS)/go: $(GC)/go-requests.go
	$(call say,GO,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(GC_GO) -o $@ $<
$(GO_REQUESTS)/%.dtb: $(LINUX)/soc.dts sim/soc.h pipelines/linux-go.mk
	$(Q)mkdir -p $(@D)
	$(Q)$(LINUX_CPP) -DISA='"rv64imafdc"' -DSEED=$(SEED) -DBOOTARGS='"quiet console=hvc0 -- /bin/go $*"' $< | dtc -q -O dtb -o $@
$(GO_REQUESTS)/%.tr: $(FW) $(GC_B)/vmlinux $(GO_REQUESTS)/%.dtb $(GO_REQUESTS)/go.cpio $(SIMULATOR_BIN) $(B)/bin/tr-capture
	$(call say,RUN,$@)
	$(Q)$(B)/bin/tr-capture -o $@ -- $(SIMULATOR_BIN) --isa rv64gc --ram 64M --dtb $(@D)/$*.dtb --initrd $(@D)/go.cpio \
		$(FW) $(GC_B)/vmlinux < /dev/null > $(@D)/$*.console.txt 2> $(@D)/$*.log
$(GO_REQUESTS)/%.hits.txt: $(GO_REQUESTS)/%.tr $(GO_REQUESTS)/go $(GO_REQUESTS_PROBES) $(B)/bin/tr-match $(B)/bin/tr-replay
	$(call say,REPLAY,$@)
	$(Q)$(B)/bin/tr-match $(GO_BINS) --bins $(@D)/go $< | $(B)/bin/tr-replay $(GO_REQUESTS_PROBES:%=--probes %) \
		--dtb $(@D)/$*.dtb --initrd $(@D)/go.cpio -o $@ - $(FW) $(GC_B)/vmlinux 2> $(@D)/replay.log || \
		{ cat $(@D)/replay.log >&2; exit 1; }
$(GO_REQUESTS)/%.goroutines.txt: $(GO_REQUESTS)/%.hits.txt $(GO_HITS) pipelines/linux-go.awk
	$(Q)$(LINUX_CROSS)nm $(@D)/go > $(@D)/names.txt
	$(Q)awk -v names=$(@D)/names.txt -v intervals=$(@D)/$*.intervals.txt -f $(GO_HITS) -f pipelines/linux-go.awk $< > $@
$(GO_REQUESTS)/latency.txt: $(GO_PROCS:%=$(GO_REQUESTS)/%.goroutines.txt) $(GO_HITS) pipelines/linux-go-latency.awk
	$(Q){ awk -v header=1 -f $(GO_HITS) -f pipelines/linux-go-latency.awk; for n in $(GO_PROCS); do \
		awk -v procs=$$n -f $(GO_HITS) -f pipelines/linux-go-latency.awk $(@D)/$$n.intervals.txt $(@D)/$$n.hits.txt || exit 1; done; } > $@
.SECONDARY: $(GO_REQUESTS)/go.cpio $(GO_TRACED)/go.cpio $(foreach p,$(GO_PROCS),$(addprefix $(GO_REQUESTS)/$(p).,dtb tr hits.txt goroutines.txt))
