// SPDX-License-Identifier: GPL-2.0-or-later
/* The list of architectures, and what is the same for all; see abi.h. */
#include "translator/abi/abi.h"

#include <string.h>

static const struct abi *const all[] = {&abi_x86_64, &abi_arm64};

const struct abi *abi_by_machine(uint16_t elf_machine)
{
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i]->elf_machine == elf_machine)
			return all[i];
	return NULL;
}

bool abi_is_argument_register(const struct abi *abi, unsigned int number)
{
	return memchr(abi->argument_registers, (int)number, abi->argument_register_count) != NULL;
}
