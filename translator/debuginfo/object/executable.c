// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where the variables of an executable are in the process that runs it.
 *
 * Debuginfo has link-time addresses. The kernel has moved the executable as a whole, and keeps where its first code is;
 * its build-id, which lies in its memory, tells whether it is this executable at all. A thread's own variables lie
 * before the thread pointer (variant II of "ELF Handling For Thread-Local Storage"). None of this is known of a shared
 * library, which the program's own loader has put somewhere.
 */
#include "translator/debuginfo/object/executable.h"

#include <string.h>

#include "translator/util/i18n.h"

static bool is_position_independent_executable(Elf *elf)
{
	GElf_Shdr header;
	Elf_Scn *section = elf_section_by_name(elf, ".dynamic", &header);
	Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
	GElf_Dyn entry;

	for (int i = 0; data && gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; i++)
		if (entry.d_tag == DT_FLAGS_1)
			return entry.d_un.d_val & DF_1_PIE;
	return false;
}

/* The address at which a segment of notes has the bytes of a build-id; 0: it has none. */
static uint64_t find_build_id(Elf *elf, const GElf_Phdr *segment, const char *build_id)
{
	Elf_Data *data = elf_getdata_rawchunk(elf, (int64_t)segment->p_offset, segment->p_filesz,
					      segment->p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
	size_t next, name, bytes;
	GElf_Nhdr note;

	for (size_t at = 0; data && (next = gelf_getnote(data, at, &note, &name, &bytes)) > 0; at = next) {
		g_autofree char *found = note.n_type == NT_GNU_BUILD_ID
						 ? notes_build_id((const char *)data->d_buf + at, next - at)
						 : NULL;

		if (found && !strcmp(found, build_id))
			return segment->p_vaddr + bytes;
	}
	return 0;
}

static void read_segments(Elf *elf, struct executable *executable)
{
	size_t count = 0;
	GElf_Phdr segment;

	if (elf_getphdrnum(elf, &count) != 0)
		return;
	for (size_t i = 0; i < count && gelf_getphdr(elf, (int)i, &segment); i++) {
		uint64_t end = segment.p_vaddr + segment.p_memsz;

		if (segment.p_type == PT_LOAD && segment.p_flags & PF_X && segment.p_vaddr < executable->first_code)
			executable->first_code = segment.p_vaddr;
		if (segment.p_type == PT_NOTE && !executable->id_address)
			executable->id_address = find_build_id(elf, &segment, executable->build_id);
		if (segment.p_type == PT_TLS && segment.p_align) {
			executable->has_threads = true;
			executable->thread_offset = -(int64_t)(segment.p_memsz + (-end & (segment.p_align - 1)));
		}
	}
}

/*
 * A file of debug symbols has the headers of the file that it is of, and the contents of none of its sections of code.
 */
static bool has_debug_symbols_alone(Elf *elf)
{
	GElf_Shdr dynamic;

	return elf_section_by_name(elf, ".dynamic", &dynamic) && dynamic.sh_type == SHT_NOBITS;
}

enum object_kind executable_kind(struct debuginfo *debuginfo)
{
	Elf *elf = debuginfo_code(debuginfo);
	GElf_Ehdr header;

	if (!elf || !gelf_getehdr(elf, &header) || header.e_type == ET_EXEC || has_debug_symbols_alone(elf))
		return OBJECT_EXECUTABLE;
	if (header.e_type == ET_REL)
		return OBJECT_TYPES;
	return is_position_independent_executable(elf) ? OBJECT_EXECUTABLE : OBJECT_LIBRARY;
}

/* Why its variables cannot be found in a process; NULL: they can. */
static const char *check_executable(Elf *elf, struct executable *executable)
{
	if (has_debug_symbols_alone(elf))
		return _("it is a file of debug symbols; name the program that they are of");
	if (!executable->build_id[0])
		return _("it has no build-id to know its processes by; link it with -Wl,--build-id");
	read_segments(elf, executable);
	if (!executable->id_address || executable->first_code == UINT64_MAX)
		return _("its processes have no build-id in their memory; link it with -Wl,--build-id");
	return NULL;
}

const struct executable *executable_read(struct debuginfo *debuginfo)
{
	struct executable *executable = arena_new0(debuginfo->arena, struct executable);
	Elf *elf = debuginfo_code(debuginfo);

	executable->path = debuginfo->named_file;
	executable->build_id = debuginfo->build_id;
	executable->first_code = UINT64_MAX;
	executable->problem = elf ? check_executable(elf, executable) : _("it cannot be read");
	return executable;
}
