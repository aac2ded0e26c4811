# SPDX-License-Identifier: Apache-2.0
# `make thesis-5.5`: table 5.5 of the thesis on the run-time profiler, its overhead when it counts
# calls, samples, and its daemon writes the log. The pictures in build/thesis/daemon/ are of one of the
# programs, without the daemon and with it, and of the change.

THESIS_PICTURED := minisat
THESIS_PICTURES := $(addprefix $(THESIS_DAEMON)/$(THESIS_PICTURED)-,base-1.svg all-process-1.svg change.svg)

.PHONY: thesis-5.5
thesis-5.5: linux-daemon $(THESIS_TOOLS) $(B)/bin/tr-fold
thesis-5.5: ## Table 5.5 of the thesis: what counting, sampler and daemon cost
	@$(MAKE) -s --no-print-directory $(THESIS)/5.5.txt $(THESIS_PICTURES)
	@cat $(THESIS)/5.5.txt
	@printf '%s\n' 'Pictures:' $(THESIS_PICTURES)

# What counting costs a call while the program is sampled as well.
$(THESIS_DAEMON)/%-all-process-1.costs: $(THESIS_DAEMON)/%-all-process-1.tr $(B)/truth/profiler/%.entries $(B)/bin/tr-replay $(B)/profiler/count-entries
	$(call say,COUNT,daemon/$*)
	$(Q)$(B)/bin/tr-replay --stream --probes tests/profiler/spaces.probes --dtb $(PROFILED_B)/$*-all-process-1.dtb \
		--initrd $(PROFILED_B)/$*-daemon.cpio $< $(THESIS_DAEMON_IMAGES_1) | \
		$(B)/profiler/count-entries --costs $@ - $*=$(B)/truth/profiler/$*.entries >$(@:.costs=.entries)

$(THESIS_DAEMON)/%.folded $(THESIS_DAEMON)/%.svg: $(THESIS_DAEMON)/%.stacks.tr $(B)/bin/tr-fold
	$(Q)$(B)/bin/tr-fold $(THESIS_WINDOW) --svg $(THESIS_DAEMON)/$*.svg --title $* -o $(THESIS_DAEMON)/$*.folded $<
$(THESIS_DAEMON)/%-change.svg: $(THESIS_DAEMON)/%-base-1.folded $(THESIS_DAEMON)/%-all-process-1.folded $(B)/bin/tr-diff
	$(Q)$(B)/bin/tr-diff --svg $@ --title '$*: what the run-time profiler changes' -o $(@:.svg=.txt) $(wordlist 1,2,$^) || [ $$? = 1 ]

$(THESIS)/5.5.txt: $(THESIS_DAEMON_AWK) pipelines/thesis-5.5.awk \
		$(foreach p,$(PROFILED_MEASURED),$(addprefix $(THESIS_DAEMON)/$(p)-,all-process-1.diff all-global-1.diff \
		base-1.functions all-process-1.functions all-global-1.functions all-process-1.costs) \
		$(addprefix $(THESIS)/$(p)-,gprof.diff process.diff))
	$(Q)$(call thesis_daemon_awk,$^) >$@ || { cat $@; exit 1; }
