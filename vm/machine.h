/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The virtual machines that QEMU makes for guests, one per architecture; see machine.c. */
#ifndef SPILE_VM_MACHINE_H
#define SPILE_VM_MACHINE_H

#include "common/architecture.h"

enum { MACHINE_MOST_WORDS = 4 };

struct machine {
	const char *architecture; /* its name */
	const char *program, *package; /* the emulator, and the package with it */
	const char *words[MACHINE_MOST_WORDS]; /* arguments of the emulator, up to a NULL */
	/* The CPU models: emulated, and of the host with KVM. */
	const char *emulated_processor, *real_processor;
	const char *console; /* device of the console in the guest */
	const char *second_console; /* of a second serial port; NULL: the machine has only one */
	const char *kernel_words; /* arguments of the kernel, with a space after each */
	const char *early_console; /* the kernel argument by which it prints from its first instructions on */
};

/** Return the machine for guests of an architecture. */
const struct machine *machine_of(const struct architecture *architecture);

#endif
