# SPDX-License-Identifier: Apache-2.0
# `make nightly`: tests that take too long for every day, one after the other; the table of their
# times and verdicts comes last.

NIGHTLY := nightly-sanitized test-threads test-cli-everywhere test-ooo-long isa-qemu random-coverage mutants mutants-rtl mutants-float mutants-replay mutants-profiler mutants-copy mutants-crossbar mutants-l1d \
	mutants-gather mutants-interrupts mutants-ooo nightly-ooo test-checkpoint test-checkpoint-cores restore-linux sample-check soak-ooo truth-kernels-hardware test-view test-slurm test-sample-coverage area fuzz nightly-demo test-package test-debian-programs test-allocations test-jit-node test-lua test-lua-hardware test-sampled-program test-python test-targets-clean shellcheck format-check
.PHONY: nightly nightly-sanitized nightly-demo nightly-ooo
nightly: ## What takes too long for every day: sanitizers, mutants, fuzzing ...
	$(Q)MAKE='$(MAKE)' tests/parts/parts.sh 1 $(B)/nightly all -- $(NIGHTLY) --
nightly-sanitized:
	$(Q)$(MAKE) --no-print-directory SAN=1 test
# What runs on either core, and has a part for the out-of-order one.
nightly-ooo:
	$(Q)$(MAKE) --no-print-directory CORE=ooo test-isa-hardware test-smp test-slots test-checkpoint test-view truth
	$(Q)$(MAKE) --no-print-directory test-cli-cores
	$(Q)$(MAKE) --no-print-directory CORE=inorder$(comma)ooo test-view
	$(Q)$(MAKE) --no-print-directory test-slots-harts truth-cores
nightly-demo:
	$(Q)tests/nightly/demo.sh

# The dialect of a script without a first line is that of those that run it: see .shellcheckrc.
SHELL_SCRIPTS = $$(find .ci * \( -path build -o -path debian \) -prune -o -name '*.sh' -print) .ci/run .ci/nightly
.PHONY: shellcheck
shellcheck: ## Fail if shellcheck has a warning about a shell script
	$(Q)printf "%s\n" $(SHELL_SCRIPTS) | xargs -P 2 -n 60 shellcheck --severity=warning
	$(Q)echo "shellcheck: $$(ls $(SHELL_SCRIPTS) | wc -l) scripts"
