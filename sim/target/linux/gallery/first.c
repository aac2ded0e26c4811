/* SPDX-License-Identifier: Apache-2.0 */
/* A plugin of plugin.c. */
#include <math.h>
#include <stdlib.h>

#include "../programs/check.h"
#include "plugin.h"

plugin_run_fn plugin_run;
static double *scale;

__attribute__((constructor)) static void first_begin(void)
{
	scale = malloc(sizeof(*scale));
	CHECK(scale);
	*scale = sqrt(2);
}

__attribute__((destructor)) static void first_end(void)
{
	free(scale);
	host_ended("first");
}

double plugin_run(double value, unsigned steps)
{
	for (unsigned i = 0; i < steps; i++)
		value = host_step(value / *scale, i + spin(0) - 1);
	return value;
}
