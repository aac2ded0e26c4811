# SPDX-License-Identifier: Apache-2.0
# Classes of lost cycles of the demo: the joined flame graph coloured by class, and the
# cycles of each function by class. Only the hardware reports classes.

ifneq ($(SIMULATOR),soc-model)
DEMO_RESULTS += $(DEMO)/classes.svg
DEMO_TEXTS += $(DEMO)/class-sums.txt
endif

$(DEMO)/classes.svg: $(DEMO)/run.stacks.tr $(B)/bin/tr-fold $(B)/bin/tr-report
	$(call say,FOLD,$@)
	$(Q)$(B)/bin/tr-fold --title 'Lost cycles of all programs, by class' \
		--svg $@ --tma -o /dev/null $<
	$(Q)$(B)/bin/tr-report tma -o $(DEMO)/classes.txt $<

# The cycles of the whole run, without those per function.
$(DEMO)/class-sums.txt: $(DEMO)/classes.svg
	$(Q)sed '/^$$/,$$d' $(DEMO)/classes.txt > $@
