# SPDX-License-Identifier: Apache-2.0
# One flame graph per program of the demo: build/demo/programs/.

$(DEMO)/programs/index.txt: $(DEMO)/run.stacks.tr $(B)/bin/tr-fold
	$(call say,FOLD,$(@D))
	$(Q)mkdir -p $(@D); rm -f $(@D)/*
	$(Q)$(B)/bin/tr-fold --by program --title 'Flame graphs by program' --svg $(DEMO)/programs.svg -d $(@D) $<
	$(Q)cd $(@D); for f in *.folded; do \
		printf '%s %s\n' "$${f%.folded}" \
			"$$(awk '{ n += $$NF } END { print n }' $$f)"; done > index.txt
