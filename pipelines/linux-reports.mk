# SPDX-License-Identifier: Apache-2.0
# Reports of the runs of Linux: measured figures beside published ones.

# Columns of a table by process: calls, self, self %, total, total %, min, median, max, away,
# instructions, IPC, process, binary, function.
$(LINUX_DEMO)/boot/report.txt: $(LINUX_DEMO)/boot/functions.txt
	$(Q){ printf 'Main functions of the boot (the paper has only the picture, no figures):\n'; \
	sort -k4,4nr $< | awk '$$5 > 0 && $$NF ~ /^(start_kernel|kernel_init|do_initcalls|kthread|do_idle|main)$$/ { \
		who = $$12; if (NF > 14) who = who " " $$13; \
		printf "  %6.2f %%  %-16s %s\n", $$5, who, $$NF }'; } > $@
$(LINUX_DEMO)/busybox/report.txt: $(LINUX_DEMO)/busybox/processes/index.txt
	$(Q){ printf 'Cycles of each process (the paper has only the picture, no figures):\n'; \
	awk '{ n = $$2; sub(/^[^ ]* [^ ]* /, ""); printf "  %14d  %s\n", n, $$0 }' $< | sort -k1,1nr; } > $@
$(LINUX_DEMO)/hello/report.txt: $(LINUX_DEMO)/hello/functions.txt pipelines/linux-hello.awk
	$(Q)awk -f pipelines/linux-hello.awk $< > $@
$(LINUX_DEMO)/iperf3/report.txt: $(LINUX_DEMO)/iperf3/functions.txt $(LINUX_DEMO)/iperf3/console.txt pipelines/linux-iperf3.awk
	$(Q)awk -f pipelines/linux-iperf3.awk $(@D)/console.txt $< > $@
