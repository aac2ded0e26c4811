# SPDX-License-Identifier: Apache-2.0
# `make thesis-5.7`: table 5.7 of the thesis on the run-time profiler, the functions whose calls can be
# counted, of each program of `make linux-prof`. Fails if they are less than THESIS_LEAST % of a file, or if
# it is not shown that each of the others is unpatchable (tests/profiler/unpatchable.sh).

THESIS_LEAST := 94
THESIS_LISTS := $(patsubst %,$(THESIS)/functions/%.csv,$(PROFILED_MEASURED) $(PROFILED_TESTS))
THESIS_UNPATCHABLE := $(THESIS_LISTS:.csv=.unpatchable)

.PHONY: thesis-5.7
thesis-5.7: linux-prof $(B)/bin/prof-extract
thesis-5.7: ## Table 5.7 of the thesis: which functions can be counted
	@$(MAKE) -s --no-print-directory $(THESIS)/5.7.txt
	@cat $(THESIS)/5.7.txt

$(THESIS)/functions/%.csv: $(B)/bin/prof-extract $(PROFILED_B)/root/.%
	$(Q)mkdir -p $(@D)
	$(Q)$< --list $(PROFILED_B)/root/bin/$* >$@
$(THESIS)/functions/%.unpatchable: tests/profiler/unpatchable.sh tests/profiler/unpatchable.awk $(B)/bin/prof-extract $(PROFILED_B)/root/.%
	$(Q)mkdir -p $(@D)
	$(Q)EXTRACT=$(B)/bin/prof-extract $< $(PROFILED_B)/root/bin/$* >$@ || { cat $@ >&2; exit 1; }
$(THESIS)/5.7.txt: pipelines/thesis-5.7.awk $(THESIS_LISTS) $(THESIS_UNPATCHABLE)
	$(Q)awk -v least=$(THESIS_LEAST) -f $< $(THESIS_LISTS) >$@
	$(Q)echo 'What readelf and objdump show of those that are refused:' >>$@
	$(Q)cat $(THESIS_UNPATCHABLE) >>$@
