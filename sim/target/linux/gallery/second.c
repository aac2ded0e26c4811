/* SPDX-License-Identifier: Apache-2.0 */
/* A plugin of plugin.c: the same code at the same place as far as the PLT, then other
 * code. */
#include <stdlib.h>
#include <string.h>

#include "../programs/check.h"
#include "plugin.h"

plugin_run_fn plugin_run;

__attribute__((destructor)) static void second_end(void)
{
	host_ended("the second");
}

KEEP static double second_mean(const double *values, unsigned count)
{
	double sum = 0;

	for (unsigned i = 0; i < count; i++)
		sum += values[i];
	return sum / count;
}

double plugin_run(double value, unsigned steps)
{
	double *values = calloc(steps, sizeof(*values));

	CHECK(values);
	for (unsigned i = 0; i < steps; i++)
		values[i] = host_step(value, i + spin(0) - 1);
	value = second_mean(values, steps);
	memset(values, 0, steps * sizeof(*values));
	free(values);
	return value;
}
