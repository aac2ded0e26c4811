/* SPDX-License-Identifier: Apache-2.0 */
/* Looks up members of structures in DWARF. */
#include "layout.h"

#include <libdwarf/dwarf.h>
#include <fcntl.h>
#include <libdwarf/libdwarf.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct layout_member members[] = {
    {"task_struct", "thread_info.kernel_sp", NULL, offsetof(struct layout, kernel_sp)},
    {"task_struct", "thread_info.user_sp", NULL, offsetof(struct layout, user_sp)},
    {"task_struct", "flags", NULL, offsetof(struct layout, flags)},
    {"task_struct", "mm", NULL, offsetof(struct layout, mm)},
    {"task_struct", "pid", NULL, offsetof(struct layout, pid)},
    {"task_struct", "comm", NULL, offsetof(struct layout, comm)},
    {"task_struct", "thread.ra", NULL, offsetof(struct layout, thread_ra)},
    {"task_struct", "thread.s", NULL, offsetof(struct layout, thread_s0)},
    {"mm_struct", "pgd", NULL, offsetof(struct layout, pgd)},
    {"mm_struct", "exe_file", NULL, offsetof(struct layout, exe_file)},
    {"mm_struct", "context.vdso", NULL, offsetof(struct layout, vdso)},
    {"mm_struct", "mm_mt.ma_root", NULL, offsetof(struct layout, areas)},
    {"vm_area_struct", "vm_start", NULL, offsetof(struct layout, area_start)},
    {"vm_area_struct", "vm_end", NULL, offsetof(struct layout, area_end)},
    {"vm_area_struct", "vm_pgoff", NULL, offsetof(struct layout, area_page)},
    {"vm_area_struct", "vm_file", NULL, offsetof(struct layout, area_file)},
    {"file", "f_path.dentry", NULL, offsetof(struct layout, dentry)},
    {"dentry", "d_name.name", NULL, offsetof(struct layout, name)},
    {"pt_regs", "status", NULL, offsetof(struct layout, status)},
    {"pt_regs", "cause", NULL, offsetof(struct layout, cause)},
    {"pt_regs", NULL, NULL, offsetof(struct layout, registers_size)},
    {"rt_sigframe", "uc.uc_mcontext.sc_regs", NULL,
     offsetof(struct layout, signal_registers)},
};
enum { MEMBERS = sizeof(members) / sizeof(members[0]), MEMBERS_MAX = 32 };

struct search {
	const struct layout_member *members;
	unsigned count, left;
	char *layout;
	Dwarf_Debug dbg;
	bool found[MEMBERS_MAX];
};

static bool is_named(Dwarf_Die die, const char *name, size_t size)
{
	Dwarf_Error error = NULL;
	char *own = NULL;

	return dwarf_diename(die, &own, &error) == DW_DLV_OK && strlen(own) == size &&
	       memcmp(own, name, size) == 0;
}

static bool has_name(Dwarf_Die die)
{
	Dwarf_Error error = NULL;
	char *name = NULL;

	return dwarf_diename(die, &name, &error) == DW_DLV_OK;
}

static Dwarf_Half tag_of(Dwarf_Die die)
{
	Dwarf_Error error = NULL;
	Dwarf_Half tag = 0;

	dwarf_tag(die, &tag, &error);
	return tag;
}

static uint64_t number_of(Dwarf_Die die, Dwarf_Half name)
{
	Dwarf_Attribute attribute = NULL;
	Dwarf_Error error = NULL;
	Dwarf_Unsigned value = 0;

	if (dwarf_attr(die, name, &attribute, &error) != DW_DLV_OK)
		return 0;
	dwarf_formudata(attribute, &value, &error);
	dwarf_dealloc_attribute(attribute);
	return value;
}

static Dwarf_Die first_child(Dwarf_Die die)
{
	Dwarf_Error error = NULL;
	Dwarf_Die child = NULL;

	return dwarf_child(die, &child, &error) == DW_DLV_OK ? child : NULL;
}

/* Frees `die`. */
static Dwarf_Die sibling_of(Dwarf_Debug dbg, Dwarf_Die die)
{
	Dwarf_Error error = NULL;
	Dwarf_Die next = NULL;
	bool ok = dwarf_siblingof_b(dbg, die, 1, &next, &error) == DW_DLV_OK;

	dwarf_dealloc_die(die);
	return ok ? next : NULL;
}

/* Returns the type of a member, without typedefs and qualifiers. */
static Dwarf_Die type_of(Dwarf_Debug dbg, Dwarf_Die die)
{
	Dwarf_Attribute attribute = NULL;
	Dwarf_Error error = NULL;
	Dwarf_Die type = NULL;
	Dwarf_Off offset = 0;

	if (dwarf_attr(die, DW_AT_type, &attribute, &error) != DW_DLV_OK)
		return NULL;
	if (dwarf_global_formref(attribute, &offset, &error) == DW_DLV_OK)
		dwarf_offdie_b(dbg, offset, 1, &type, &error);
	dwarf_dealloc_attribute(attribute);
	Dwarf_Half tag = type ? tag_of(type) : 0;
	if (tag == DW_TAG_typedef || tag == DW_TAG_const_type ||
	    tag == DW_TAG_volatile_type) {
		Dwarf_Die inner = type_of(dbg, type);
		dwarf_dealloc_die(type);
		return inner;
	}
	return type;
}

static bool find_member(Dwarf_Debug dbg, Dwarf_Die structure, const char *path,
			uint64_t *offset);

/* `member` is the first of the path, or is unnamed and contains it. */
static bool follow(Dwarf_Debug dbg, Dwarf_Die member, const char *path, uint64_t *offset)
{
	size_t size = strcspn(path, ".");
	uint64_t inside = 0;

	if (is_named(member, path, size)) {
		*offset = number_of(member, DW_AT_data_member_location);
		if (path[size] == '\0')
			return true;
		path += size + 1;
	} else if (has_name(member)) {
		return false;
	} else {
		*offset = number_of(member, DW_AT_data_member_location);
	}
	Dwarf_Die type = type_of(dbg, member);
	bool found = type && find_member(dbg, type, path, &inside);
	if (type)
		dwarf_dealloc_die(type);
	*offset += inside;
	return found;
}

static bool find_member(Dwarf_Debug dbg, Dwarf_Die structure, const char *path,
			uint64_t *offset)
{
	Dwarf_Die member = first_child(structure);
	bool found = false;

	while (member) {
		if (!found && tag_of(member) == DW_TAG_member)
			found = follow(dbg, member, path, offset);
		if (found) {
			dwarf_dealloc_die(member);
			break;
		}
		member = sibling_of(dbg, member);
	}
	return found;
}

static void look_at(struct search *s, Dwarf_Die die)
{
	uint64_t size = number_of(die, DW_AT_byte_size), offset;

	for (unsigned i = 0; i < s->count && size; i++) {
		const struct layout_member *w = &s->members[i];
		if (s->found[i] || !is_named(die, w->structure, strlen(w->structure)))
			continue;
		if (!w->path)
			offset = size;
		else if (!find_member(s->dbg, die, w->path, &offset) &&
			 !(w->older && find_member(s->dbg, die, w->older, &offset)))
			continue;
		memcpy(s->layout + w->place, &offset, sizeof(offset));
		s->found[i] = true;
		s->left--;
	}
}

static void look_at_unit(struct search *s)
{
	Dwarf_Error error = NULL;
	Dwarf_Die unit = NULL;

	if (dwarf_siblingof_b(s->dbg, NULL, 1, &unit, &error) != DW_DLV_OK)
		return;
	for (Dwarf_Die die = first_child(unit); die; die = sibling_of(s->dbg, die))
		if (tag_of(die) == DW_TAG_structure_type)
			look_at(s, die);
	dwarf_dealloc_die(unit);
}

static void look_at_units(struct search *s)
{
	Dwarf_Error error = NULL;
	Dwarf_Unsigned length, type, next;
	Dwarf_Half version, address_size, length_size, extension_size, kind;
	Dwarf_Off abbreviations;
	Dwarf_Sig8 signature;

	while (s->left && dwarf_next_cu_header_d(
			      s->dbg, 1, &length, &version, &abbreviations, &address_size,
			      &length_size, &extension_size, &signature, &type, &next,
			      &kind, &error) == DW_DLV_OK)
		look_at_unit(s);
}

bool layout_find(const struct layout_member *wanted, unsigned count, void *layout,
		 const char *path)
{
	struct search s = {
	    .members = wanted, .count = count, .left = count, .layout = layout};
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Dwarf_Error error = NULL;

	if (fd >= 0 && count <= MEMBERS_MAX &&
	    dwarf_init_b(fd, DW_DLC_READ, DW_GROUPNUMBER_ANY, NULL, NULL, &s.dbg,
			 &error) == DW_DLV_OK) {
		look_at_units(&s);
		dwarf_finish(s.dbg, &error);
	}
	if (fd >= 0)
		close(fd);
	for (unsigned i = 0; i < count; i++)
		if (!s.found[i])
			fprintf(stderr,
				"truth: %s: no struct %s, member %s in its DWARF\n", path,
				wanted[i].structure,
				wanted[i].path ? wanted[i].path : "any");
	return s.left == 0;
}

bool layout_read(struct layout *layout, const char *path)
{
	return layout_find(members, MEMBERS, layout, path);
}
