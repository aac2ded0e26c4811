/* SPDX-License-Identifier: Apache-2.0 */
/* A device tree and an initramfs as sections, for image.ld. */
	.section .tree, "a"
	.incbin TREE
	.section .initrd, "a"
	.incbin INITRD
