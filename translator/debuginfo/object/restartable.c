// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Restartable sequences of programs (rseq(2)): the kernel aborts such a sequence if the thread is preempted or migrated
 * inside of it. They are listed in the section __rseq_cs (linux/rseq.h, struct rseq_cs).
 *
 * No probe may be set inside of one: while the kernel single-steps the probed instruction out of line, it would miss
 * the preemption, and two threads would both believe to own the per-CPU data. The kernel also checks the signature
 * before the abort handler, which a breakpoint would change.
 */
#include "translator/debuginfo/object/user_object.h"

enum {
	ROW_SIZE = 32, /* version, flags: 4 bytes each; start, length, abort handler: 8 bytes each */
	ROW_START = 8,
	ROW_LENGTH = 16,
	ROW_GIVEN_UP = 24,
	SIGNATURE_SIZE = 4,
};

/* A range of code that cannot be probed. */
struct stretch {
	uint64_t start, end;
};

/* Read a number at an offset of a section. In position-independent files, the value is the addend of a relocation. */
static uint64_t number_at(GHashTable *relocated, uint64_t address, struct span bytes, size_t offset)
{
	uint64_t place = address + offset;
	const int64_t *addend = g_hash_table_lookup(relocated, &place);
	struct reader reader = {bytes.data + offset, bytes.data + bytes.size, false};

	return addend ? (uint64_t)*addend : read_unsigned(&reader, 8);
}

/* Return the addends of the relocations between two addresses, by their address. */
static GHashTable *read_relocations(Elf *elf, uint64_t start, uint64_t end)
{
	GHashTable *all = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		GElf_Rela relocation;
		Elf_Data *data = NULL;

		if (gelf_getshdr(section, &header) && header.sh_type == SHT_RELA && header.sh_flags & SHF_ALLOC)
			data = elf_getdata(section, NULL);
		for (int i = 0; data && gelf_getrela(data, i, &relocation); i++)
			if (relocation.r_offset >= start && relocation.r_offset < end)
				g_hash_table_insert(all, g_memdup2(&relocation.r_offset, sizeof(uint64_t)),
						    g_memdup2(&relocation.r_addend, sizeof(int64_t)));
	}
	return all;
}

static void add_range(GArray *ranges, uint64_t start, uint64_t size)
{
	struct stretch range = {start, start + size};

	g_array_append_val(ranges, range);
}

static GArray *read_sequences(struct debuginfo *debuginfo)
{
	GArray *ranges = g_array_new(FALSE, FALSE, sizeof(struct stretch));
	Elf *elf = debuginfo_code(debuginfo);
	GElf_Shdr header;
	Elf_Scn *section = elf ? elf_section_by_name(elf, "__rseq_cs", &header) : NULL;
	struct span bytes = section ? elf_section_span(elf, "__rseq_cs") : (struct span){NULL, 0};
	g_autoptr(GHashTable) relocated = NULL;

	if (!bytes.size)
		return ranges;
	relocated = read_relocations(elf, header.sh_addr, header.sh_addr + bytes.size);
	for (size_t row = 0; row + ROW_SIZE <= bytes.size; row += ROW_SIZE) {
		add_range(ranges, number_at(relocated, header.sh_addr, bytes, row + ROW_START),
			  number_at(relocated, header.sh_addr, bytes, row + ROW_LENGTH));
		add_range(ranges, number_at(relocated, header.sh_addr, bytes, row + ROW_GIVEN_UP) - SIGNATURE_SIZE,
			  SIGNATURE_SIZE);
	}
	return ranges;
}

bool user_object_restarts(struct debuginfo *debuginfo, uint64_t address)
{
	if (!debuginfo->restartable)
		debuginfo->restartable = read_sequences(debuginfo);
	for (guint i = 0; i < debuginfo->restartable->len; i++) {
		const struct stretch *range = &g_array_index(debuginfo->restartable, struct stretch, i);

		if (address >= range->start && address < range->end)
			return true;
	}
	return false;
}
