// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reading what a module made by stap has in its section .spile.info (emit/tables.c), a sequence of NUL-terminated
 * "key=value" strings. So it is known even if the module comes from the cache or from a server, and its script was not
 * analyzed.
 */
#include "common/elf/module_facts.h"

#include <fcntl.h>
#include <libelf.h>
#include <string.h>

#include "common/base/cleanup.h"
#include "common/elf/elf.h"

void module_facts(struct arena *arena, const char *path, const char *key, GPtrArray *ret)
{
	size_t length = strlen(key);
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL);
	struct span info = elf ? elf_section_span(elf, ".spile.info") : (struct span){0};
	const char *text = (const char *)info.data, *end = info.data ? text + info.size : text;

	while (text < end && memchr(text, '\0', end - text)) {
		if (!strncmp(text, key, length) && text[length] == '=')
			g_ptr_array_add(ret, arena_strdup(arena, text + length + 1));
		text += strlen(text) + 1;
	}
	elf_end(elf);
}
