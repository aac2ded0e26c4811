/* SPDX-License-Identifier: Apache-2.0 */
/* What the program and its plugins know of each other. */
#ifndef PLUGIN_H
#define PLUGIN_H

/* Of the program: called by plugins. */
double host_step(double value, unsigned i);
void host_ended(const char *plugin);

/* Of each plugin. */
typedef double plugin_run_fn(double value, unsigned steps);

#endif
