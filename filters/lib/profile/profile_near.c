/* SPDX-License-Identifier: Apache-2.0 */
/* Names that were asked for: whether there are any, and which are near. */
#include <string.h>

#include "base/near.h"
#include "profile/profile_internal.h"

bool tr_profile_has_function(const struct tr_profile *p, const char *name)
{
	for (uint32_t i = 0; i < p->nfuncs; i++)
		if (profile_is_shown(p, i) && profile_is_call(&p->funcs[i]) &&
		    profile_is_named(&p->funcs[i], name))
			return true;
	return false;
}

bool tr_profile_has_binary(const struct tr_profile *p, const char *name)
{
	for (uint32_t i = p->first_func; i < p->nfuncs; i++)
		if (strcmp(p->funcs[i].binary, name) == 0)
			return true;
	return false;
}

void tr_profile_near(const struct tr_profile *p, const char *name, char *text,
		     size_t size)
{
	struct tr_near near;
	/* BINARY:NAME, but not the colons of C++. */
	const char *colon = strchr(name, ':');
	tr_near_init(&near, colon && colon[1] != ':' ? colon + 1 : name);
	for (uint32_t i = p->first_func; i < p->nfuncs; i++)
		if (profile_is_call(&p->funcs[i]))
			tr_near_offer(&near, p->funcs[i].name);
	tr_near_text(&near, text, size);
}
