// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Symbols of a program or library: names of code and data by address.
 *
 * libdwfl finds them in .symtab of the file or of its file of debug symbols, or in .dynsym and MiniDebugInfo
 * (.gnu_debugdata). Of several names at one address, one is chosen: global before weak and local, then the plainest
 * name. A symbol without a size (assembly) extends to the next one.
 */
#include "translator/debuginfo/unwind/frames.h"

#include <string.h>

struct candidate {
	uint64_t address, size;
	const char *name;
	int rank; /* lower is better */
};

static bool is_wanted(const GElf_Sym *symbol, Elf *elf, GElf_Word section, bool *needs_end)
{
	unsigned int type = GELF_ST_TYPE(symbol->st_info);
	GElf_Shdr header;

	*needs_end = !symbol->st_size;
	if (type == STT_FUNC || type == STT_GNU_IFUNC)
		return true;
	if (type == STT_OBJECT)
		return symbol->st_size;
	/* Accept labels in assembly, but not the linker's symbols for ends of sections. */
	return type == STT_NOTYPE && section < SHN_LORESERVE && elf &&
	       gelf_getshdr(elf_getscn(elf, section), &header) && header.sh_flags & SHF_EXECINSTR;
}

static int rank(const GElf_Sym *symbol, const char *name)
{
	static const int of_binding[] = {[STB_LOCAL] = 2, [STB_GLOBAL] = 0, [STB_WEAK] = 1};
	unsigned int binding = GELF_ST_BIND(symbol->st_info);
	int underscores = (int)strspn(name, "_");

	return (symbol->st_size ? 0 : 1000) + (GELF_ST_TYPE(symbol->st_info) == STT_NOTYPE ? 500 : 0) +
	       100 * (binding < G_N_ELEMENTS(of_binding) ? of_binding[binding] : 0) + MIN(underscores, 9) * 10 +
	       (strchr(name, '@') || strchr(name, '.') ? 5 : 0);
}

static int compare_candidates(gconstpointer a, gconstpointer b)
{
	const struct candidate *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->rank != y->rank ? x->rank - y->rank : strcmp(x->name, y->name);
}

static GArray *collect(Dwfl_Module *module)
{
	GArray *candidates = g_array_new(FALSE, FALSE, sizeof(struct candidate));
	int count = dwfl_module_getsymtab(module);

	for (int i = 1; i < count; i++) {
		struct candidate candidate;
		GElf_Word section = SHN_UNDEF;
		GElf_Addr address;
		GElf_Sym symbol;
		bool needs_end;
		Elf *elf;

		candidate.name = dwfl_module_getsym_info(module, i, &symbol, &address, &section, &elf, NULL);
		if (!candidate.name || !*candidate.name || section == SHN_UNDEF || section == SHN_ABS ||
		    !is_wanted(&symbol, elf, section, &needs_end))
			continue;
		candidate.address = address;
		candidate.size = needs_end ? 0 : symbol.st_size;
		candidate.rank = rank(&symbol, candidate.name);
		g_array_append_val(candidates, candidate);
	}
	g_array_sort(candidates, compare_candidates);
	return candidates;
}

/* Append a name without its version: "memcpy@@GLIBC_2.14" becomes memcpy. */
static void put_name(GByteArray *names, const char *name)
{
	const char *version = strchr(name, '@');

	g_byte_array_append(names, (const guint8 *)name, version ? (guint)(version - name) : (guint)strlen(name));
	g_byte_array_append(names, (const guint8 *)"", 1);
}

GArray *symbols_read(Dwfl_Module *module, uint64_t base, uint32_t extent, GByteArray *names)
{
	GArray *symbols = g_array_new(FALSE, FALSE, sizeof(struct stp_object_symbol));
	g_autoptr(GArray) candidates = collect(module);

	for (guint i = 0; i < candidates->len; i++) {
		const struct candidate *candidate = &g_array_index(candidates, struct candidate, i);
		uint64_t address = candidate->address - base, size = candidate->size;
		struct stp_object_symbol symbol = {.address = (unsigned int)address, .name = names->len};
		guint next = i + 1;

		if (i && candidate[-1].address == candidate->address)
			continue;
		while (next < candidates->len &&
		       g_array_index(candidates, struct candidate, next).address == candidate->address)
			next++;
		if (!size && next < candidates->len)
			size = g_array_index(candidates, struct candidate, next).address - candidate->address;
		if (candidate->address < base || address >= extent || !size ||
		    strlen(candidate->name) >= STP_OBJECT_NAME_SIZE)
			continue;
		symbol.size = (unsigned int)MIN(size, extent - address);
		put_name(names, candidate->name);
		g_array_append_val(symbols, symbol);
	}
	return symbols;
}
