// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The libdw handle of an opened object, and its DWARF sections as bytes.
 *
 * libdw is started only when a DIE is needed, because queries that the index answers need none.
 */
#include "translator/debuginfo/object/dwarf.h"

#include "common/base/i18n.h"

#define COMPRESSED_BY_ZSTD 2 /* ELFCOMPRESS_ZSTD, which older headers lack */

bool debuginfo_is_relocatable(const struct debuginfo *debuginfo)
{
	GElf_Ehdr header;

	return debuginfo->kind != OBJECT_KERNEL && debuginfo->debug.elf &&
	       gelf_getehdr(debuginfo->debug.elf, &header) && header.e_type == ET_REL;
}

/* Return the reason why libdw found no DWARF in a file that has some. */
static struct error *unreadable_dwarf(const struct debuginfo *debuginfo)
{
	GElf_Shdr header;
	GElf_Chdr compression;
	Elf_Scn *section = elf_section_by_name(debuginfo->debug.elf, ".debug_info", &header);

	if (section && header.sh_flags & SHF_COMPRESSED && gelf_getchdr(section, &compression) &&
	    compression.ch_type != ELFCOMPRESS_ZLIB)
		return error_with_hint(error_new(ERROR_DEBUGINFO,
						 _("cannot use the debuginfo in %s: the installed elfutils does not "
						   "support its compression (%s)"),
						 debuginfo->debug.path,
						 compression.ch_type == COMPRESSED_BY_ZSTD ? "zstd" : _("unknown")),
				       _("decompress it: objcopy --decompress-debug-sections %s COPY"),
				       debuginfo->debug.path);
	return debuginfo_malformed(debuginfo, dwarf_errmsg(-1));
}

/* libdw silently ignores sections that it cannot uncompress. */
static bool is_still_compressed(const struct debuginfo *debuginfo)
{
	GElf_Shdr header;

	return elf_section_by_name(debuginfo->debug.elf, ".debug_info", &header) && header.sh_flags & SHF_COMPRESSED;
}

static int no_separate_debuginfo(Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr base,
				 const char *file, const char *link, GElf_Word checksum, char **debug)
{
	return -1; /* the opened file is the one with the DWARF, so libdwfl must not search for another */
}

static struct error *open_module_dwarf(struct debuginfo *debuginfo)
{
	static const Dwfl_Callbacks callbacks = {
		.find_debuginfo = no_separate_debuginfo,
		.section_address = dwfl_offline_section_address,
	};
	g_autofree char *found = NULL;
	Dwfl_Module *module;
	Dwarf_Addr bias;
	Elf *elf;

	debuginfo->dwfl = dwfl_begin(&callbacks);
	if (!debuginfo->dwfl)
		return debuginfo_malformed(debuginfo, dwfl_errmsg(-1));
	module = dwfl_report_offline(debuginfo->dwfl, debuginfo->name, debuginfo->debug.path, -1);
	dwfl_report_end(debuginfo->dwfl, NULL, NULL);
	debuginfo->dwarf = module ? dwfl_module_getdwarf(module, &bias) : NULL;
	elf = module ? dwfl_module_getelf(module, &bias) : NULL;
	if (!debuginfo->dwarf || !elf)
		return unreadable_dwarf(debuginfo);
	found = elf_build_id(elf);
	if (debuginfo->build_id[0] && g_strcmp0(found, debuginfo->build_id))
		return error_with_hint(error_new(ERROR_DEBUGINFO,
						 _("%s was replaced by another build while stap was reading it"),
						 debuginfo->debug.path),
				       _("run stap again"));
	debuginfo_read_sections(debuginfo, elf); /* again, now with the addresses that libdwfl chose */
	return NULL;
}

static void open_call_frames(struct debuginfo *debuginfo)
{
	Elf *elf = dwarf_getelf(debuginfo->dwarf);

	debuginfo_provide(debuginfo, ".debug_frame");
	debuginfo->cfi = dwarf_getcfi(debuginfo->dwarf);
	if (debuginfo->cfi || debuginfo->object)
		return;
	/*
	 * In a file of debug symbols, .eh_frame has no contents; use the file with the code. In a relocatable file,
	 * .eh_frame is useless, because its addresses are relative and libdwfl relocates only absolute ones.
	 */
	if (!elf_has_contents(elf, ".eh_frame") && !debuginfo_has_sections(debuginfo))
		elf = debuginfo_code(debuginfo) ?: elf;
	debuginfo->cfi = dwarf_getcfi_elf(elf);
	debuginfo->cfi_is_own = debuginfo->cfi != NULL;
}

Dwarf_CFI *debuginfo_call_frames(struct debuginfo *debuginfo)
{
	if (!debuginfo->cfi_tried && debuginfo->dwarf)
		open_call_frames(debuginfo);
	debuginfo->cfi_tried = true;
	return debuginfo->cfi;
}

Dwarf_CFI *debuginfo_code_call_frames(struct debuginfo *debuginfo)
{
	if (!debuginfo->code_cfi && debuginfo->object && debuginfo_code(debuginfo))
		debuginfo->code_cfi = dwarf_getcfi_elf(debuginfo_code(debuginfo));
	return debuginfo->code_cfi;
}

Dwarf *debuginfo_second_dwarf(const struct debuginfo *debuginfo)
{
	return dwarf_begin(debuginfo->debug.fd, DWARF_C_READ);
}

struct error *debuginfo_dwarf(struct debuginfo *debuginfo, Dwarf **ret)
{
	struct error *error;
	Elf *elf;

	if (!debuginfo->dwarf && debuginfo->source->dwarf) {
		error = debuginfo->source->dwarf(debuginfo, &elf);
		if (error)
			return error;
		debuginfo->dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
		if (!debuginfo->dwarf)
			return debuginfo_malformed(debuginfo, dwarf_errmsg(-1));
	} else if (!debuginfo->dwarf && !debuginfo_is_relocatable(debuginfo)) {
		debuginfo->dwarf = dwarf_begin_elf(debuginfo->debug.elf, DWARF_C_READ, NULL);
		/* This is an error even if the cache has an index from a readable copy. */
		if (!debuginfo->dwarf || is_still_compressed(debuginfo))
			return unreadable_dwarf(debuginfo);
		parts_open_split(debuginfo);
	} else if (!debuginfo->dwarf) {
		error = open_module_dwarf(debuginfo);
		if (error)
			return error;
	}
	*ret = debuginfo->dwarf;
	return NULL;
}

void dwarf_close(struct debuginfo *debuginfo)
{
	if (debuginfo->code_cfi)
		dwarf_cfi_end(debuginfo->code_cfi);
	if (debuginfo->cfi_is_own)
		dwarf_cfi_end(debuginfo->cfi);
	if (debuginfo->dwfl) /* owns the module's Dwarf and its CFI */
		dwfl_end(debuginfo->dwfl);
	else if (debuginfo->dwarf)
		dwarf_end(debuginfo->dwarf);
	parts_close(debuginfo);
}

/* Find a section; in the file of a split unit, its name ends with ".dwo". */
static struct span section_of_dwarf(Elf *elf, const char *name)
{
	struct span found = elf_section_span(elf, name);

	if (found.size)
		return found;
	g_autofree char *split = g_strconcat(name, ".dwo", NULL);

	return elf_section_span(elf, split);
}

static struct dwarf_sections find_sections(Dwarf *dwarf, const char *units)
{
	Elf *elf = dwarf_getelf(dwarf);

	return (struct dwarf_sections){
		.info = section_of_dwarf(elf, units),
		.abbrev = section_of_dwarf(elf, ".debug_abbrev"),
		.str = section_of_dwarf(elf, ".debug_str"),
		.line_str = section_of_dwarf(elf, ".debug_line_str"),
		.line = section_of_dwarf(elf, ".debug_line"),
		.addr = section_of_dwarf(elf, ".debug_addr"),
		.str_offsets = section_of_dwarf(elf, ".debug_str_offsets"),
	};
}

struct dwarf_sections dwarf_find_sections(Dwarf *dwarf)
{
	return find_sections(dwarf, ".debug_info");
}

struct dwarf_sections dwarf_find_type_sections(Dwarf *dwarf)
{
	struct dwarf_sections sections = find_sections(dwarf, ".debug_types");

	sections.are_types = true;
	return sections;
}

bool dwarf_section_die(Dwarf *dwarf, bool are_types, uint64_t offset, Dwarf_Die *ret)
{
	return (are_types ? dwarf_offdie_types(dwarf, offset, ret) : dwarf_offdie(dwarf, offset, ret)) != NULL;
}
