// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Code in which the kernel refuses kprobes.
 *
 * register_kprobe() (kernel/kprobes.c, arch/.../kprobes) refuses blacklisted functions, and instructions that the
 * kernel itself patches or knows by address. The tables that it consults at run time are read here from the file:
 *   - .kprobes.text, .noinstr.text, .entry.text, and the functions named by NOKPROBE_SYMBOL with their parts (f.cold);
 *   - thunks of returns and indirect jumps, and the functions that check memory accesses in debug kernels;
 *   - __jump_table: static branches, all bytes of the jump or no-op;
 *   - .static_call_sites: patched calls, five bytes each;
 *   - __bug_table: the address of each BUG() and WARN();
 *   - .altinstructions: all bytes after the first, because patching may put other instructions there;
 *   - __ex_table: instructions whose faults the kernel handles.
 * The entries of the last five are relative to their own address in vmlinux; in a module their relocations are read.
 * The kernel may also look at the instructions: it refuses privileged ones, and those of exclusive accesses. Which of
 * all these apply depends on the architecture (struct abi_kernel).
 */
#include "translator/debuginfo/kernel/code.h"

#include <string.h>

#include "common/base/i18n.h"

#define JUMP_ENTRY_SIZE 16
#define STATIC_CALL_ENTRY_SIZE 8
#define CALL_SIZE 5
#define FIXUP_SIZE 4
#define LONGEST_BRANCH 5

/* struct alt_instr: Linux 6.3 and later have the longer form. Both forms end with two lengths. */
static const size_t alternative_sizes[] = {14, 12};

/* struct bug_entry: Linux 6.19 and later have the longer form, with a pointer to a format. */
static const size_t bug_sizes[] = {16, 12};

/* struct exception_table_entry: Linux 5.16 and later have the longer form on all architectures. */
static const size_t fixup_sizes[] = {12, 8};

/* Instructions to which a table of the kernel or of a module points with the first word of each entry. */
struct site_kind {
	const char *start, *stop; /* symbols of vmlinux around the table */
	const char *section; /* the table's section in a module */
	enum reserved_reason reason;
	size_t site_size; /* bytes; 0: the size of the static branch there */
};

static const struct site_kind jump_labels = {"__start___jump_table", "__stop___jump_table", "__jump_table",
					     RESERVED_JUMP_LABEL, 0};
static const struct site_kind static_calls = {"__start_static_call_sites", "__stop_static_call_sites",
					      ".static_call_sites", RESERVED_STATIC_CALL, CALL_SIZE};
static const struct site_kind bugs = {"__start___bug_table", "__stop___bug_table", "__bug_table", RESERVED_BUG, 1};
static const struct site_kind fixups = {"__start___ex_table", "__stop___ex_table", "__ex_table", RESERVED_FIXUP,
					FIXUP_SIZE};

static void add_range(GArray *ranges, enum reserved_reason reason, unsigned int section, uint64_t start, uint64_t size)
{
	struct code_range range = {start, (uint32_t)MIN(size, UINT32_MAX), (uint16_t)section, (uint16_t)reason};

	if (size)
		g_array_append_val(ranges, range);
}

static const struct abi_kernel *abi_kernel(const struct code *code)
{
	return code_debuginfo(code)->kernel.abi->kernel;
}

/*
 * Add a range, including a landing pad before it, if the kernel moves a probe on the landing pad to the next
 * instruction. @p
 * before: the bytes before the range.
 */
static void add_site(const struct code *code, GArray *ranges, enum reserved_reason reason, unsigned int section,
		     uint64_t start, uint64_t size, struct span before)
{
	const struct abi_kernel *kernel = abi_kernel(code);
	size_t pad = kernel->landing_pad_size;

	if (pad && before.size >= pad && memcmp(before.data, kernel->landing_pad, pad) == 0)
		add_range(ranges, reason, section, start - pad, size + pad);
	else
		add_range(ranges, reason, section, start, size);
}

/* Return the bytes before an address of the kernel in which a landing pad can be. */
static struct span bytes_before(const struct code *code, uint64_t address)
{
	return code_bytes(code, address - abi_kernel(code)->landing_pad_size, address);
}

/* ---- vmlinux ---- */

struct kernel_table {
	uint64_t start; /* link-time address */
	struct span bytes;
};

static struct kernel_table kernel_table(const struct code *code, const char *start_symbol, const char *end_symbol)
{
	struct kernel_table table = {0};
	uint64_t end;

	if (code_symbol_value(code, start_symbol, &table.start) && code_symbol_value(code, end_symbol, &end) &&
	    end > table.start)
		table.bytes = code_bytes(code, table.start, end);
	return table;
}

/* Return the target of the self-relative 32-bit word at @p offset. */
static uint64_t relative_target(const struct kernel_table *table, size_t offset)
{
	int32_t distance;

	memcpy(&distance, table->bytes.data + offset, sizeof(distance));
	return table->start + offset + (uint64_t)(int64_t)distance;
}

static void add_kernel_sites(const struct code *code, GArray *ranges, const struct site_kind *kind, size_t entry_size)
{
	struct kernel_table table = kernel_table(code, kind->start, kind->stop);

	for (size_t i = 0; i + entry_size <= table.bytes.size; i += entry_size) {
		uint64_t address = relative_target(&table, i);
		struct span bytes = code_bytes(code, address, address + LONGEST_BRANCH);

		add_site(code, ranges, kind->reason, 0, address,
			 kind->site_size ?: abi_kernel(code)->static_branch_size(bytes.data, bytes.size),
			 bytes_before(code, address));
	}
}

/* Do the entries have this size? Then all second words point into the replacements. */
static bool is_alternative_size(const struct kernel_table *table, size_t size, const struct kernel_table *replacements)
{
	if (table->bytes.size % size)
		return false;
	for (size_t i = 0; i < table->bytes.size; i += size) {
		uint64_t target = relative_target(table, i + 4);

		if (target < replacements->start || target > replacements->start + replacements->bytes.size)
			return false;
	}
	return true;
}

static void add_kernel_alternatives(const struct code *code, GArray *ranges)
{
	struct kernel_table table = kernel_table(code, "__alt_instructions", "__alt_instructions_end");
	struct kernel_table replacements = {0};

	replacements.bytes = code_section(code, ".altinstr_replacement", &replacements.start);
	for (size_t n = 0; n < G_N_ELEMENTS(alternative_sizes); n++) {
		size_t size = alternative_sizes[n];

		if (!is_alternative_size(&table, size, &replacements))
			continue;
		for (size_t i = 0; i < table.bytes.size; i += size) {
			uint8_t length = table.bytes.data[i + size - 2];

			add_range(ranges, RESERVED_ALTERNATIVE, 0, relative_target(&table, i) + 1,
				  length ? length - 1 : 0);
		}
		return;
	}
}

/* Count the entries of a table that point to the instruction of BUG(), assuming this entry size. */
static size_t count_undefined(const struct code *code, const struct kernel_table *table, size_t size)
{
	const struct abi_kernel *kernel = abi_kernel(code);
	size_t count = 0;

	for (size_t i = 0; i + size <= table->bytes.size; i += size) {
		uint64_t address = relative_target(table, i);
		struct span bytes = code_bytes(code, address, address + kernel->bug_size);

		count += bytes.size >= kernel->bug_size && memcmp(bytes.data, kernel->bug, kernel->bug_size) == 0;
	}
	return count;
}

/*
 * Return the size of the entries, or 0 if no known size fits. With the right size, most entries point to a BUG(). The
 * others are warnings with a text in newer kernels, which point to code that prepares a call.
 */
static size_t kernel_bug_size(const struct code *code, const struct kernel_table *table)
{
	for (size_t n = 0; n < G_N_ELEMENTS(bug_sizes); n++)
		if (table->bytes.size % bug_sizes[n] == 0 &&
		    count_undefined(code, table, bug_sizes[n]) > table->bytes.size / bug_sizes[n] / 2)
			return bug_sizes[n];
	return 0;
}

static void add_kernel_bugs(const struct code *code, GArray *ranges)
{
	struct kernel_table table = kernel_table(code, bugs.start, bugs.stop);
	size_t size = kernel_bug_size(code, &table);

	if (size)
		add_kernel_sites(code, ranges, &bugs, size);
}

/* Add the code between two symbols, if the kernel has them. */
static void add_between(const struct code *code, GArray *ranges, const char *const symbols[2])
{
	uint64_t start, end;

	if (code_symbol_value(code, symbols[0], &start) && code_symbol_value(code, symbols[1], &end) && end > start)
		add_range(ranges, RESERVED_FUNCTION, 0, start, end - start);
}

/* Return the size of the entries of the exception table, which point to code with their first word; 0 if none fits. */
static size_t fixup_size(const struct code *code, const struct kernel_table *table)
{
	for (size_t n = 0; n < G_N_ELEMENTS(fixup_sizes); n++) {
		size_t size = fixup_sizes[n], i = 0;

		while (i + size <= table->bytes.size &&
		       code_bytes(code, relative_target(table, i), relative_target(table, i) + 4).size)
			i += size;
		if (i == table->bytes.size)
			return size;
	}
	return 0;
}

static void add_kernel_fixups(const struct code *code, GArray *ranges)
{
	struct kernel_table table = kernel_table(code, fixups.start, fixups.stop);
	size_t size = abi_kernel(code)->refuses_fixups ? fixup_size(code, &table) : 0;

	if (size)
		add_kernel_sites(code, ranges, &fixups, size);
}

static void add_kernel_sections(const struct code *code, GArray *ranges)
{
	static const char *const sections[][2] = {{"__kprobes_text_start", "__kprobes_text_end"},
						  {"__noinstr_text_start", "__noinstr_text_end"},
						  {"__entry_text_start", "__entry_text_end"}};
	const char *const(*others)[2] = abi_kernel(code)->text_ranges;

	for (size_t i = 0; i < G_N_ELEMENTS(sections); i++)
		add_between(code, ranges, sections[i]);
	for (; others && **others; others++)
		add_between(code, ranges, *others);
}

void reserved_add_kernel(const struct code *code, GArray *ranges)
{
	add_kernel_sections(code, ranges);
	add_kernel_sites(code, ranges, &jump_labels, JUMP_ENTRY_SIZE);
	if (abi_kernel(code)->patches_calls)
		add_kernel_sites(code, ranges, &static_calls, STATIC_CALL_ENTRY_SIZE);
	add_kernel_bugs(code, ranges);
	add_kernel_fixups(code, ranges);
	if (abi_kernel(code)->alternatives_move)
		add_kernel_alternatives(code, ranges);
}

/* ---- a module ---- */

/* A table of a module and its relocations. */
struct module_table {
	const struct code *code;
	Elf *elf;
	Elf_Data *relocations, *symbols, *bytes;
	size_t count;
};

static bool open_module_table(const struct code *code, Elf *elf, const char *name, struct module_table *table)
{
	g_autofree char *rela = g_strconcat(".rela", name, NULL);
	GElf_Shdr header, other;
	Elf_Scn *section = elf_section_by_name(elf, rela, &header);
	Elf_Scn *contents = elf_section_by_name(elf, name, &other);
	Elf_Scn *symbols;

	if (!section || header.sh_type != SHT_RELA || !header.sh_entsize)
		return false;
	symbols = elf_getscn(elf, header.sh_link);
	*table = (struct module_table){
		.code = code,
		.elf = elf,
		.relocations = elf_getdata(section, NULL),
		.symbols = symbols ? elf_getdata(symbols, NULL) : NULL,
		.bytes = contents ? elf_rawdata(contents, NULL) : NULL,
	};
	table->count = table->relocations ? table->relocations->d_size / header.sh_entsize : 0;
	return table->symbols;
}

/* Return the bytes at an address of the module's code; empty in a file of debug symbols. */
static struct span module_bytes(Elf *elf, size_t section_index, uint64_t offset)
{
	Elf_Scn *section = elf_getscn(elf, section_index);
	Elf_Data *data = section ? elf_rawdata(section, NULL) : NULL;

	if (!data || !data->d_buf || offset >= data->d_size)
		return (struct span){NULL, 0};
	return (struct span){(const uint8_t *)data->d_buf + offset, data->d_size - offset};
}

struct module_site {
	unsigned int section;
	uint64_t value;
	struct span bytes, before;
};

/* Find the target of relocation @p number of the table. Return false if it is not for the first word of an entry. */
static bool module_site(const struct module_table *table, size_t number, size_t entry_size, struct module_site *site,
			uint64_t *entry)
{
	size_t pad = abi_kernel(table->code)->landing_pad_size;
	GElf_Rela relocation;
	GElf_Sym symbol;
	int section;

	if (!gelf_getrela(table->relocations, (int)number, &relocation) || relocation.r_offset % entry_size ||
	    !gelf_getsym(table->symbols, (int)GELF_R_SYM(relocation.r_info), &symbol))
		return false;
	section = code_symbol_section(table->code, &symbol);
	if (section < 0)
		return false;
	site->section = (unsigned int)section;
	site->value = symbol.st_value + (uint64_t)relocation.r_addend;
	site->bytes = module_bytes(table->elf, symbol.st_shndx, site->value);
	site->before = site->value >= pad ? module_bytes(table->elf, symbol.st_shndx, site->value - pad)
					  : (struct span){NULL, 0};
	*entry = relocation.r_offset;
	return true;
}

static void add_module_sites(const struct code *code, Elf *elf, GArray *ranges, const struct site_kind *kind,
			     size_t entry_size)
{
	struct module_table table;
	struct module_site site;
	uint64_t entry;

	if (!open_module_table(code, elf, kind->section, &table))
		return;
	for (size_t i = 0; i < table.count; i++)
		if (module_site(&table, i, entry_size, &site, &entry))
			add_site(code, ranges, kind->reason, site.section, site.value,
				 kind->site_size
					 ?: abi_kernel(code)->static_branch_size(site.bytes.data, site.bytes.size),
				 site.before);
}

/* Return the size of an entry, or 0 if no known size fits. Each entry has two relocations. */
static size_t module_alternative_size(const struct module_table *table)
{
	for (size_t n = 0; n < G_N_ELEMENTS(alternative_sizes); n++)
		if (table->bytes && table->bytes->d_buf && table->count &&
		    table->bytes->d_size == table->count / 2 * alternative_sizes[n])
			return alternative_sizes[n];
	return 0;
}

static void add_module_alternatives(const struct code *code, Elf *elf, GArray *ranges)
{
	struct module_table table;
	struct module_site site;
	uint64_t entry;
	size_t size;

	if (!open_module_table(code, elf, ".altinstructions", &table))
		return;
	size = module_alternative_size(&table);
	for (size_t i = 0; size && i < table.count; i++) {
		uint8_t length;

		if (!module_site(&table, i, size, &site, &entry) || entry + size > table.bytes->d_size)
			continue;
		length = ((const uint8_t *)table.bytes->d_buf)[entry + size - 2];
		add_range(ranges, RESERVED_ALTERNATIVE, site.section, site.value + 1, length ? length - 1 : 0);
	}
}

/*
 * Return the size of an entry, or 0 if no known size fits. The last word of an entry (line and flags) has no
 * relocation.
 */
static size_t module_bug_size(const struct module_table *table)
{
	for (size_t n = 0; table->bytes && n < G_N_ELEMENTS(bug_sizes); n++) {
		size_t size = bug_sizes[n], i = 0;
		GElf_Rela relocation;

		while (i < table->count && gelf_getrela(table->relocations, (int)i, &relocation) &&
		       relocation.r_offset % size != size - sizeof(uint32_t))
			i++;
		if (i == table->count && table->bytes->d_size % size == 0)
			return size;
	}
	return 0;
}

static void add_module_bugs(const struct code *code, Elf *elf, GArray *ranges)
{
	struct module_table table;
	size_t size = open_module_table(code, elf, bugs.section, &table) ? module_bug_size(&table) : 0;

	if (size)
		add_module_sites(code, elf, ranges, &bugs, size);
}

/* Each entry has two relocations, for the instruction and the fixup. */
static size_t module_fixup_size(const struct module_table *table)
{
	for (size_t n = 0; n < G_N_ELEMENTS(fixup_sizes); n++)
		if (table->bytes && table->count && table->bytes->d_size == table->count / 2 * fixup_sizes[n])
			return fixup_sizes[n];
	return 0;
}

static void add_module_fixups(const struct code *code, Elf *elf, GArray *ranges)
{
	struct module_table table;
	size_t size = open_module_table(code, elf, fixups.section, &table) ? module_fixup_size(&table) : 0;

	if (size)
		add_module_sites(code, elf, ranges, &fixups, size);
}

static void add_module_sections(const struct debuginfo *debuginfo, GArray *ranges)
{
	static const char *const sections[] = {".kprobes.text", ".noinstr.text", ".entry.text"};

	for (size_t i = 0; i < G_N_ELEMENTS(sections); i++) {
		int number = debuginfo_section_number(debuginfo, sections[i]);

		if (number > 0)
			add_range(ranges, RESERVED_FUNCTION, (unsigned int)number, 0,
				  g_array_index(debuginfo->sections, struct section, number).size);
	}
}

void reserved_add_module(const struct code *code, const struct debuginfo *debuginfo, Elf *elf, GArray *ranges)
{
	add_module_sections(debuginfo, ranges);
	add_module_sites(code, elf, ranges, &jump_labels, JUMP_ENTRY_SIZE);
	if (abi_kernel(code)->patches_calls)
		add_module_sites(code, elf, ranges, &static_calls, STATIC_CALL_ENTRY_SIZE);
	add_module_bugs(code, elf, ranges);
	if (abi_kernel(code)->refuses_fixups)
		add_module_fixups(code, elf, ranges);
	if (abi_kernel(code)->alternatives_move)
		add_module_alternatives(code, elf, ranges);
}

/* ---- the blacklist ---- */

/* Return the number of bytes from a symbol to the next address that has one; after the last, its size. */
static uint64_t symbol_extent(const GArray *symbols, guint number)
{
	const struct code_symbol *symbol = &g_array_index(symbols, struct code_symbol, number);

	for (guint i = number + 1; i < symbols->len; i++) {
		const struct code_symbol *next = &g_array_index(symbols, struct code_symbol, i);

		if (next->section != symbol->section)
			break;
		if (next->value > symbol->value)
			return next->value - symbol->value;
	}
	return MAX(symbol->size, 1);
}

/* Return the size of a symbol; if the table has none, up to the next symbol, as in kallsyms. */
static uint64_t symbol_size(const GArray *symbols, guint number)
{
	return g_array_index(symbols, struct code_symbol, number).size ?: symbol_extent(symbols, number);
}

/*
 * Code through which indirect jumps, returns or entries go (arch/x86/lib/retpoline.S and others). The kernel accepts
 * probes in some of it, but their handlers would hit them again. For the code after srso_alias_safe_ret, which has no
 * symbols for a megabyte, it decodes all of that, for half a minute.
 */
static const char *const thunks[] = {"__x86_indirect_", "__x86_return_",     "srso_",		"retbleed_",
				     "zen_untrain_ret", "entry_untrain_ret", "its_return_",	"clear_bhb_loop",
				     "entry_ibpb",	"write_ibpb",	     "warn_thunk_thunk"};

/*
 * Functions that compilers and headers call before memory accesses in debug kernels (mm/kasan, mm/kmsan, kernel/kcsan,
 * kernel/kcov.c). The breakpoint handler makes such accesses before it identifies the probe, and would hit it again
 * without end. The kernel does not blacklist them.
 */
static const char *const access_checks[] = {"__asan_",	"__hwasan_", "kasan_check_",	"__kasan_check_",
					    "__msan_",	"__kmsan_",  "kmsan_",		"__tsan_",
					    "__kcsan_", "kcsan_",    "__sanitizer_cov_"};

static bool has_prefix(const char *name, const char *const *prefixes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (g_str_has_prefix(name, prefixes[i]))
			return true;
	return false;
}

static bool runs_in_handlers(const char *name)
{
	return has_prefix(name, thunks, G_N_ELEMENTS(thunks)) ||
	       has_prefix(name, access_checks, G_N_ELEMENTS(access_checks));
}

void reserved_add_functions(const struct code *code, GHashTable *names, GArray *ranges)
{
	const GArray *symbols = code_symbols(code);

	for (guint i = 0; i < symbols->len; i++) {
		const struct code_symbol *symbol = &g_array_index(symbols, struct code_symbol, i);
		size_t length = strcspn(symbol->name, ".");
		g_autofree char *name = symbol->name[length] ? g_strndup(symbol->name, length) : NULL;

		if (g_hash_table_contains(names, name ? name : symbol->name))
			add_range(ranges, RESERVED_FUNCTION, symbol->section, symbol->value, symbol_size(symbols, i));
		else if (runs_in_handlers(symbol->name))
			add_range(ranges, RESERVED_IN_HANDLERS, symbol->section, symbol->value,
				  symbol_size(symbols, i));
	}
}

/* ---- instructions ---- */

/* Add the instructions of a function on which probes are refused. */
static void add_instructions(const struct code *code, GArray *ranges, const struct code_symbol *function,
			     struct span bytes)
{
	const struct abi *abi = code_debuginfo(code)->kernel.abi;
	struct abi_instruction instruction;
	uint64_t end_of_refusal = 0;

	for (size_t at = 0; abi->read_instruction(bytes.data + at, bytes.size - at, false, &instruction);
	     at += instruction.size) {
		if (instruction.refusal)
			add_range(ranges, RESERVED_INSTRUCTION, function->section, function->value + at,
				  instruction.size);
		else if (at < end_of_refusal)
			add_range(ranges, RESERVED_EXCLUSIVE, function->section, function->value + at,
				  instruction.size);
		if (instruction.begins_exclusive)
			end_of_refusal = at + instruction.size + abi->kernel->exclusive_size;
		else if (instruction.ends_exclusive)
			end_of_refusal = 0;
	}
}

void reserved_add_instructions(const struct code *code, GArray *ranges)
{
	const GArray *symbols = code_symbols(code);
	const struct code_symbol *last = NULL;

	for (guint i = 0; abi_kernel(code)->exclusive_size && i < symbols->len; i++) {
		const struct code_symbol *function = &g_array_index(symbols, struct code_symbol, i);

		if (!function->is_function ||
		    (last && last->section == function->section && last->value == function->value))
			continue;
		last = function;
		/* Not up to the symbol's size: after it, there can be code without a name. */
		add_instructions(code, ranges, function,
				 code_at(code, function->section, function->value, symbol_extent(symbols, i)));
	}
}

/* ---- order ---- */

static int compare_ranges(gconstpointer a, gconstpointer b)
{
	const struct code_range *x = a, *y = b;

	if (x->section != y->section)
		return x->section < y->section ? -1 : 1;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->reason - y->reason;
}

static uint64_t range_end(const struct code_range *range)
{
	return range->start + range->size;
}

/* Remove from @p range what @p last covers, which begins before it or with it. */
static void clip(struct code_range *range, const struct code_range *last)
{
	uint64_t start = MAX(range->start, range_end(last));

	range->size = range_end(range) > start ? (uint32_t)(range_end(range) - start) : 0;
	range->start = start;
}

void reserved_sort(GArray *ranges)
{
	guint kept = 0;

	g_array_sort(ranges, compare_ranges);
	for (guint i = 0; i < ranges->len; i++) {
		struct code_range range = g_array_index(ranges, struct code_range, i);
		struct code_range *last = kept ? &g_array_index(ranges, struct code_range, kept - 1) : NULL;
		bool touches = last && last->section == range.section && range_end(last) >= range.start;

		if (touches)
			clip(&range, last);
		if (touches && last->reason == range.reason)
			last->size += range.size;
		else if (range.size)
			g_array_index(ranges, struct code_range, kept++) = range;
	}
	g_array_set_size(ranges, kept);
}

const struct code_range *reserved_find(const struct code_range *ranges, uint64_t count, unsigned int section,
				       uint64_t value)
{
	uint64_t low = 0, high = count;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;
		const struct code_range *range = &ranges[middle];

		if (range->section < section || (range->section == section && range_end(range) <= value))
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && ranges[low].section == section && ranges[low].start <= value ? &ranges[low] : NULL;
}

const char *reserved_text(enum reserved_reason reason)
{
	static const char *const texts[] = {
		[RESERVED_FUNCTION] = N_("the kernel refuses probes in noinstr, nokprobe and entry code"),
		[RESERVED_IN_HANDLERS] = N_("it runs in the handlers of probes"),
		[RESERVED_JUMP_LABEL] = N_("it is a jump label, which the kernel patches when a static key changes"),
		[RESERVED_STATIC_CALL] = N_("it is a static call, which the kernel patches"),
		[RESERVED_BUG] = N_("it is the trap of a BUG() or WARN()"),
		[RESERVED_FIXUP] = N_("the kernel handles the faults of this instruction"),
		[RESERVED_ALTERNATIVE] = N_("the kernel replaces these instructions (alternatives)"),
		[RESERVED_EXCLUSIVE] = N_("the kernel refuses probes shortly after an exclusive or acquiring load"),
		[RESERVED_INSTRUCTION] = N_("the kernel refuses probes on this kind of instruction"),
	};

	return reason < G_N_ELEMENTS(texts) ? _(texts[reason]) : texts[0];
}
