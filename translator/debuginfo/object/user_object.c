// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The process view of programs and libraries.
 *
 * Debuginfo has link-time addresses. A process maps the segments of the file, all with the same load bias. So an
 * address corresponds to a file offset, which uprobes use, and the build-id is in memory, which shows whether a process
 * has this object at all. Thread-local variables of the program lie below the thread pointer (variant II of "ELF
 * Handling For Thread-Local Storage"); the dynamic loader places those of libraries at run time (threads.c).
 */
#include "translator/debuginfo/object/user_object.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/checksum.h"
#include "common/base/cleanup.h"
#include "common/base/i18n.h"

static bool dynamic_entry(Elf *elf, int64_t tag, uint64_t *value)
{
	GElf_Shdr header;
	Elf_Scn *section = elf_section_by_name(elf, ".dynamic", &header);
	Elf_Data *data = section && header.sh_type == SHT_DYNAMIC ? elf_getdata(section, NULL) : NULL;
	GElf_Dyn entry;

	for (int i = 0; data && gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; i++) {
		if (entry.d_tag != tag)
			continue;
		*value = entry.d_un.d_val;
		return true;
	}
	return false;
}

static bool has_segment(Elf *elf, unsigned int type)
{
	size_t count = 0;
	GElf_Phdr segment;

	if (elf_getphdrnum(elf, &count) != 0)
		return false;
	for (size_t i = 0; i < count && gelf_getphdr(elf, (int)i, &segment); i++)
		if (segment.p_type == type)
			return true;
	return false;
}

/* Current linkers set DF_1_PIE. Older ones did not, but their executables name a loader and have no soname. */
static bool is_position_independent_executable(Elf *elf)
{
	uint64_t value;

	if (dynamic_entry(elf, DT_FLAGS_1, &value) && value & DF_1_PIE)
		return true;
	return has_segment(elf, PT_INTERP) && !dynamic_entry(elf, DT_SONAME, &value);
}

/*
 * Is it a file of debug symbols? Such a file keeps the headers of the original, but its code sections have no contents.
 */
static bool has_debug_symbols_alone(Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	bool has_code = false;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_flags & SHF_EXECINSTR) {
			if (header.sh_type != SHT_NOBITS)
				return false;
			has_code = true;
		}
	return has_code;
}

bool user_object_has_debug_symbols_alone(struct debuginfo *debuginfo)
{
	Elf *elf = debuginfo_code(debuginfo);

	return elf && has_debug_symbols_alone(elf);
}

enum object_kind user_object_kind(struct debuginfo *debuginfo)
{
	Elf *elf = debuginfo_code(debuginfo);
	GElf_Ehdr header;

	if (!elf || !gelf_getehdr(elf, &header) || header.e_type == ET_EXEC || has_debug_symbols_alone(elf))
		return OBJECT_EXECUTABLE;
	if (header.e_type == ET_REL)
		return OBJECT_TYPES;
	return is_position_independent_executable(elf) ? OBJECT_EXECUTABLE : OBJECT_LIBRARY;
}

/* ---- segments ---- */

static int compare_segments(gconstpointer a, gconstpointer b)
{
	const struct segment *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

static void read_segments(struct debuginfo *debuginfo, Elf *elf)
{
	size_t count = 0, size = 0;
	GElf_Phdr header;

	debuginfo->segments = g_array_new(FALSE, FALSE, sizeof(struct segment));
	if (!elf_rawfile(elf, &size) || elf_getphdrnum(elf, &count) != 0)
		return;
	for (size_t i = 0; i < count && gelf_getphdr(elf, (int)i, &header); i++) {
		struct segment segment = {header.p_vaddr, header.p_offset, header.p_filesz, header.p_flags & PF_X,
					  header.p_flags & PF_W};

		if (header.p_type != PT_LOAD || header.p_offset > size)
			continue;
		segment.size = MIN(segment.size, size - segment.offset);
		g_array_append_val(debuginfo->segments, segment);
	}
	g_array_sort(debuginfo->segments, compare_segments);
}

static const struct segment *segment_at(const struct debuginfo *debuginfo, uint64_t address)
{
	for (guint i = 0; debuginfo->segments && i < debuginfo->segments->len; i++) {
		const struct segment *segment = &g_array_index(debuginfo->segments, struct segment, i);

		if (address >= segment->address && address - segment->address < segment->size)
			return segment;
	}
	return NULL;
}

bool debuginfo_file_offset(const struct debuginfo *debuginfo, uint64_t address, uint64_t *offset)
{
	const struct segment *segment = segment_at(debuginfo, address);

	if (segment)
		*offset = segment->offset + (address - segment->address);
	return segment != NULL;
}

bool debuginfo_address_in_file(const struct debuginfo *debuginfo, uint64_t offset, uint64_t *address)
{
	for (guint i = 0; debuginfo->segments && i < debuginfo->segments->len; i++) {
		const struct segment *segment = &g_array_index(debuginfo->segments, struct segment, i);

		*address = segment->address + (offset - segment->offset);
		if (segment->is_code && offset >= segment->offset && offset - segment->offset < segment->size)
			return true;
	}
	return false;
}

bool user_object_has_code(const struct debuginfo *debuginfo, uint64_t address)
{
	const struct segment *segment = segment_at(debuginfo, address);

	return segment && segment->is_code;
}

struct span user_object_bytes(const struct debuginfo *debuginfo, uint64_t address)
{
	const struct segment *segment = segment_at(debuginfo, address);
	Elf *elf = debuginfo->code.elf ?: debuginfo->debug.elf;
	size_t size = 0;
	const char *bytes = elf ? elf_rawfile(elf, &size) : NULL;
	uint64_t into;

	if (!bytes || !segment || segment->offset + segment->size > size)
		return (struct span){NULL, 0};
	into = address - segment->address;
	return (struct span){(const uint8_t *)bytes + segment->offset + into, segment->size - into};
}

/* ---- probes ---- */

bool user_object_read_instruction(const struct debuginfo *debuginfo, uint64_t address, struct abi_instruction *ret)
{
	struct span bytes = user_object_bytes(debuginfo, address);

	return bytes.size &&
	       debuginfo->kernel.abi->read_instruction(bytes.data, bytes.size, debuginfo->object->is_32_bit, ret);
}

bool user_object_becomes_call(const struct debuginfo *debuginfo, uint64_t address)
{
	const struct abi_kernel *kernel = debuginfo->kernel.abi->kernel;
	struct span bytes;

	if (!kernel->call_nop_size || debuginfo->object->is_32_bit || !debuginfo->kernel.release ||
	    strverscmp(debuginfo->kernel.release, kernel->call_nop_since) < 0)
		return false;
	bytes = user_object_bytes(debuginfo, address);
	return bytes.size >= kernel->call_nop_size && !memcmp(bytes.data, kernel->call_nop, kernel->call_nop_size);
}

const char *user_object_refusal(const struct debuginfo *debuginfo, uint64_t address)
{
	static const char *const refusals[ABI_REFUSAL_COUNT_] = {
		/* others: no refusal */
		[ABI_REFUSED_PREFIX] = N_("the kernel refuses probes on instructions with a lock or segment prefix"),
		[ABI_REFUSED_BRANCH] = N_("the kernel refuses probes on branches with an operand size of 16 bits"),
		[ABI_REFUSED_MASKING] = N_("the kernel refuses probes on instructions that load the stack segment"),
		[ABI_REFUSED_BREAKPOINT] = N_("the program itself has a breakpoint there"),
		[ABI_REFUSED_OPCODE] = N_("the kernel refuses probes on this kind of instruction"),
		[ABI_REFUSED_CALL] = N_("a probe on a system call instruction would break the program"),
		[ABI_REFUSED_FLAGS] = N_("the program would save the single-step flag there and trap later"),
		[ABI_REFUSED_EXCHANGE] = N_("the kernel mistakes this register exchange for a no-op"),
	};
	const struct segment *segment = segment_at(debuginfo, address);
	struct abi_instruction instruction;

	if (!segment || !segment->is_code)
		return _("there is no code");
	if (segment->is_writable)
		return _("the kernel refuses probes on writable code");
	if (!user_object_read_instruction(debuginfo, address, &instruction))
		return _("no instruction begins there");
	return instruction.refusal == ABI_PROBEABLE || user_object_becomes_call(debuginfo, address)
		       ? NULL
		       : _(refusals[instruction.refusal]);
}

/* ---- struct user_object ---- */

static void find_build_id(Elf *elf, const GElf_Phdr *segment, struct user_object *object)
{
	Elf_Data *data = elf_getdata_rawchunk(elf, (int64_t)segment->p_offset, segment->p_filesz,
					      segment->p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
	size_t next, name, bytes;
	GElf_Nhdr note;

	for (size_t at = 0; data && (next = gelf_getnote(data, at, &note, &name, &bytes)) > 0; at = next) {
		g_autofree char *found = note.n_type == NT_GNU_BUILD_ID
						 ? notes_build_id((const char *)data->d_buf + at, next - at)
						 : NULL;

		if (!found || strcmp(found, object->build_id) != 0)
			continue;
		object->id_address = segment->p_vaddr + bytes;
		object->id_offset = segment->p_offset + bytes;
		return;
	}
}

/* Return the offset of a program's thread-local block from the thread pointer. */
static int64_t thread_offset(const struct abi_linking *linking, const GElf_Phdr *segment)
{
	uint64_t align = segment->p_align, end = segment->p_vaddr + segment->p_memsz;

	if (linking->thread_block)
		return (int64_t)((linking->thread_block + align - 1) & ~(align - 1));
	return -(int64_t)(segment->p_memsz + (-end & (align - 1)));
}

static void read_headers(const struct abi_linking *linking, Elf *elf, struct user_object *object)
{
	size_t count = 0;
	GElf_Phdr segment;

	if (elf_getphdrnum(elf, &count) != 0)
		return;
	for (size_t i = 0; i < count && gelf_getphdr(elf, (int)i, &segment); i++) {
		if (segment.p_type == PT_LOAD && segment.p_flags & PF_X && segment.p_vaddr < object->first_code)
			object->first_code = segment.p_vaddr;
		if (segment.p_type == PT_NOTE && !object->id_address)
			find_build_id(elf, &segment, object);
		if (segment.p_type == PT_TLS && segment.p_align) {
			object->has_threads = true;
			object->thread_offset = thread_offset(linking, &segment);
		}
	}
}

/* Does it link a C++ runtime library, or no library at all (so the runtime may be linked statically)? */
static bool may_throw(Elf *elf)
{
	GElf_Shdr header;
	Elf_Scn *section = elf_section_by_name(elf, ".dynamic", &header);
	Elf_Data *data = section && header.sh_type == SHT_DYNAMIC ? elf_getdata(section, NULL) : NULL;
	bool needs_any = false;
	GElf_Dyn entry;

	for (int i = 0; data && gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; i++) {
		const char *name = entry.d_tag == DT_NEEDED ? elf_strptr(elf, header.sh_link, entry.d_un.d_val) : NULL;

		needs_any |= entry.d_tag == DT_NEEDED;
		if (name && (strstr(name, "++") || g_str_has_prefix(name, "libgcc_s")))
			return true;
	}
	return !needs_any;
}

/* Read the object's properties. Return why its variables cannot be found in a process, or NULL. */
static const char *check_object(const struct debuginfo *debuginfo, Elf *elf, struct user_object *object)
{
	GElf_Ehdr header;
	GElf_Shdr section;

	if (has_debug_symbols_alone(elf))
		return _("it has debug symbols only; name the program that they belong to");
	if (gelf_getehdr(elf, &header)) {
		object->is_32_bit = header.e_ident[EI_CLASS] == ELFCLASS32;
		object->is_position_independent = header.e_type == ET_DYN;
		object->entry = header.e_entry;
	}
	object->has_exceptions = elf_section_by_name(elf, ".gcc_except_table", &section) && may_throw(elf);
	read_headers(debuginfo_abi(debuginfo)->linking, elf, object);
	if (!object->build_id[0])
		return _("it has no build-id that identifies its processes; link it with -Wl,--build-id");
	if (!object->id_address || object->first_code == UINT64_MAX)
		return _("its build-id is not in the memory of its processes; link it with -Wl,--build-id");
	return NULL;
}

const struct user_object *user_object_read(struct debuginfo *debuginfo)
{
	struct user_object *object = arena_new0(debuginfo->arena, struct user_object);
	Elf *elf = debuginfo_code(debuginfo);
	g_autofree char *path = sysroot_resolve(&debuginfo->search.sysroot, debuginfo->named_file);

	object->path = debuginfo->name;
	object->real_path = arena_strdup(debuginfo->arena, path ?: debuginfo->named_file);
	object->build_id = debuginfo->build_id;
	object->first_code = UINT64_MAX;
	object->problem = elf ? check_object(debuginfo, elf, object) : _("it cannot be read");
	if (elf)
		read_segments(debuginfo, elf);
	return object;
}

char *user_object_hash(Elf *elf)
{
	uint64_t sum[2] = {0};
	size_t size = 0;
	const char *bytes = elf_rawfile(elf, &size);

	if (bytes)
		checksum_wide(bytes, size, sum);
	return g_strdup_printf("content-%016" PRIx64 "%016" PRIx64 "-%zx", sum[0], sum[1], size);
}
