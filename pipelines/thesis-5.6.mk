# SPDX-License-Identifier: Apache-2.0
# `make thesis-5.6`: table 5.6 of the thesis on the run-time profiler, five programs at the same time
# (sim/target/profiler/programs/together.c), on one hart and on two.

.PHONY: thesis-5.6
thesis-5.6: linux-daemon $(THESIS_TOOLS)
thesis-5.6: ## Table 5.6 of the thesis: five programs at once, on one hart and two
	@$(MAKE) -s --no-print-directory $(THESIS)/5.6.txt
	@cat $(THESIS)/5.6.txt

$(THESIS)/5.6.txt: $(THESIS_DAEMON_AWK) pipelines/thesis-5.6.awk $(foreach h,$(PROFILED_HARTS),\
		$(foreach m,all-process all-global,$(THESIS_DAEMON)/together-$(m)-$(h).diff) \
		$(foreach m,$(THESIS_TOGETHER),$(THESIS_DAEMON)/together-$(m)-$(h).functions))
	$(Q)$(call thesis_daemon_awk,$^) >$@ || { cat $@; exit 1; }
