// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Kernel addresses: symbol, module, source line.
 *
 * Symbols come from kallsyms by sprint_symbol(), which takes no lock; lines come from the translator's table
 * (line_table.h).
 */
#include <linux/kallsyms.h>
#include <linux/printk.h>

#include "runtime/core/internal.h"
#include "runtime/compat/compat.h"
#include "runtime/abi/line_table.h"

void stp_symbol_data(char *to, unsigned long address)
{
	char text[KSYM_SYMBOL_LEN];

	sprint_symbol(text, address);
	/* If there is no symbol, sprint_symbol() returns the address in hexadecimal. */
	snprintf(to, stp_script.string_size, "%s%s", text, strchr(text, '[') || text[0] == '0' ? "" : " [kernel]");
}

void stp_symbol_line(char *to, unsigned int size, unsigned long address)
{
	char text[KSYM_SYMBOL_LEN];

	sprint_symbol(text, address);
	if (text[0] == '0')
		snprintf(to, size, " 0x%016lx", address);
	else
		snprintf(to, size, " 0x%016lx : %s%s", address, text, strchr(text, '[') ? "" : " [kernel]");
}

void stp_symbol_name(char *to, unsigned long address)
{
	char text[KSYM_SYMBOL_LEN];
	char *end;

	sprint_symbol_no_offset(text, address);
	end = strchr(text, ' '); /* before " [module]" */
	if (end)
		*end = '\0';
	stp_copy(to, text);
}

void stp_module_name(struct stp_context *c, char *to, unsigned long address)
{
	char text[KSYM_SYMBOL_LEN];
	char *open, *close;

	sprint_symbol(text, address);
	open = strchr(text, '[');
	close = open ? strpbrk(open, " ]") : NULL;
	to[0] = '\0';
	if (!open && text[0] == '0') {
		stp_error(c, "no module is known at 0x%lx", address);
		return;
	}
	if (close)
		*close = '\0';
	stp_copy(to, open ? open + 1 : "kernel");
}

/* ---- source lines ----------------------------------------------------------------------------------------------- */

static unsigned int kernel_line(unsigned long address, const char **file)
{
	unsigned long linked = address - (compat_anchor() - stp_script.anchor);

	if (!stp_script.lines || linked < STP_LINES_BASE)
		return 0;
	return stp_find_line(stp_script.lines, linked - STP_LINES_BASE, file);
}

static unsigned int module_line(unsigned long address, const char **file)
{
	unsigned int i;

	for (i = 1; i < stp_script.target_count; i++) {
		const struct stp_target *target = &stp_script.targets[i];
		unsigned long base = target_base(i);
		const struct stp_lines_section *section;

		if (!target->lines || !base)
			continue;
		section = stp_lines_section(target->lines, target->lines_section);
		if (address >= base && address - base < section->size)
			return stp_find_line(target->lines, section->start + (address - base), file);
	}
	return 0;
}

unsigned int source_line(unsigned long address, const char **file)
{
	return kernel_line(address, file) ?: module_line(address, file);
}

void put_source_line(char *to, unsigned long address, unsigned int line, const char *file, enum stp_line_parts parts)
{
	if (!line)
		snprintf(to, stp_script.string_size, "0x%lx", address);
	else if (parts == STP_LINE_NUMBER)
		snprintf(to, stp_script.string_size, "%u", line);
	else if (parts == STP_LINE_FILE)
		stp_copy(to, file);
	else
		snprintf(to, stp_script.string_size, "%s:%u", file, line);
}

void stp_source_line(char *to, unsigned long address, enum stp_line_parts parts)
{
	const char *file = "";
	unsigned int line = source_line(address, &file);

	put_source_line(to, address, line, file, parts);
}
