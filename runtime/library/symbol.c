// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Kernel addresses: symbol and module. Symbols come from kallsyms by sprint_symbol(), which takes no lock.
 */
#include <linux/kallsyms.h>
#include <linux/printk.h>

#include "runtime/core/internal.h"

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
