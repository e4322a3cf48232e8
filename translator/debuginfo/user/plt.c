// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finding entries of procedure linkage tables (PLT).
 *
 * An entry is a stub that jumps through a slot of the global offset table, and the dynamic relocation of that slot
 * names the target. So it does not matter which tables the linker made (.plt, .plt.sec after endbr64, .plt.got) and in
 * which order. The stubs of a static program lead to functions that a resolver chooses at its start (IRELATIVE); they
 * have the resolver's name.
 */
#include "translator/debuginfo/object/user_object.h"

#include <fnmatch.h>
#include <string.h>

struct slots {
	struct debuginfo *debuginfo;
	GHashTable *names; /* by address */
	uint64_t table; /* base of slot offsets in position-independent 32-bit code */
};

/* Return the name of the IFUNC resolver at an address. */
static const char *chooser_name(Elf *elf, uint64_t address)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	GElf_Sym symbol;

	while (elf && (section = elf_nextscn(elf, section))) {
		Elf_Data *data = gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB
					 ? elf_getdata(section, NULL)
					 : NULL;

		for (int i = 0; data && gelf_getsym(data, i, &symbol); i++)
			if (symbol.st_value == address && GELF_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC &&
			    GELF_ST_BIND(symbol.st_info) != STB_LOCAL)
				return elf_strptr(elf, header.sh_link, symbol.st_name);
	}
	return NULL;
}

static void note_slot(struct slots *slots, uint64_t address, const char *name)
{
	if (name && name[0])
		g_hash_table_insert(slots->names, GSIZE_TO_POINTER(address),
				    arena_strndup(slots->debuginfo->arena, name, strcspn(name, "@")));
}

static void note_relocation(struct slots *slots, Elf *elf, Elf_Scn *symbols, const GElf_Rela *relocation)
{
	unsigned int type = (unsigned int)GELF_R_TYPE(relocation->r_info);
	const struct abi_linking *linking = debuginfo_abi(slots->debuginfo)->linking;
	GElf_Shdr header;
	Elf_Data *data;
	GElf_Sym symbol;

	if (linking->indirect_slot && type == linking->indirect_slot) {
		uint64_t chooser = (uint64_t)relocation->r_addend;

		note_slot(slots, relocation->r_offset,
			  chooser_name(elf, chooser) ?: chooser_name(slots->debuginfo->debug.elf, chooser));
		return;
	}
	data = symbols && gelf_getshdr(symbols, &header) ? elf_getdata(symbols, NULL) : NULL;
	if ((type == linking->function_slot || type == linking->address_slot) && data &&
	    gelf_getsym(data, (int)GELF_R_SYM(relocation->r_info), &symbol))
		note_slot(slots, relocation->r_offset, elf_strptr(elf, header.sh_link, symbol.st_name));
}

static void read_relocations(struct slots *slots, Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Scn *symbols = header->sh_link ? elf_getscn(elf, header->sh_link) : NULL;
	Elf_Data *data = elf_getdata(section, NULL);
	size_t count = data && header->sh_entsize ? data->d_size / header->sh_entsize : 0;

	for (size_t i = 0; i < count; i++) {
		GElf_Rela relocation = {0};
		GElf_Rel plain;

		if (header->sh_type == SHT_REL && gelf_getrel(data, (int)i, &plain))
			relocation = (GElf_Rela){plain.r_offset, plain.r_info, 0};
		else if (header->sh_type != SHT_RELA || !gelf_getrela(data, (int)i, &relocation))
			continue;
		note_relocation(slots, elf, symbols, &relocation);
	}
}

/* ---- stubs ---- */

static void read_stubs(const struct slots *slots, const GElf_Shdr *header, const char *glob, GPtrArray *ret)
{
	const struct abi_linking *linking = debuginfo_abi(slots->debuginfo)->linking;
	uint64_t step = MAX(header->sh_entsize, linking->stub_step);

	for (uint64_t at = 0; at + step <= header->sh_size; at += step) {
		uint64_t address = header->sh_addr + at;
		struct span bytes = user_object_bytes(slots->debuginfo, address);
		uint64_t slot = linking->stub_slot(address, bytes.data, bytes.size, slots->table);
		const char *name = slot ? g_hash_table_lookup(slots->names, GSIZE_TO_POINTER(slot)) : NULL;
		struct plt_entry *entry;

		if (!name || fnmatch(glob, name, 0) != 0)
			continue;
		entry = arena_new0(slots->debuginfo->arena, struct plt_entry);
		*entry = (struct plt_entry){name, address};
		g_ptr_array_add(ret, entry);
	}
}

static gint compare_entries(gconstpointer a, gconstpointer b)
{
	const struct plt_entry *x = *(const struct plt_entry *const *)a, *y = *(const struct plt_entry *const *)b;

	return x->address < y->address ? -1 : x->address > y->address;
}

struct error *debuginfo_plt(struct debuginfo *debuginfo, const char *name, GPtrArray *ret)
{
	g_autoptr(GHashTable) names = g_hash_table_new(g_direct_hash, g_direct_equal);
	g_autoptr(GPtrArray) found = g_ptr_array_new();
	struct slots slots = {debuginfo, names, 0};
	Elf *elf = debuginfo_code(debuginfo);
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t strings;

	if (elf_section_by_name(elf, ".got.plt", &header) || elf_section_by_name(elf, ".got", &header))
		slots.table = header.sh_addr;
	while (elf && (section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_flags & SHF_ALLOC &&
		    (header.sh_type == SHT_RELA || header.sh_type == SHT_REL))
			read_relocations(&slots, elf, section, &header);
	if (!elf || elf_getshdrstrndx(elf, &strings) != 0)
		return NULL;
	while ((section = elf_nextscn(elf, section))) {
		const char *title = gelf_getshdr(section, &header) ? elf_strptr(elf, strings, header.sh_name) : NULL;

		if (title && header.sh_flags & SHF_EXECINSTR &&
		    (g_str_has_prefix(title, ".plt") || g_str_has_prefix(title, ".iplt")))
			read_stubs(&slots, &header, name, found);
	}
	g_ptr_array_sort(found, compare_entries);
	for_each_ptr(struct plt_entry *, entry, found)
		g_ptr_array_add(ret, entry);
	return NULL;
}
