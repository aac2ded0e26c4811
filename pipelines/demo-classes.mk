# SPDX-License-Identifier: Apache-2.0
# What the cycles of the demo were lost for: the joined flame graph in the colours of
# the classes, and the cycles of each function by class. Only hardware knows.

ifneq ($(SIMULATOR),soc-model)
DEMO_RESULTS += $(DEMO)/classes.svg
DEMO_TEXTS += $(DEMO)/class-sums.txt
endif

$(DEMO)/classes.svg: $(DEMO)/run.stacks.tr $(B)/bin/tr-fold
	$(call say,FOLD,$@)
	$(Q)$(B)/bin/tr-fold --title 'What the cycles of all programs were lost for' \
		--svg $@ --tma --table=$(DEMO)/classes.txt -o /dev/null $<

# The cycles of the whole run, without those of each function.
$(DEMO)/class-sums.txt: $(DEMO)/classes.svg
	$(Q)sed '/^$$/,$$d' $(DEMO)/classes.txt > $@
