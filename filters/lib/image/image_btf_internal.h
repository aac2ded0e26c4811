/* SPDX-License-Identifier: Apache-2.0 */
/* The types of a .BTF section, which are checked when it is opened. */
#ifndef TR_IMAGE_BTF_INTERNAL_H
#define TR_IMAGE_BTF_INTERNAL_H

#include "image/image_btf.h"

enum btf_kind {
	BTF_VOID,
	BTF_INT,
	BTF_PTR,
	BTF_ARRAY,
	BTF_STRUCT,
	BTF_UNION,
	BTF_ENUM,
	BTF_FWD,
	BTF_TYPEDEF,
	BTF_VOLATILE,
	BTF_CONST,
	BTF_RESTRICT,
	BTF_FUNC,
	BTF_FUNC_PROTO,
	BTF_VAR,
	BTF_DATASEC,
	BTF_FLOAT,
	BTF_DECL_TAG,
	BTF_TYPE_TAG,
	BTF_ENUM64,
	BTF_KINDS
};

struct btf {
	const uint8_t *types;
	const char *strings; /* ends with a NUL; the first one is "" */
	uint32_t types_size, strings_size;
	uint32_t *places; /* of types 1 to `count`, in `types` */
	uint32_t count;
	unsigned xlen;
	char *problem;
	size_t problem_size;
};

struct btf_type {
	enum btf_kind kind;
	uint32_t name;	 /* offset into `strings` */
	uint32_t number; /* bytes, or the type that it refers to */
	uint32_t parts;	 /* members, enumerators or parameters */
	bool flag;
	const uint8_t *rest; /* the parts, or what a kind has behind its head */
};

/* Opens a section. Returns false with the problem set; tr_btf_close() frees it anyway. */
bool tr_btf_open(struct btf *btf, const struct image_btf_source *source);
void tr_btf_close(struct btf *btf);
/* Returns a type from its number, up to btf->count; 0 is void. */
struct btf_type tr_btf_type(const struct btf *btf, uint32_t id);
uint32_t tr_btf_u32(const uint8_t *bytes, size_t i); /* the i-th of 32 bits */

/* A member, whose bits are 0 unless it is a bit-field; its offset is in bits. */
struct btf_member {
	uint32_t name, type, offset, bits;
};
struct btf_member tr_btf_member(const struct btf *btf, const struct btf_type *type,
				uint32_t i);

#endif
