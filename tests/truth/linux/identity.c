/* SPDX-License-Identifier: Apache-2.0 */
#include "identity.h"

#include "layout.h"

static const struct layout_member members[] = {
    {"task_struct", "pid", NULL, offsetof(struct identity_layout, pid)},
    {"task_struct", "tgid", NULL, offsetof(struct identity_layout, tgid)},
    {"task_struct", "real_parent", NULL, offsetof(struct identity_layout, parent)},
    {"task_struct", "comm", NULL, offsetof(struct identity_layout, comm)},
    {"task_struct", "__state", "state", offsetof(struct identity_layout, state)},
};

bool identity_layout(struct identity_layout *layout, const struct binary *kernel)
{
	return layout_find(members, sizeof(members) / sizeof(members[0]), layout,
			   tr_image_path(kernel->image));
}

static bool read_number(const struct machine *m, uint64_t address, uint32_t *number)
{
	return task_read_kernel(m, address, number, sizeof(*number));
}

void identity_read(const struct machine *m, const struct identity_layout *layout,
		   uint64_t task, struct identity *identity)
{
	uint32_t *numbers = identity->numbers;
	uint64_t parent;

	*identity = (struct identity){.comm = ""};
	identity->is_missing =
	    !task || !read_number(m, task + layout->pid, &numbers[IDENTITY_PID]) ||
	    !read_number(m, task + layout->tgid, &numbers[IDENTITY_TGID]) ||
	    !read_number(m, task + layout->state, &numbers[IDENTITY_STATE]) ||
	    !task_read_kernel(m, task + layout->comm, identity->comm,
			      sizeof(identity->comm));
	identity->comm[TASK_COMM - 1] = '\0';
	identity->is_orphan =
	    !task ||
	    !task_read_kernel(m, task + layout->parent, &parent, sizeof(parent)) ||
	    !read_number(m, parent + layout->tgid, &numbers[IDENTITY_PPID]);
}
