# SPDX-License-Identifier: Apache-2.0
# `make linux-go`: the goroutines of a Go program on Linux on the hardware, by probes on
# Go's runtime in a replay: the program is not changed and runs no tracer. Results are in
# build/linux-go/: a picture, tables, and the stacks of each goroutine, folded. GO_HARTS=2: on
# two harts, in build/linux-go-harts-2/.
#
# `make linux-go-tracer`: the same program with Go's execution tracer. The trace leaves the
# machine by a probe on write; each change of a goroutine's state in it must be one that the
# probes see.
#
# `make linux-go-latency`: latencies of requests between goroutines, by GOMAXPROCS, and what
# they are made of.

GO_HARTS := 1
GO_SMP := $(filter-out 1,$(GO_HARTS))
LINUX_GO := build/linux-go$(GO_SMP:%=-harts-%)
GO_HITS := pipelines/hits.awk
GO_ROWS := pipelines/linux-go-rows.awk
GO_PROBES := filters/lib/probe/go.probes filters/lib/probe/linux.probes
# Of the run without a tracer: that of gallery.mk, on one hart.
GO_RUN := $(if $(GO_SMP),$(LINUX_GO),$(GALLERY)/go)
GO_KERNEL := $(if $(GO_SMP),$(GC_SMP_B),$(GC_B))
GO_DTB := $(if $(GO_SMP),$(GC_SMP_B)/go-$(GO_HARTS).dtb,$(GC_B)/go-$(SEED).dtb)
GO_IMAGES := $(TARGET_B)/firmware$(if $(GO_SMP),-smp).elf $(GO_KERNEL)/vmlinux
GO_BINS := --bins $(GO_KERNEL)/system.lst --bins $(GC_ROOT)/init

.PHONY: linux-go linux-go-kernel
linux-go-kernel: $(if $(GO_SMP),linux-gc-smp,linux-gc)
linux-go: linux-go-kernel $(SIMULATOR_BIN) $(FILTERS:%=$(B)/bin/%) ## Draw the goroutines of a Go program on Linux, by probes on its runtime (GO_HARTS=2: on two harts)
	@$(MAKE) --no-print-directory $(LINUX_GO)/goroutines.svg $(LINUX_GO)/goroutines.folded
	@cat $(LINUX_GO)/goroutines.txt $(LINUX_GO)/classes.txt; printf 'open %s\n' $(LINUX_GO)/goroutines.svg

# $(call go_run,FOLDER,INITRD,PROGRAM): a run of the program, and its code found.
define go_run
$(1)/run.tr: $(GO_IMAGES) $(GO_DTB) $(2) $(SIMULATOR_BIN) $(B)/bin/tr-capture
	$$(call say,RUN,$$@)
	$(Q)mkdir -p $$(@D)
	$(Q)$(B)/bin/tr-capture -o $$@ -- $(SIMULATOR_BIN) --isa rv64gc --harts $(GO_HARTS) --ram 64M --dtb $(GO_DTB) \
		--initrd $(2) $(GO_IMAGES) < /dev/null > $$(@D)/console.txt 2> $$(@D)/run.log
$(1)/run.matched.tr: $(1)/run.tr $(3) $(B)/bin/tr-match
	$$(call say,MATCH,$$@)
	$(Q)$(B)/bin/tr-match $(GO_BINS) --bins $(3) -o $$@ $$<
endef
ifneq ($(GO_SMP),)
$(eval $(call go_run,$(GO_RUN),$(GC_B)/go.cpio,$(GC_ROOT)/bin/go))
$(GO_RUN)/run.stacks.tr: $(GO_RUN)/run.matched.tr $(B)/bin/tr-unwind
	$(call say,STACKS,$@)
	$(Q)$(B)/bin/tr-unwind -o $@ $<
endif
$(LINUX_GO)/hits.txt: $(GO_RUN)/run.matched.tr $(GO_PROBES) $(B)/bin/tr-replay
	$(call say,REPLAY,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(B)/bin/tr-replay $(GO_PROBES:%=--probes %) --dtb $(GO_DTB) --initrd $(GC_B)/go.cpio -o $@ \
		$< $(GO_IMAGES) 2> $(@D)/replay.log || { cat $(@D)/replay.log >&2; exit 1; }
$(LINUX_GO)/names.txt: $(GC_ROOT)/bin/go
	$(Q)mkdir -p $(@D); $(LINUX_CROSS)nm $< > $@
$(LINUX_GO)/goroutines.txt: $(LINUX_GO)/hits.txt $(LINUX_GO)/names.txt $(GO_HITS) pipelines/linux-go.awk
	$(Q)awk -v names=$(@D)/names.txt -v intervals=$(@D)/intervals.txt -f $(GO_HITS) -f pipelines/linux-go.awk $< $< > $@
$(LINUX_GO)/goroutines.svg: $(LINUX_GO)/goroutines.txt pipelines/linux-go-picture.awk
	$(call say,PICTURE,$@)
	$(Q)awk -f pipelines/linux-go-picture.awk $(@D)/intervals.txt > $@
$(LINUX_GO)/goroutines.folded: $(LINUX_GO)/goroutines.txt $(GO_RUN)/run.stacks.tr $(B)/bin/tr-text $(GO_ROWS) pipelines/linux-go-stacks.awk
	$(call say,FOLD,$@)
	$(Q)$(B)/bin/tr-text $(GO_RUN)/run.stacks.tr | awk -v classes=$(@D)/classes.txt -f $(GO_ROWS) \
		-f pipelines/linux-go-stacks.awk $(@D)/intervals.txt - | LC_ALL=C sort > $@

# --- with Go's tracer

GO_TRACED := $(LINUX_GO)/traced
GO_TRACER_PROBES := $(GO_PROBES) pipelines/linux-go-trace.probes

.PHONY: linux-go-tracer
linux-go-tracer: linux-go-kernel $(SIMULATOR_BIN) $(FILTERS:%=$(B)/bin/%) ## Compare the goroutines with the trace of Go's own tracer; print its price
	@$(MAKE) --no-print-directory $(GO_TRACED)/judge.txt $(GO_TRACED)/price.txt
	@cat $(GO_TRACED)/judge.txt $(GO_TRACED)/price.txt

$(GO_TRACED)/go: $(GC)/go.go $(GC)/go-traced.go
	$(call say,GO,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(GC_GO) -o $@ $^
build/linux-go%/go.cpio: build/linux-go%/go $(LINUX)/initramfs.sh $(GC_B)/stripped/init
	$(call say,CPIO,$@)
	$(Q)mkdir -p $(@D)/stripped; $(LINUX_CROSS)strip -o $(@D)/stripped/go $(@D)/go
	$(Q)$(LINUX)/initramfs.sh $(GC_KERNEL)/usr/gen_init_cpio $(GC_B)/stripped/init $(@D)/stripped/go > $@
$(eval $(call go_run,$(GO_TRACED),$(GO_TRACED)/go.cpio,$(GO_TRACED)/go))
$(GO_TRACED)/hits.txt: $(GO_TRACED)/run.matched.tr $(GO_TRACER_PROBES) $(B)/bin/tr-replay
	$(call say,REPLAY,$@)
	$(Q)$(B)/bin/tr-replay $(GO_TRACER_PROBES:%=--probes %) --dtb $(GO_DTB) --initrd $(GO_TRACED)/go.cpio -o $@ \
		$< $(GO_IMAGES) 2> $(@D)/replay.log || { cat $(@D)/replay.log >&2; exit 1; }
$(GO_TRACED)/events.txt: $(GO_TRACED)/hits.txt $(GO_TRACED)/go $(GO_HITS) pipelines/linux-go-inband.awk
	$(Q)$(LINUX_CROSS)nm $(@D)/go > $(@D)/names.txt
	$(Q)awk -v names=$(@D)/names.txt -f $(GO_HITS) -f pipelines/linux-go-inband.awk $< | LC_ALL=C sort -n -s -k1,1 > $@
$(GO_TRACED)/judge.txt: $(GO_TRACED)/events.txt $(GO_TRACED)/hits.txt $(GO_HITS) pipelines/linux-go-judge.awk
	$(Q)awk -f $(GO_HITS) -f pipelines/linux-go-judge.awk $(@D)/events.txt $(@D)/hits.txt > $@ || { cat $@; exit 1; }
# Both runs from reset to power-off, of all harts.
$(GO_TRACED)/price.txt: $(GO_RUN)/run.tr $(GO_TRACED)/run.tr $(B)/bin/tr-info
	$(Q){ $(B)/bin/tr-info $<; $(B)/bin/tr-info $(word 2,$^); } | awk '/^end$$/ { run++; inside = 1 } /^[^ ]/ && !/^end$$/ { inside = 0 } \
		inside && /^  (instructions|cycles) / { n[$$1, run] = $$2 } \
		END { if (run != 2) exit 1; for (i = split("instructions cycles", what, " "); i; i--) \
			printf "the tracer costs %d %s of %d without it: %.1f %%\n", n[what[i], 2] - n[what[i], 1], what[i], n[what[i], 1], \
				100 * (n[what[i], 2] - n[what[i], 1]) / n[what[i], 1] }' > $@

# --- latencies

GO_REQUESTS := build/linux-go/requests
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
	$(Q)$(B)/bin/tr-match --bins $(GC_B)/system.lst --bins $(GC_ROOT)/init --bins $(@D)/go $< | $(B)/bin/tr-replay $(GO_REQUESTS_PROBES:%=--probes %) \
		--dtb $(@D)/$*.dtb --initrd $(@D)/go.cpio -o $@ - $(FW) $(GC_B)/vmlinux 2> $(@D)/replay.log || \
		{ cat $(@D)/replay.log >&2; exit 1; }
$(GO_REQUESTS)/%.goroutines.txt: $(GO_REQUESTS)/%.hits.txt $(GO_HITS) pipelines/linux-go.awk
	$(Q)$(LINUX_CROSS)nm $(@D)/go > $(@D)/names.txt
	$(Q)awk -v names=$(@D)/names.txt -v intervals=$(@D)/$*.intervals.txt -f $(GO_HITS) -f pipelines/linux-go.awk $< $< > $@
$(GO_REQUESTS)/latency.txt: $(GO_PROCS:%=$(GO_REQUESTS)/%.goroutines.txt) $(GO_HITS) pipelines/linux-go-latency.awk
	$(Q){ awk -v header=1 -f $(GO_HITS) -f pipelines/linux-go-latency.awk; for n in $(GO_PROCS); do \
		awk -v procs=$$n -f $(GO_HITS) -f pipelines/linux-go-latency.awk $(@D)/$$n.intervals.txt $(@D)/$$n.hits.txt || exit 1; done; } > $@
.SECONDARY: $(GO_REQUESTS)/go.cpio $(GO_TRACED)/go.cpio $(foreach p,$(GO_PROCS),$(addprefix $(GO_REQUESTS)/$(p).,dtb tr hits.txt goroutines.txt))
