# SPDX-License-Identifier: Apache-2.0
# The whole pipeline on real runs.

PIPELINE_PARTS := $(FILTERS:%=$(B)/bin/%) $(B)/bin/soc-model $(B)/bin/soc-sim
.PHONY: test-pipeline golden-pipeline
test-pipeline: $(PIPELINE_PARTS) target ## Run the whole pipeline on real runs
	$(Q)BIN=$(B)/bin tests/pipeline/run.sh
golden-pipeline: $(PIPELINE_PARTS) target ## Rewrite the golden profile; shows the change
	$(Q)[ -z "$(CI)" ] && BIN=$(B)/bin tests/pipeline/run.sh golden

.PHONY: test-tutorial
test-tutorial: $(PIPELINE_PARTS) $(addprefix $(SMALL)/,sim example.hex) ## Run the commands of the tutorial: they must print what it shows
	$(Q)BIN=$(B)/bin tests/pipeline/tutorial.sh
