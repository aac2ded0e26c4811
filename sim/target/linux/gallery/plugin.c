/* SPDX-License-Identifier: Apache-2.0 */
/* Opens and closes shared objects, one after another at the same addresses and then both
 * at once. They call the program back, and run code when opened and closed.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "../programs/check.h"
#include "plugin.h"

static unsigned ended;

KEEP double host_step(double value, unsigned i)
{
	return value + (double)(spin(i + 10) % 100) / 10;
}

KEEP void host_ended(const char *plugin)
{
	ended += (unsigned)strlen(plugin);
}

KEEP static double run(void *plugin, double value)
{
	plugin_run_fn *function;

	*(void **)&function = dlsym(plugin, "plugin_run");
	CHECK(function);
	return function(value, 300);
}

KEEP static void *open_plugin(const char *name)
{
	void *plugin = dlopen(name, RTLD_LAZY);

	if (!plugin)
		fprintf(stderr, "%s\n", dlerror());
	CHECK(plugin);
	return plugin;
}

int main(void)
{
	static const char *const names[] = {"/usr/lib/gallery/first.so",
					    "/usr/lib/gallery/second.so"};
	void *plugins[2];
	double value = 0;

	for (unsigned i = 0; i < 4; i++) {
		void *plugin = open_plugin(names[i % 2]);
		value = run(plugin, value);
		CHECK(dlclose(plugin) == 0);
	}
	for (unsigned i = 0; i < 2; i++)
		plugins[i] = open_plugin(names[1 - i]);
	for (unsigned i = 0; i < 2; i++)
		value = run(plugins[i], value);
	for (unsigned i = 0; i < 2; i++)
		CHECK(dlclose(plugins[i]) == 0);
	printf("plugin: %.3f %u\n", value, ended);
	return 0;
}
