# SPDX-License-Identifier: Apache-2.0
# `make thesis-c`: tables 1 to 6 of the paper in appendix C of the thesis on the run-time profiler, from
# the runs of the thesis's own tables. Its table 4 is a part of table 5.4.

.PHONY: thesis-c
thesis-c: linux-daemon $(THESIS_TOOLS)
thesis-c: ## Tables of the paper in the thesis's appendix C
	@$(MAKE) -s --no-print-directory $(THESIS)/c.txt
	@cat $(THESIS)/c.txt

THESIS_C := multiply kernels-O2 denoise djpeg x264 minisat
$(THESIS)/c.txt: $(THESIS_DAEMON_AWK) pipelines/thesis-c.awk $(foreach p,$(THESIS_C),\
		$(addprefix $(THESIS)/$(p)-,gprof.diff process.diff process.functions normal.functions gprof.functions) \
		$(addprefix $(THESIS_DAEMON)/$(p)-,sampled-process-1.diff all-process-1.diff) $(THESIS)/functions/$(p).csv) $(THESIS)/5.4.txt
	$(Q)$(call thesis_daemon_awk,$^) >$@ || { cat $@; exit 1; }
