// SPDX-License-Identifier: GPL-2.0-or-later
/* Source lines of kernel addresses, from the table that the translator made (line_table.h). */
#include "runtime/abi/line_table.h"
#include "runtime/compat/compat.h"
#include "runtime/core/internal.h"
#include "runtime/core/target.h"
#include "runtime/text/source_line.h"

static unsigned int kernel_line(unsigned long address, const char **file)
{
	unsigned long linked = address - (compat_anchor() - stp_script.anchor);

	if (!stp_script.lines || linked < stp_lines_base(stp_script.lines))
		return 0;
	return stp_find_line(stp_script.lines, linked - stp_lines_base(stp_script.lines), file);
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
