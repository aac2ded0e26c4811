# SPDX-License-Identifier: Apache-2.0
# `make linux-go`: the goroutines of a Go program on Linux on the hardware, by probes on
# Go's runtime in a replay: the program is not changed and runs no tracer. Results are in
# build/linux-go/: a picture, tables, a trace for Perfetto, and the stacks of each goroutine,
# folded. GO_HARTS=2: on two harts, in build/linux-go-harts-2/.
#
# `make linux-go-tracer`: the same program with Go's execution tracer. The trace leaves the
# machine by a probe on write; each change of a goroutine's state in it must be one that the
# probes see.
#
# `make linux-go-latency`: latencies of requests between goroutines, by harts and GOMAXPROCS,
# and what they are made of.

GO_HARTS := 1
GO_SMP := $(filter-out 1,$(GO_HARTS))
LINUX_GO := build/linux-go$(GO_SMP:%=-harts-%)$(CORE_SUFFIX)
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
linux-go: linux-go-kernel $(SIMULATOR_BIN) $(FILTERS:%=$(B)/bin/%) ## Draw the goroutines of a Go program on Linux (GO_HARTS=2: on two harts)
	@$(MAKE) --no-print-directory $(addprefix $(LINUX_GO)/goroutines.,svg folded perfetto)
	@cat $(LINUX_GO)/goroutines.txt $(LINUX_GO)/classes.txt; \
	printf 'open %s, and %s in the viewer of Perfetto\n' $(addprefix $(LINUX_GO)/goroutines.,svg perfetto)

# $(call go_run,FOLDER,INITRD,PROGRAM): a run of the program, and its code found.
define go_run
$(addprefix $(1)/,run.tr console.txt run.log) &: $(GO_IMAGES) $(GO_DTB) $(2) $(SIMULATOR_BIN) $(B)/bin/tr-capture
	$$(call say,RUN,$$(@D)/run.tr)
	$(Q)mkdir -p $$(@D)
	$(Q)$(B)/bin/tr-capture -o $$(@D)/run.tr -- $(SIMULATOR_BIN) --isa rv64gc --harts $(GO_HARTS) --ram 64M --dtb $(GO_DTB) \
		--initrd $(2) $(GO_IMAGES) < /dev/null > $$(@D)/console.txt 2> $$(@D)/run.log || { cat $$(@D)/run.log >&2; exit 1; }
$(call profile_matched,$(1)/run.matched.tr,$(1)/run.tr,$(3),$(GO_BINS) --bins $(3))
endef
ifneq ($(GO_SMP),)
$(eval $(call go_run,$(GO_RUN),$(GC_B)/go.cpio,$(GC_ROOT)/bin/go))
$(eval $(call profile_unwound,$(GO_RUN)/run.stacks.tr,$(GO_RUN)/run.matched.tr))
endif
$(LINUX_GO)/hits.txt: $(GO_RUN)/run.matched.tr $(GO_PROBES) $(B)/bin/tr-replay
	$(call say,REPLAY,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(B)/bin/tr-replay $(GO_PROBES:%=--probes %) --dtb $(GO_DTB) --initrd $(GC_B)/go.cpio -o $@ \
		$< $(GO_IMAGES) 2> $(@D)/replay.log || { cat $(@D)/replay.log >&2; exit 1; }
$(LINUX_GO)/goroutines.perfetto: $(GO_RUN)/run.matched.tr $(GO_PROBES) $(addprefix $(B)/bin/,tr-replay tr-unwind tr-timeline)
	$(call say,TIME,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(B)/bin/tr-replay --stream $(GO_PROBES:%=--probes %) --dtb $(GO_DTB) --initrd $(GC_B)/go.cpio $< $(GO_IMAGES) \
		2> $(@D)/stream.log | $(B)/bin/tr-unwind | $(B)/bin/tr-timeline --quiet -o $@ || { cat $(@D)/stream.log >&2; exit 1; }
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
linux-go-tracer: linux-go-kernel $(SIMULATOR_BIN) $(FILTERS:%=$(B)/bin/%) ## Compare the goroutines with Go's own tracer; print its price
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
# Runs are HARTS-PROCS, all with the same kernel.
GO_REQUEST_HARTS := 1 2
GO_REQUEST_PROCS := 1 2 4
GO_REQUEST_RUNS := $(foreach h,$(GO_REQUEST_HARTS),$(GO_REQUEST_PROCS:%=$(h)-%))
GO_REQUEST_IMAGES := $(TARGET_B)/firmware-smp.elf $(GC_SMP_B)/vmlinux
GO_REQUEST_PROBES := $(GO_PROBES) pipelines/linux-go-requests.probes

.PHONY: linux-go-latency
linux-go-latency: linux-gc-smp $(SIMULATOR_BIN) $(FILTERS:%=$(B)/bin/%) ## Latencies of requests in Go by harts and GOMAXPROCS, and their parts
	@$(MAKE) --no-print-directory $(GO_REQUESTS)/latency.txt
	@cat $(GO_REQUESTS)/latency.txt

$(GO_REQUESTS)/go: $(GC)/go-requests.go
	$(call say,GO,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(GC_GO) -o $@ $<

# $(call go_requests,RUN,HARTS,PROCS)
define go_requests
$(GO_REQUESTS)/$(1).dtb: $(LINUX)/soc.dts sim/soc.h pipelines/linux-go.mk
	$(Q)mkdir -p $$(@D)
	$(Q)$(LINUX_CPP) -DHARTS=$(2) -DISA='"rv64imafdc"' -DSEED=$(SEED) -DBOOTARGS='"quiet console=hvc0 -- /bin/go $(3)"' $$< | \
		dtc -q -O dtb -o $$@
$(addprefix $(GO_REQUESTS)/$(1).,tr console.txt log) &: $(GO_REQUEST_IMAGES) $(GO_REQUESTS)/$(1).dtb $(GO_REQUESTS)/go.cpio $(SIMULATOR_BIN) \
		$(B)/bin/tr-capture
	$$(call say,RUN,$(GO_REQUESTS)/$(1).tr)
	$(Q)$(B)/bin/tr-capture -o $(GO_REQUESTS)/$(1).tr -- $(SIMULATOR_BIN) --isa rv64gc --harts $(2) --ram 64M --dtb $$(@D)/$(1).dtb \
		--initrd $$(@D)/go.cpio $(GO_REQUEST_IMAGES) < /dev/null > $$(@D)/$(1).console.txt 2> $$(@D)/$(1).log || { cat $$(@D)/$(1).log >&2; exit 1; }
$(call profile_matched,$(GO_REQUESTS)/$(1).matched.tr,$(GO_REQUESTS)/$(1).tr,$(GO_REQUESTS)/go,--bins $(GC_SMP_B)/system.lst \
	--bins $(GC_ROOT)/init --bins $(GO_REQUESTS)/go)
$(call profile_unwound,$(GO_REQUESTS)/$(1).stacks.tr,$(GO_REQUESTS)/$(1).matched.tr)
$(GO_REQUESTS)/$(1).latency.txt: $(GO_REQUESTS)/$(1).goroutines.txt $(GO_REQUESTS)/$(1).stacks.tr $(GO_REQUESTS)/$(1).clock.txt \
		$(GO_HITS) $(GO_ROWS) pipelines/linux-go-latency.awk
	$(Q)$(B)/bin/tr-text $$(@D)/$(1).stacks.tr | awk -v harts=$(2) -v procs=$(3) -f $(GO_HITS) -f $(GO_ROWS) \
		-f pipelines/linux-go-latency.awk $$(@D)/$(1).intervals.txt $$(@D)/$(1).hits.txt - > $$@
endef
$(foreach h,$(GO_REQUEST_HARTS),$(foreach p,$(GO_REQUEST_PROCS),$(eval $(call go_requests,$(h)-$(p),$(h),$(p)))))
$(GO_REQUESTS)/%.hits.txt: $(GO_REQUESTS)/%.matched.tr $(GO_REQUEST_PROBES) $(B)/bin/tr-replay
	$(call say,REPLAY,$@)
	$(Q)$(B)/bin/tr-replay $(GO_REQUEST_PROBES:%=--probes %) --dtb $(@D)/$*.dtb --initrd $(@D)/go.cpio -o $@ \
		$< $(GO_REQUEST_IMAGES) 2> $(@D)/$*.replay.log || { cat $(@D)/$*.replay.log >&2; exit 1; }
$(GO_REQUESTS)/%.goroutines.txt: $(GO_REQUESTS)/%.hits.txt $(GO_HITS) pipelines/linux-go.awk
	$(Q)$(LINUX_CROSS)nm $(@D)/go > $(@D)/names.txt
	$(Q)awk -v names=$(@D)/names.txt -v intervals=$(@D)/$*.intervals.txt -f $(GO_HITS) -f pipelines/linux-go.awk $< $< > $@
$(GO_REQUESTS)/%.clock.txt: $(GO_REQUESTS)/%.hits.txt $(GO_REQUESTS)/%.console.txt $(GO_HITS) pipelines/linux-go-clock.awk
	$(Q)awk -f $(GO_HITS) -f pipelines/linux-go-clock.awk $< $(@D)/$*.console.txt > $@
$(GO_REQUESTS)/latency.txt: $(GO_REQUEST_RUNS:%=$(GO_REQUESTS)/%.latency.txt)
	$(Q){ awk -v header=1 -f $(GO_HITS) -f $(GO_ROWS) -f pipelines/linux-go-latency.awk; cat $^; \
		sort -u $(^:.latency.txt=.clock.txt); } > $@
.SECONDARY: $(GO_REQUESTS)/go.cpio $(GO_TRACED)/go.cpio $(foreach r,$(GO_REQUEST_RUNS),$(foreach f,\
	dtb tr console.txt log matched.tr stacks.tr hits.txt goroutines.txt clock.txt,$(GO_REQUESTS)/$(r).$(f)))
