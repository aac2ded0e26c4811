# SPDX-License-Identifier: Apache-2.0
# Linux on several harts of the functional model: threads that move between them. Results
# are in build/linux-smp-demo/; HARTS is the number of harts.

SMP_DEMO := build/linux-smp-demo$(OTHER)/$(HARTS)
SMP_OWN := joined.svg harts.svg functions.txt
SMP_IMAGES := $(TARGET_B)/firmware-smp.elf $(SMP_B)/vmlinux
SMP_INPUTS := $(SMP_B)/smp-$(HARTS).dtb $(SMP_B)/smp.cpio
SMP_RUN = $(B)/bin/soc-model --harts $(HARTS) --ram 64M --dtb $(word 1,$(SMP_INPUTS)) \
	--initrd $(word 2,$(SMP_INPUTS)) $(SMP_IMAGES)

.PHONY: linux-smp
linux-smp: linux-smp-build $(B)/bin/soc-model $(FILTERS:%=$(B)/bin/%) ## Linux on two harts (or HARTS) of the model: threads and processes that move
	@$(MAKE) --no-print-directory $(SMP_OWN:%=$(SMP_DEMO)/%)
	@cat $(SMP_DEMO)/match.log $(SMP_DEMO)/unwind.log $(SMP_DEMO)/fold.log; \
	printf 'open %s (all harts together) or %s (one by one)\n' $(SMP_DEMO)/joined.svg $(SMP_DEMO)/harts.svg

$(SMP_DEMO)/run.tr: $(SMP_IMAGES) $(SMP_INPUTS) $(B)/bin/soc-model $(B)/bin/tr-capture
	$(call say,RUN,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(B)/bin/tr-capture -o $@ -- $(SMP_RUN) < /dev/null | tr -d '\r' > $(@D)/console.txt
	$(Q)[ "$$(sed -n '1p;3p' $(@D)/console.txt | tr '\n' ' ')" = '$(HARTS) done ' ] || { cat $(@D)/console.txt; exit 1; }
$(SMP_DEMO)/run.stacks.tr: $(SMP_DEMO)/run.tr $(SMP_B)/smp.lst $(B)/bin/tr-match $(B)/bin/tr-unwind
	$(call say,STACKS,$@)
	$(Q)$(B)/bin/tr-match -v --bins $(SMP_B)/smp.lst $< 2> $(@D)/match.log | \
		$(B)/bin/tr-unwind -v -o $@ 2> $(@D)/unwind.log
$(SMP_DEMO)/joined.svg: $(SMP_DEMO)/run.stacks.tr $(B)/bin/tr-fold
	$(call say,FOLD,$@)
	$(Q)$(B)/bin/tr-fold -v --title 'Linux on $(HARTS) harts: all programs, the kernel and the firmware' \
		--svg $@ -o $(@D)/joined.folded $< 2> $(@D)/fold.log
$(SMP_DEMO)/harts.svg: $(SMP_DEMO)/run.stacks.tr $(B)/bin/tr-fold
	$(call say,FOLD,$@)
	$(Q)$(B)/bin/tr-fold --by hart --title 'Linux on $(HARTS) harts' --svg $@ -o $(@D)/harts.folded $<
$(SMP_DEMO)/functions.txt: $(SMP_DEMO)/run.stacks.tr $(B)/bin/tr-fold
	$(call say,FOLD,$@)
	$(Q)$(B)/bin/tr-fold --by hart --table=$@ $< > /dev/null
.SECONDARY: $(SMP_DEMO)/run.tr $(SMP_DEMO)/run.stacks.tr
