/* SPDX-License-Identifier: Apache-2.0 */
/* soc-model: runs ELF files and raw images on the functional model. */
#include "model_machine.h"

int main(int argc, char **argv)
{
	static const struct simulator simulator = {
	    .name = "soc-model",
	    .usage = SIMULATOR_USAGE("soc-model", "a functional RV64 machine"),
	    .precision = "instructions",
	    .can_save = true,
	    .can = SOC_FEATURES_ALL,
	    .max_harts = SOC_HARTS_MAX,
	    .create = model_machine_new,
	    .destroy = model_machine_free,
	};

	return simulator_main(&simulator, argc, argv);
}
