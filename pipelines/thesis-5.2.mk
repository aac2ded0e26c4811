# SPDX-License-Identifier: Apache-2.0
# `make thesis-5.2`: table 5.2 of the thesis on the run-time profiler, what injection takes, from the
# runs of table 5.1 with counters per process.

.PHONY: thesis-5.2
thesis-5.2: linux-prof $(THESIS_TOOLS)
thesis-5.2: ## Table 5.2 of the thesis: what injection takes
	@$(MAKE) -s --no-print-directory $(THESIS)/5.2.txt
	@cat $(THESIS)/5.2.txt

$(THESIS)/sizes: $(PROFILED_MEASURED:%=$(THESIS)/functions/%.csv)
	$(Q)for program in $(PROFILED_MEASURED); do printf '%s %d %d\n' $$program $$(stat -c %s $(PROFILED_B)/root/bin/$$program) \
		$$(grep -cE ',(near|far),[0-9]+,[01]$$' $(THESIS)/functions/$$program.csv); done >$@
$(THESIS)/5.2.txt: pipelines/thesis-5.2.awk $(THESIS)/sizes \
		$(foreach p,$(PROFILED_MEASURED),$(THESIS)/$(p)-process.functions $(THESIS)/$(p)-process.instructions)
	$(Q)awk -f $^ >$@ || { cat $@; exit 1; }
