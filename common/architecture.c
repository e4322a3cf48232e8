// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of architectures; see architecture.h. All programs that handle kernels or ELF files of several
 * architectures take what differs from here.
 */
#include "common/architecture.h"

#include <elf.h>
#include <glib.h>
#include <stdbool.h>
#include <string.h>
#include <sys/utsname.h>

static const struct architecture architectures[] = {
	{
		.name = "x86_64",
		.machine = "x86_64",
		.debian = "amd64",
		.kernel = "x86",
		.triplet = "x86_64-linux-gnu",
		.loader = "ld-linux-x86-64.so.2",
		.setting = "CONFIG_X86_64",
		.image = "arch/x86/boot/bzImage",
		.plain_flavour = "amd64",
		.elf_machine = EM_X86_64,
		.elf_machine_32 = EM_386,
	},
	{
		.name = "arm64",
		.machine = "aarch64",
		.debian = "arm64",
		.kernel = "arm64",
		.triplet = "aarch64-linux-gnu",
		.loader = "ld-linux-aarch64.so.1",
		.setting = "CONFIG_ARM64",
		.image = "arch/arm64/boot/Image",
		.plain_flavour = "cloud-arm64",
		.elf_machine = EM_AARCH64,
	},
};

const struct architecture *architecture_at(unsigned int index)
{
	return index < G_N_ELEMENTS(architectures) ? &architectures[index] : NULL;
}

static bool is_called(const struct architecture *architecture, const char *name)
{
	const char *const names[] = {architecture->name, architecture->machine, architecture->debian,
				     architecture->kernel};

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

const struct architecture *architecture_by_name(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(architectures); i++)
		if (is_called(&architectures[i], name))
			return &architectures[i];
	return NULL;
}

const struct architecture *architecture_of_host(void)
{
	struct utsname names;

	return (uname(&names) ? NULL : architecture_by_name(names.machine)) ?: &architectures[0];
}

const struct architecture *architecture_by_elf(uint16_t machine)
{
	for (size_t i = 0; i < G_N_ELEMENTS(architectures) && machine != EM_NONE; i++)
		if (architectures[i].elf_machine == machine || architectures[i].elf_machine_32 == machine)
			return &architectures[i];
	return NULL;
}

const struct architecture *architecture_of_release(const char *release)
{
	g_auto(GStrv) words = g_strsplit(release, "-", -1);

	for (char **word = words; *word; word++)
		for (size_t i = 0; i < G_N_ELEMENTS(architectures); i++)
			if (!strcmp(*word, architectures[i].debian))
				return &architectures[i];
	return NULL;
}
