# SPDX-License-Identifier: Apache-2.0
# What the threads of Linux wait for: by `tr-fold --off-cpu`, and by the hits of the probes alone,
# in the run of `make truth-tasks`. Without a wake-up, or with another state, the judge must see it.
# Each hit of a switch is also one in the table of switches, which begins in __schedule.

OFF_CPU := $(B)/truth/off-cpu

$(OFF_CPU)/hits.txt: $(TASKS)/6.1.tr $(TASKS)/6.1.lst $(addprefix $(B)/bin/,tr-match tr-replay) $(LINUX_PROBES)
	$(call say,PROBES,$@)
	$(Q)mkdir -p $(@D); $(B)/bin/tr-match --bins $(TASKS)/6.1.lst $< 2>$(@:.txt=.log) | $(B)/bin/tr-replay --probes $(LINUX_PROBES) \
		-o $@ - $(TASKS_IMAGES_6.1) $(call tasks_scenario_6.1,truth) 2>>$(@:.txt=.log)
$(OFF_CPU)/stacks.tr: $(TASKS)/6.1.tr $(addprefix $(B)/bin/,tr-match tr-replay tr-unwind) $(LINUX_PROBES)
	$(call say,STACKS,$@)
	$(Q)mkdir -p $(@D); $(B)/bin/tr-match --bins $(LINUX_B)/truth.lst $< 2>$(@:.tr=.log) | $(B)/bin/tr-replay --stream \
		--probes $(LINUX_PROBES) - $(TASKS_IMAGES_6.1) $(call tasks_scenario_6.1,truth) 2>>$(@:.tr=.log) | \
		$(B)/bin/tr-unwind -o $@ 2>>$(@:.tr=.log)
$(OFF_CPU)/off-cpu.folded: $(OFF_CPU)/stacks.tr $(B)/bin/tr-fold
	$(call say,WAITS,$@)
	$(Q)$(B)/bin/tr-fold --off-cpu --by thread -o $@ $< 2>$(@:.folded=.log)
$(OFF_CPU)/switches.csv: $(OFF_CPU)/stacks.tr $(B)/bin/tr-timeline
	$(call say,TABLE,$@)
	$(Q)$(B)/bin/tr-timeline --table switches --format csv -o $@ $< 2>$(@:.csv=.log)

.PHONY: truth-off-cpu
truth-off-cpu: linux ## Compare what threads wait for with switches and wake-ups
	$(Q)$(MAKE) -s --no-print-directory $(OFF_CPU)/hits.txt $(OFF_CPU)/off-cpu.folded $(OFF_CPU)/switches.csv
	$(Q)awk -F, 'FNR == NR { split($$0, field, " "); hits += field[4] == "switch"; next } \
		FNR > 1 && $$8 == "__schedule" { switches += $$1 } \
		END { printf "switches: %d hits, %d in the table\n", hits, switches; exit !hits || hits != switches }' \
		$(OFF_CPU)/hits.txt $(OFF_CPU)/switches.csv
	$(Q)awk -f tests/truth/off-cpu.awk $(OFF_CPU)/hits.txt $(OFF_CPU)/off-cpu.folded
	$(Q)for change in '/ wakeup pid=1 /d' 's/ prev=1 \(.*\) prev_state=[1-9][0-9]*/ prev=1 \1 prev_state=0/' \
		'0,/ wakeup pid=1 /s/began=/began=1/'; do status=0; \
		sed "$$change" $(OFF_CPU)/hits.txt | awk -f tests/truth/off-cpu.awk - $(OFF_CPU)/off-cpu.folded >$(OFF_CPU)/broken.txt || status=$$?; \
		[ $$status = 1 ] || { echo "off-cpu: did not see $$change"; exit 1; }; done
