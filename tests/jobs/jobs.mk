# SPDX-License-Identifier: Apache-2.0
# pipelines/run-jobs.sh and what uses it; tests/cli/run-jobs.sh tries it with other commands.

JOBS_BENCHMARK := chase_l2
JOBS_NEEDS := $(B)/bin/soc-sim $(SWEEP_FILTERS) $(B)/bin/tr-text $(FW) $(BENCH_B)/$(JOBS_BENCHMARK)-image.elf $(BENCH_B)/$(JOBS_BENCHMARK).elf $(BENCH_B)/$(JOBS_BENCHMARK).lst
.PHONY: test-sweep test-slurm
test-sweep: target $(JOBS_NEEDS) ## Test `make sweep`: its table, and that nothing runs twice
	$(Q)SAN=$(SAN) CORE=$(CORE) tests/jobs/sweep.sh $(B)/bin $(TARGET_B) $(JOBS_BENCHMARK)
test-slurm: $(JOBS_NEEDS) ## Jobs on two nodes of Slurm on this machine, of which one dies
	$(Q)tests/jobs/slurm.sh $(B)/bin $(TARGET_B)
