# SPDX-License-Identifier: Apache-2.0
# Linux on several harts of the functional model: threads that move between them, and iperf3.
# Results are in build/linux-smp-demo/HARTS/SCENARIO/; HARTS is the number of harts.

SMP_DEMO := build/linux-smp-demo$(OTHER)/$(HARTS)
SMP_OWN := joined.svg harts.svg functions.txt
SMP_IMAGES := $(TARGET_B)/firmware-smp.elf $(SMP_B)/vmlinux
# $(call SMP_RUN,SCENARIO): options and operands of a simulator.
SMP_RUN = --harts $(HARTS) --ram 64M --dtb $(SMP_B)/$(1)-$(HARTS).dtb --initrd $(SMP_B)/$(1).cpio $(SMP_IMAGES)
# What the console must say: the number of harts, and the end.
SMP_SAYS_move := ^$(HARTS)$$|^done$$
SMP_SAYS_iperf3 := receiver$$|^iperf Done.$$

.PHONY: linux-smp $(SMP_SCENARIOS:%=linux-smp-%)
linux-smp: $(SMP_SCENARIOS:%=linux-smp-%) ## Linux on two harts (or HARTS) of the model: threads, and iperf3
define smp_demo
linux-smp-$(1): linux-smp-build $(B)/bin/soc-model $(FILTERS:%=$(B)/bin/%)
	@$$(MAKE) --no-print-directory $(SMP_OWN:%=$(SMP_DEMO)/$(1)/%)
	@cat $(SMP_DEMO)/$(1)/{match,unwind,fold}.log; \
	printf 'open %s (all harts together) or %s (one by one)\n' $(SMP_DEMO)/$(1)/{joined,harts}.svg

$(SMP_DEMO)/$(1)/run.tr $(SMP_DEMO)/$(1)/console.txt &: $(SMP_IMAGES) $(SMP_B)/$(1)-$(HARTS).dtb $(SMP_B)/$(1).cpio \
		$(B)/bin/soc-model $(B)/bin/tr-capture
	$$(call say,RUN,$$(@D)/run.tr)
	$(Q)mkdir -p $$(@D)
	$(Q)$(B)/bin/tr-capture -o $$(@D)/run.tr -- $(B)/bin/soc-model $(call SMP_RUN,$(1)) < /dev/null | tr -d '\r' \
		> $$(@D)/console.txt
	$(Q)[ "$$$$(grep -cE '$(subst $$,$$$$,$(SMP_SAYS_$(1)))' $$(@D)/console.txt)" -ge 2 ] || { cat $$(@D)/console.txt; exit 1; }
$(call profile_rules,$(SMP_DEMO)/$(1),'Linux on $(HARTS) harts$(comma) $(1): $(PROFILE_ALL)',$(SMP_B)/$(1).lst,-v --bins $(SMP_B)/$(1).lst,--by hart)
endef
$(foreach s,$(SMP_SCENARIOS),$(eval $(call smp_demo,$(s))))

$(SMP_DEMO)/%/harts.svg: $(SMP_DEMO)/%/run.stacks.tr $(B)/bin/tr-fold
	$(call say,FOLD,$@)
	$(Q)$(B)/bin/tr-fold --by hart --title 'Linux on $(HARTS) harts, $*' --svg $@ -o $(@D)/harts.folded $<
.SECONDARY: $(foreach s,$(SMP_SCENARIOS),$(addprefix $(SMP_DEMO)/$(s)/,$(filter-out run.log seconds.txt,$(PROFILE_KEPT))))
