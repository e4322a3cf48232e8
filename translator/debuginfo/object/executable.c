// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where the variables of an executable are in the process that runs it.
 *
 * Debuginfo has link-time addresses. The kernel has moved the executable as a whole, and keeps where its first code is; its
 * build-id, which lies in its memory, tells whether it is this executable at all. A thread's own variables lie before the
 * thread pointer (variant II of "ELF Handling For Thread-Local Storage"). None of this is known of a shared library, which
 * the program's own loader has put somewhere.
 */
#include "translator/debuginfo/object/executable.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

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

static void read_segments(Elf *elf, struct program *program)
{
	size_t count = 0;
	GElf_Phdr segment;

	if (elf_getphdrnum(elf, &count) != 0)
		return;
	for (size_t i = 0; i < count && gelf_getphdr(elf, (int)i, &segment); i++) {
		uint64_t end = segment.p_vaddr + segment.p_memsz;

		if (segment.p_type == PT_LOAD && segment.p_flags & PF_X && segment.p_vaddr < program->first_code)
			program->first_code = segment.p_vaddr;
		if (segment.p_type == PT_NOTE && !program->id_address)
			program->id_address = find_build_id(elf, &segment, program->build_id);
		if (segment.p_type == PT_TLS && segment.p_align) {
			program->has_threads = true;
			program->thread_offset = -(int64_t)(segment.p_memsz + (-end & (segment.p_align - 1)));
		}
	}
}

/* Why its variables cannot be found in a process; NULL: they can. */
static const char *check_program(Elf *elf, struct program *program)
{
	GElf_Shdr dynamic;
	GElf_Ehdr header;

	if (!gelf_getehdr(elf, &header))
		return _("it cannot be read");
	if (elf_section_by_name(elf, ".dynamic", &dynamic) && dynamic.sh_type == SHT_NOBITS)
		return _("it is a file of debug symbols; name the program that they are of");
	if (header.e_type != ET_EXEC && !is_position_independent_executable(elf))
		return _("it is a shared library, and where a process has that is not known; name an executable");
	if (!program->build_id[0])
		return _("it has no build-id to know its processes by; link it with -Wl,--build-id");
	read_segments(elf, program);
	if (!program->id_address || program->first_code == UINT64_MAX)
		return _("its processes have no build-id in their memory; link it with -Wl,--build-id");
	return NULL;
}

const struct program *program_read(struct debuginfo *debuginfo)
{
	struct program *program = arena_new0(debuginfo->arena, struct program);
	int fd = open(debuginfo->named_file, O_RDONLY | O_CLOEXEC);
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);

	program->path = debuginfo->named_file;
	program->build_id = debuginfo->build_id;
	program->first_code = UINT64_MAX;
	program->problem = elf ? check_program(elf, program) : _("it cannot be read");
	elf_end(elf);
	if (fd >= 0)
		close(fd);
	return program;
}
