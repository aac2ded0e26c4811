# SPDX-License-Identifier: Apache-2.0
# `make gallery`: each kind of user program on the hardware, with floating point, from reset
# to power-off: static and dynamic glibc, plugins, C++, musl, contexts, Go. Results are in
# build/gallery/PROGRAM/. SEED=N gives all programs and libraries other addresses; its
# results are in build/gallery-seed-N/.

GALLERY := build/gallery$(OTHER)$(if $(filter-out 1,$(SEED)),-seed-$(SEED))
GALLERY_OWN := joined.svg functions.txt summary.txt found.txt result.txt
GALLERY_RUN = $(SIMULATOR_BIN) --isa rv64gc --ram 64M --dtb $(GC_B)/$(1)-$(SEED).dtb --initrd $(GC_B)/$(1).cpio \
	$(FW) $(GC_B)/vmlinux
GALLERY_BINS := --bins $(GC_B)/system.lst --sysroot $(GC_ROOT)
GALLERY_GOLDEN := golden/gallery

.PHONY: gallery $(GC_PROGRAMS:%=gallery-%)
gallery: ## Run and draw a program of each kind: glibc, C++, musl, Go (SEED=2)
gallery: $(GC_PROGRAMS:%=gallery-%)

define gallery_run
gallery-$(1): linux-gc $(SIMULATOR_BIN) $(FILTERS:%=$(B)/bin/%)
	@$$(MAKE) --no-print-directory $(GALLERY_OWN:%=$(GALLERY)/$(1)/%)
	@echo; cat $(GALLERY)/$(1)/summary.txt $(GALLERY)/$(1)/result.txt $(GALLERY)/$(1)/found.txt; \
	printf 'open %s\n' $(GALLERY)/$(1)/joined.svg

$(addprefix $(GALLERY)/$(1)/,run.tr console.txt run.log seconds.txt) &: $(FW) $(addprefix $(GC_B)/,vmlinux $(1)-$(SEED).dtb $(1).cpio) \
		$(SIMULATOR_BIN) $(B)/bin/tr-capture
	$$(call say,RUN,$$(@D)/run.tr)
	$(Q)mkdir -p $$(@D)
	$(Q)TIMEFORMAT='wall %R cpu %U'; { time \
		$(B)/bin/tr-capture -o $$(@D)/run.tr -- $(GALLERY_RUN) < /dev/null > $$(@D)/console.txt 2> $$(@D)/run.log; } \
		2> $$(@D)/seconds.txt || { cat $$(@D)/run.log >&2; exit 1; }
$(call profile_matched,$(GALLERY)/$(1)/run.matched.tr,$(GALLERY)/$(1)/run.tr,$(GC_B)/system.lst,-v $(GALLERY_BINS))
$(call profile_unwound,$(GALLERY)/$(1)/run.stacks.tr,$(GALLERY)/$(1)/run.matched.tr,-v)
$(call profile_drawn,$(GALLERY)/$(1),'A program of each kind$(comma) $(1): $(PROFILE_ALL)',-v,--by process)
endef
$(foreach p,$(GC_PROGRAMS),$(eval $(call gallery_run,$(p))))
$(eval $(call linux_summary,$(GALLERY),A program of each kind on Linux,pipelines/gallery.awk))

# What was found where: base, share of the instructions and build-id of each file.
$(GALLERY)/%/found.txt: $(GALLERY)/%/run.matched.tr $(B)/bin/tr-info
	$(Q)$(B)/bin/tr-info $< | awk '/^code found/ { found = 1 } /^end/ { found = 0 } \
		found { print "  " $$0; n++ } END { exit !n }' > $@

# What the program prints must be what it is known to compute.
$(GALLERY)/%/result.txt: $(GALLERY)/%/console.txt $(GALLERY_GOLDEN)/%.txt
	$(Q)tr -d '\r' < $(@D)/console.txt | sed '/^reboot: /d' | diff $(GALLERY_GOLDEN)/$*.txt - > $(@D)/result.diff || \
		{ cat $(@D)/result.diff; echo '$*: not the result in $(GALLERY_GOLDEN)/$*.txt' >&2; exit 1; }
	$(Q)sed 's/^/  prints /' $(GALLERY_GOLDEN)/$*.txt > $@; rm $(@D)/result.diff
.SECONDARY: $(foreach p,$(GC_PROGRAMS),$(addprefix $(GALLERY)/$(p)/,$(PROFILE_KEPT) run.matched.tr))
