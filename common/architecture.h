/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processor architectures of target kernels, and their names in Debian, the kernel and the GNU tools. Each is a row
 * of the table in architecture.c. Registers and instructions are described in translator/abi/, emulated machines in
 * vm/machine.c.
 */
#ifndef SPILE_COMMON_ARCHITECTURE_H
#define SPILE_COMMON_ARCHITECTURE_H

#include <stdint.h>

struct architecture {
	const char *name; /* in scripts, and of a tapset's directories */
	const char *machine; /* what uname -m prints */
	const char *debian; /* in names of packages and at the end of kernel releases */
	const char *kernel; /* ARCH of kbuild, and its directory in the kernel's source */
	const char *triplet; /* of the GNU tools, and of library directories */
	const char *loader; /* file name of the dynamic loader */
	const char *setting; /* is y in the configuration of its kernels */
	const char *image; /* the boot image in a kernel build tree */
	/* The flavor that a short form of a release selects if it names only this architecture. */
	const char *plain_flavour;
	uint16_t elf_machine; /* EM_... */
	uint16_t elf_machine_32; /* of the 32-bit programs that its kernels run, or EM_NONE */
};

/** Return the architecture of this machine's kernel; if it is not supported, the first one of the table. */
const struct architecture *architecture_of_host(void);

/** Find an architecture by any of its names. Return NULL if it is unknown. */
const struct architecture *architecture_by_name(const char *name);

/** Find the architecture of an ELF file by its e_machine, also of 32-bit programs. Return NULL if it is unknown. */
const struct architecture *architecture_by_elf(uint16_t machine);

/**
 * Return the architecture in the flavor of a kernel release or short form of Debian's ("6.1-arm64",
 * "6.12.9-cloud-amd64", "6.12-arm64-16k"), or in a flavor alone. Return NULL if it names none.
 */
const struct architecture *architecture_of_release(const char *release);

/** Return the architecture at an index of the table; NULL after the last. */
const struct architecture *architecture_at(unsigned int index);

#endif
