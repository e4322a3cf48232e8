// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Facts about code from the ELF file: symbols, ftrace call sites, exported names, and code that cannot be probed. For
 * programs and libraries, only symbols and exported names.
 *
 * This is used once per file, to build its index. The sources are the tables that the kernel itself uses at boot:
 *   - ftrace: __start_mcount_loc..__stop_mcount_loc (include/asm-generic/vmlinux.lds.h), in a module the section
 *   __mcount_loc or __patchable_function_entries; each entry is the address of a call, or of the no-ops for it;
 *   - kprobes: the blacklist made by NOKPROBE_SYMBOL (__start_kprobe_blacklist..), and the code found by reserved.c;
 *   - exports: a symbol __ksymtab_NAME for each (include/linux/export.h).
 * In a module these tables are empty until it is loaded, so their relocations are read instead.
 */
#include "translator/debuginfo/kernel/code.h"
#include "translator/debuginfo/kernel/kernel.h"
#include "translator/debuginfo/object/mini.h"
#include "translator/debuginfo/object/user_object.h"

#include <string.h>

#define KSYMTAB_PREFIX "__ksymtab_"

struct place {
	uint16_t section;
	uint64_t value;
};

struct range {
	uint64_t start, end;
};

struct code {
	const struct debuginfo *debuginfo;
	GArray *symbols; /* struct code_symbol */
	GArray *resolvers; /* struct code_symbol */
	GHashTable *exported; /* names */
	GArray *call_sites; /* struct place, sorted */
	GArray *blacklist; /* struct place */
	GArray *reserved; /* struct code_range, sorted */
	struct range init; /* vmlinux only */
	uint16_t *section_numbers; /* by ELF section index */
	size_t section_count;
	bool is_complete;
};

static int compare_places(gconstpointer a, gconstpointer b)
{
	const struct place *x = a, *y = b;

	if (x->section != y->section)
		return x->section < y->section ? -1 : 1;
	return x->value < y->value ? -1 : x->value > y->value;
}

/* Return the first place not before the given one, or NULL. */
static const struct place *lower_place(const GArray *places, unsigned int section, uint64_t value)
{
	struct place wanted = {(uint16_t)section, value};
	guint low = 0, high = places->len;

	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (compare_places(&g_array_index(places, struct place, middle), &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < places->len ? &g_array_index(places, struct place, low) : NULL;
}

/* ---- symbols ---- */

/* Map the sections of an ELF file to their numbers in struct debuginfo, by name. */
static void map_sections(struct code *code, Elf *elf)
{
	Elf_Scn *section = NULL;
	size_t strings;

	g_free(code->section_numbers);
	code->section_numbers = NULL;
	code->section_count = 0;
	if (!debuginfo_has_sections(code->debuginfo) || elf_getshdrnum(elf, &code->section_count) != 0 ||
	    elf_getshdrstrndx(elf, &strings) != 0)
		return;
	code->section_numbers = g_new0(uint16_t, code->section_count);
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		const char *name = gelf_getshdr(section, &header) ? elf_strptr(elf, strings, header.sh_name) : NULL;
		int number =
			name && (header.sh_flags & SHF_ALLOC) ? debuginfo_section_number(code->debuginfo, name) : -1;

		if (number > 0 && elf_ndxscn(section) < code->section_count)
			code->section_numbers[elf_ndxscn(section)] = (uint16_t)number;
	}
}

int code_symbol_section(const struct code *code, const GElf_Sym *symbol)
{
	if (symbol->st_shndx == SHN_UNDEF)
		return -1;
	if (!debuginfo_has_sections(code->debuginfo))
		return 0;
	if (symbol->st_shndx >= code->section_count || !code->section_numbers[symbol->st_shndx])
		return -1;
	return code->section_numbers[symbol->st_shndx];
}

/* Rank the symbols at one address, to choose its name: functions before labels, global before local. */
static uint8_t symbol_rank(const GElf_Sym *symbol, const char *name)
{
	uint8_t rank = 0;

	if (GELF_ST_TYPE(symbol->st_info) == STT_FUNC)
		rank += 8;
	if (GELF_ST_BIND(symbol->st_info) == STB_GLOBAL)
		rank += 4;
	if (name[0] != '_')
		rank += 2;
	if (!strchr(name, '.'))
		rank += 1;
	return rank;
}

static void add_symbol(struct code *code, const GElf_Sym *symbol, const char *name)
{
	unsigned int type = GELF_ST_TYPE(symbol->st_info);
	int section = code_symbol_section(code, symbol);
	struct code_symbol entry;

	if (g_str_has_prefix(name, KSYMTAB_PREFIX))
		g_hash_table_add(code->exported, (gpointer)(name + strlen(KSYMTAB_PREFIX)));
	if (section < 0 || !name[0] || type == STT_SECTION || type == STT_FILE)
		return;
	entry = (struct code_symbol){name,
				     symbol->st_value,
				     symbol->st_size,
				     (uint16_t)section,
				     symbol_rank(symbol, name),
				     type == STT_FUNC,
				     GELF_ST_BIND(symbol->st_info) != STB_LOCAL};
	g_array_append_val(code->symbols, entry);
}

static int compare_symbols(gconstpointer a, gconstpointer b)
{
	const struct code_symbol *x = a, *y = b;

	if (x->section != y->section)
		return x->section < y->section ? -1 : 1;
	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank > y->rank ? -1 : 1;
	return strcmp(x->name, y->name);
}

static Elf_Scn *section_of_type(Elf *elf, unsigned int type, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;

	while (elf && (section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, header) && header->sh_type == type)
			return section;
	return NULL;
}

static void read_symbols(struct code *code, Elf *elf, unsigned int table,
			 void (*take)(struct code *code, const GElf_Sym *symbol, const char *name))
{
	GElf_Shdr header;
	Elf_Scn *section = section_of_type(elf, table, &header);
	Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
	size_t count = data && header.sh_entsize ? data->d_size / header.sh_entsize : 0;

	for (size_t i = 0; i < count; i++) {
		GElf_Sym symbol;
		const char *name;

		if (!gelf_getsym(data, (int)i, &symbol))
			break;
		name = elf_strptr(elf, header.sh_link, symbol.st_name);
		if (name)
			take(code, &symbol, name);
	}
}

/* Add a symbol from kallsyms or a System.map. */
static void take_kernel_symbol(void *data, uint64_t value, char letter, const char *name)
{
	bool is_function = strchr("tTwW", letter) != NULL;
	unsigned int binding = g_ascii_isupper(letter) || letter == 'w' ? STB_GLOBAL : STB_LOCAL;
	GElf_Sym symbol = {
		.st_info = GELF_ST_INFO(binding, is_function ? STT_FUNC : STT_OBJECT),
		.st_shndx = SHN_ABS,
		.st_value = value,
	};

	add_symbol(data, &symbol, name);
}

static void read_kernel_symbols(struct code *code)
{
	const struct debuginfo *debuginfo = code->debuginfo;

	if (debuginfo->debug.elf && kallsyms_read(debuginfo, take_kernel_symbol, code))
		return;
	if (debuginfo->symbol_file)
		symbol_file_read(debuginfo, debuginfo->symbol_file, take_kernel_symbol, code);
}

bool code_symbol_value(const struct code *code, const char *name, uint64_t *value)
{
	for (guint i = 0; i < code->symbols->len; i++) {
		const struct code_symbol *symbol = &g_array_index(code->symbols, struct code_symbol, i);

		if (strcmp(symbol->name, name) == 0) {
			*value = symbol->value;
			return true;
		}
	}
	return false;
}

/* ---- tables of vmlinux ---- */

static bool symbol_range(const struct code *code, const char *start, const char *end, struct range *range)
{
	return code_symbol_value(code, start, &range->start) && code_symbol_value(code, end, &range->end) &&
	       range->end > range->start;
}

struct span code_bytes(const struct code *code, uint64_t start, uint64_t end)
{
	return image_bytes(code->debuginfo, start, end);
}

struct span code_section(const struct code *code, const char *name, uint64_t *start)
{
	GElf_Shdr header;

	if (!elf_section_by_name(code->debuginfo->debug.elf, name, &header))
		return (struct span){NULL, 0};
	*start = header.sh_addr;
	return code_bytes(code, header.sh_addr, header.sh_addr + header.sh_size);
}

/*
 * Read the addresses that the kernel itself puts into a table when it relocates itself at boot (.rela.dyn). In the file
 * these words are zero.
 */
static void read_relocations(const struct code *code, const struct range *range, GArray *ret)
{
	Elf *elf = code->debuginfo->debug.elf;
	GElf_Shdr header;
	Elf_Scn *section = elf_section_by_name(elf, ".rela.dyn", &header);
	Elf_Data *data = section && header.sh_entsize ? elf_getdata(section, NULL) : NULL;
	GElf_Rela relocation;

	for (size_t i = 0; data && i < data->d_size / header.sh_entsize; i++) {
		struct place place = {0, 0};

		if (!gelf_getrela(data, (int)i, &relocation) || relocation.r_offset < range->start ||
		    relocation.r_offset >= range->end)
			continue;
		place.value = (uint64_t)relocation.r_addend;
		if (place.value)
			g_array_append_val(ret, place);
	}
}

static void read_table(const struct code *code, const char *start, const char *end, GArray *ret)
{
	struct range range;
	struct reader reader;
	struct span bytes;

	if (!symbol_range(code, start, end, &range))
		return;
	read_relocations(code, &range, ret);
	bytes = code_bytes(code, range.start, range.end);
	reader = (struct reader){bytes.data, bytes.data + bytes.size, false};
	while (reader.end - reader.position >= 8) {
		struct place place = {0, read_unsigned(&reader, 8)};

		if (place.value) /* zero entries are filled at boot from relocations */
			g_array_append_val(ret, place);
	}
}

/*
 * Does the code at an address call __fentry__, or is it the 5-byte nop that replaces the call? For kernels without a
 * table of call sites.
 */
static bool is_call_site(const struct code *code, uint64_t address, uint64_t fentry)
{
	static const uint8_t nop[] = {0x0f, 0x1f, 0x44, 0x00, 0x00};
	struct span bytes = code_bytes(code, address, address + sizeof(nop));
	struct reader reader = {bytes.data, bytes.data + bytes.size, false};

	if (!bytes.size)
		return false;
	if (memcmp(bytes.data, nop, sizeof(nop)) == 0)
		return true;
	if (read_unsigned(&reader, 1) != 0xe8)
		return false;
	return address + sizeof(nop) + (uint64_t)(int32_t)read_unsigned(&reader, 4) == fentry;
}

static void find_call_sites(struct code *code)
{
	uint64_t fentry;

	if (!code_symbol_value(code, "__fentry__", &fentry))
		return;
	for (guint i = 0; i < code->symbols->len; i++) {
		const struct code_symbol *symbol = &g_array_index(code->symbols, struct code_symbol, i);
		struct place place = {0, symbol->value};

		if (!symbol->is_function)
			continue;
		if (!is_call_site(code, place.value, fentry)) {
			place.value += (uint64_t)code->debuginfo->kernel.abi->kernel->last_listed;
			if (!is_call_site(code, place.value, fentry))
				continue;
		}
		g_array_append_val(code->call_sites, place);
	}
}

static void read_kernel_tables(struct code *code)
{
	read_table(code, "__start_mcount_loc", "__stop_mcount_loc", code->call_sites);
	if (!code->call_sites->len)
		find_call_sites(code);
	read_table(code, "__start_kprobe_blacklist", "__stop_kprobe_blacklist", code->blacklist);
	reserved_add_kernel(code, code->reserved);
	/* Everything that is freed after boot; built-in .exit.text is also there, after _einittext (vmlinux.lds.S). */
	if (!symbol_range(code, "__init_begin", "__init_end", &code->init) &&
	    !symbol_range(code, "_sinittext", "_einittext", &code->init))
		code->init = (struct range){0, 0};
	code->is_complete = code->debuginfo->debug.elf != NULL;
}

/* ---- tables of a module ---- */

static Elf_Data *relocations_of(Elf *elf, const char *name, GElf_Shdr *header)
{
	g_autofree char *rela = g_strconcat(".rela", name, NULL);
	Elf_Scn *section = elf_section_by_name(elf, rela, header);

	return section && header->sh_type == SHT_RELA && header->sh_entsize ? elf_getdata(section, NULL) : NULL;
}

/* Read a table of addresses from the targets of its relocations. */
static bool read_relocated_table(const struct code *code, Elf *elf, const char *name, GArray *ret)
{
	GElf_Shdr header, symbol_header;
	Elf_Data *data = relocations_of(elf, name, &header);
	Elf_Scn *symbols = data ? elf_getscn(elf, header.sh_link) : NULL;
	Elf_Data *symbol_data = symbols && gelf_getshdr(symbols, &symbol_header) ? elf_getdata(symbols, NULL) : NULL;

	if (!symbol_data)
		return false;
	for (size_t i = 0; i < data->d_size / header.sh_entsize; i++) {
		GElf_Rela relocation;
		struct place place;
		GElf_Sym symbol;
		int section;

		if (!gelf_getrela(data, (int)i, &relocation) ||
		    !gelf_getsym(symbol_data, (int)GELF_R_SYM(relocation.r_info), &symbol))
			break;
		section = code_symbol_section(code, &symbol);
		if (section < 0)
			continue;
		place = (struct place){(uint16_t)section, symbol.st_value + (uint64_t)relocation.r_addend};
		g_array_append_val(ret, place);
	}
	return true;
}

static void read_module_tables(struct code *code, Elf *elf)
{
	const char *call_sites = code->debuginfo->kernel.abi->kernel->call_site_section;
	GElf_Shdr header;

	map_sections(code, elf);
	read_relocated_table(code, elf, "_kprobe_blacklist", code->blacklist);
	reserved_add_module(code, code->debuginfo, elf, code->reserved);
	/* A module without traceable functions has no table, which is complete, too. */
	code->is_complete = read_relocated_table(code, elf, call_sites, code->call_sites) ||
			    !elf_section_by_name(elf, call_sites, &header);
}

/* Reserve the functions whose addresses are in the blacklist, and the instructions that refuse probes. */
static void reserve_code(struct code *code)
{
	g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < code->blacklist->len; i++) {
		const struct place *place = &g_array_index(code->blacklist, struct place, i);
		const char *name = code_symbol_at(code, place->section, place->value, "");

		if (name)
			g_hash_table_add(names, (gpointer)name);
	}
	reserved_add_functions(code, names, code->reserved);
	reserved_add_instructions(code, code->reserved);
	reserved_sort(code->reserved);
}

/* ---- programs and libraries ---- */

static void add_resolver(struct code *code, const GElf_Sym *symbol, const char *name)
{
	struct code_symbol entry = {
		.name = name, .value = symbol->st_value, .size = symbol->st_size, .is_global = true};

	for (guint i = 0; i < code->resolvers->len; i++) {
		const struct code_symbol *known = &g_array_index(code->resolvers, struct code_symbol, i);

		if (known->value == entry.value && strcmp(known->name, name) == 0)
			return;
	}
	g_array_append_val(code->resolvers, entry);
}

/*
 * Add a symbol of a program or library without its version ("memcpy@@GLIBC_2.14" is memcpy). STT_GNU_IFUNC resolvers
 * are listed separately, because they are not the function of that name.
 */
static void add_object_symbol(struct code *code, const GElf_Sym *symbol, const char *name)
{
	unsigned int type = GELF_ST_TYPE(symbol->st_info);
	size_t length = strcspn(name, "@");
	GElf_Sym own = *symbol;

	if (name[length])
		name = arena_strndup(code->debuginfo->arena, name, length);
	if (symbol->st_shndx != SHN_UNDEF && GELF_ST_BIND(symbol->st_info) != STB_LOCAL)
		g_hash_table_add(code->exported, (gpointer)name);
	if (type == STT_GNU_IFUNC && symbol->st_shndx != SHN_UNDEF)
		add_resolver(code, symbol, name);
	if (symbol->st_shndx == SHN_ABS || (type != STT_FUNC && type != STT_OBJECT && type != STT_NOTYPE))
		return;
	if (type == STT_FUNC && !user_object_has_code(code->debuginfo, symbol->st_value))
		own.st_info = GELF_ST_INFO(GELF_ST_BIND(symbol->st_info), STT_OBJECT);
	add_symbol(code, &own, name);
}

/* Drop symbols that several tables repeat. The array must be sorted. */
static void drop_repeated_symbols(GArray *symbols)
{
	guint kept = 0;

	for (guint i = 0; i < symbols->len; i++) {
		struct code_symbol symbol = g_array_index(symbols, struct code_symbol, i);
		const struct code_symbol *last = kept ? &g_array_index(symbols, struct code_symbol, kept - 1) : NULL;

		if (!last || compare_symbols(last, &symbol) != 0)
			g_array_index(symbols, struct code_symbol, kept++) = symbol;
	}
	g_array_set_size(symbols, kept);
}

static void read_object_symbols(struct code *code, struct debuginfo *debuginfo)
{
	Elf *own = debuginfo_code(debuginfo);

	read_symbols(code, debuginfo->debug.elf, SHT_SYMTAB, add_object_symbol);
	if (own != debuginfo->debug.elf)
		read_symbols(code, own, SHT_SYMTAB, add_object_symbol);
	read_symbols(code, debuginfo_mini(debuginfo), SHT_SYMTAB, add_object_symbol);
	read_symbols(code, own, SHT_DYNSYM, add_object_symbol);
	g_array_sort(code->symbols, compare_symbols);
	drop_repeated_symbols(code->symbols);
	code->is_complete = true;
}

static void read_kernels_code(struct code *code, struct debuginfo *debuginfo)
{
	map_sections(code, debuginfo->debug.elf);
	read_symbols(code, debuginfo->debug.elf, SHT_SYMTAB, add_symbol);
	if (!code->symbols->len && debuginfo->kind == OBJECT_KERNEL)
		read_kernel_symbols(code);
	g_array_sort(code->symbols, compare_symbols);
	if (debuginfo->kind == OBJECT_KERNEL)
		read_kernel_tables(code);
	else
		read_module_tables(code, debuginfo->debug.elf);
	/* A debug file of objcopy --only-keep-debug has only the tables' headers; read the .ko itself then. */
	if (!code->is_complete && debuginfo_code(debuginfo))
		read_module_tables(code, debuginfo_code(debuginfo));
	g_array_sort(code->call_sites, compare_places);
	reserve_code(code);
}

struct code *code_read(struct debuginfo *debuginfo)
{
	struct code *code = g_new0(struct code, 1);

	code->debuginfo = debuginfo;
	code->symbols = g_array_new(FALSE, FALSE, sizeof(struct code_symbol));
	code->resolvers = g_array_new(FALSE, FALSE, sizeof(struct code_symbol));
	code->exported = g_hash_table_new(g_str_hash, g_str_equal);
	code->call_sites = g_array_new(FALSE, FALSE, sizeof(struct place));
	code->blacklist = g_array_new(FALSE, FALSE, sizeof(struct place));
	code->reserved = g_array_new(FALSE, FALSE, sizeof(struct code_range));
	if (debuginfo->object)
		read_object_symbols(code, debuginfo);
	else
		read_kernels_code(code, debuginfo);
	return code;
}

void code_free(struct code *code)
{
	g_array_unref(code->symbols);
	g_array_unref(code->resolvers);
	g_hash_table_unref(code->exported);
	g_array_unref(code->call_sites);
	g_array_unref(code->blacklist);
	g_array_unref(code->reserved);
	g_free(code->section_numbers);
	g_free(code);
}

/* ---- queries ---- */

const GArray *code_symbols(const struct code *code)
{
	return code->symbols;
}

const GArray *code_resolvers(const struct code *code)
{
	return code->resolvers;
}

bool code_complete(const struct code *code)
{
	return code->is_complete;
}

static guint lower_symbol(const GArray *symbols, unsigned int section, uint64_t value)
{
	guint low = 0, high = symbols->len;

	while (low < high) {
		guint middle = low + (high - low) / 2;
		const struct code_symbol *symbol = &g_array_index(symbols, struct code_symbol, middle);

		if (symbol->section < section || (symbol->section == section && symbol->value < value))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const char *code_symbol_at(const struct code *code, unsigned int section, uint64_t value, const char *name)
{
	const char *best = NULL;

	for (guint i = lower_symbol(code->symbols, section, value); i < code->symbols->len; i++) {
		const struct code_symbol *symbol = &g_array_index(code->symbols, struct code_symbol, i);

		if (symbol->section != section || symbol->value != value)
			break;
		if (strcmp(symbol->name, name) == 0)
			return symbol->name;
		if (!best)
			best = symbol->name;
	}
	return best;
}

struct span code_at(const struct code *code, unsigned int section, uint64_t start, uint64_t size)
{
	const char *name = debuginfo_section_name(code->debuginfo, section);
	struct span bytes;

	if (!name)
		return code_bytes(code, start, start + size);
	bytes = elf_section_span(code->debuginfo->debug.elf, name);
	if (!bytes.data && code->debuginfo->code.elf)
		bytes = elf_section_span(code->debuginfo->code.elf, name);
	if (start >= bytes.size)
		return (struct span){NULL, 0};
	return (struct span){bytes.data + start, MIN(size, bytes.size - start)};
}

int code_fentry(const struct code *code, unsigned int section, uint64_t entry)
{
	const struct abi_kernel *kernel = code->debuginfo->kernel.abi->kernel;
	const struct place *place =
		lower_place(code->call_sites, section, entry + (uint64_t)(int64_t)kernel->first_listed);
	int64_t listed = place ? (int64_t)(place->value - entry) : 0;
	struct span bytes = {NULL, 0};

	if (!place || place->section != section || listed > kernel->last_listed)
		return -1;
	if (listed < 0)
		bytes = code_at(code, section, entry, 4);
	return kernel->call_site((int)listed, bytes.data, bytes.size);
}

const struct debuginfo *code_debuginfo(const struct code *code)
{
	return code->debuginfo;
}

bool code_exported(const struct code *code, const char *name)
{
	return g_hash_table_contains(code->exported, name);
}

bool code_is_init(const struct code *code, unsigned int section, uint64_t value)
{
	const char *name = debuginfo_section_name(code->debuginfo, section);

	if (name)
		return g_str_has_prefix(name, ".init.");
	return value >= code->init.start && value < code->init.end;
}

const GArray *code_reserved(const struct code *code)
{
	return code->reserved;
}
