// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reading the programs that a module made by stap names in its section .spile.info (emit/tables.c), a sequence of
 * NUL-terminated "key=value" strings. So they are known even if the module comes from the cache and its script was not
 * analyzed again.
 */
#include "common/elf/module_programs.h"

#include <fcntl.h>
#include <libelf.h>
#include <string.h>

#include "common/base/cleanup.h"
#include "common/elf/elf.h"

void module_programs(struct arena *arena, const char *path, GPtrArray *ret)
{
	static const char key[] = "program=";
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL);
	struct span info = elf ? elf_section_span(elf, ".spile.info") : (struct span){0};
	const char *text = (const char *)info.data, *end = info.data ? text + info.size : text;

	while (text < end && memchr(text, '\0', end - text)) {
		if (g_str_has_prefix(text, key))
			g_ptr_array_add(ret, arena_strdup(arena, text + strlen(key)));
		text += strlen(text) + 1;
	}
	elf_end(elf);
}
