// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Marks: static probes that a program gets from the macros of <sys/sdt.h>.
 *
 * A mark is a no-op in the code and a note in the section .note.stapsdt, version 3. The note has the addresses of the
 * no-op, of the section .stapsdt.base and of the semaphore, a counter of active probes (0: none). Then it has the names
 * of provider and mark, and the arguments as assembler operands (operands.c). The notes are not loaded, so tools that
 * relocate a program (prelink) do not update them. They do move .stapsdt.base, whose address shows the distance.
 */
#include "translator/debuginfo/object/object.h"
#include "translator/debuginfo/object/user_object.h"
#include "translator/debuginfo/user/operands.h"

#include <fnmatch.h>
#include <string.h>

#define NOTE_TYPE 3

struct note {
	uint64_t address, base, semaphore;
	const char *provider, *name, *arguments;
};

static Elf *notes_file(struct debuginfo *debuginfo)
{
	Elf *code = debuginfo_code(debuginfo);

	return elf_has_contents(code, ".note.stapsdt") ? code : debuginfo->debug.elf;
}

static bool read_note(const struct debuginfo *debuginfo, struct span description, struct note *ret)
{
	struct reader reader = {description.data, description.data + description.size, false};
	unsigned int word = debuginfo->object->is_32_bit ? 4 : 8;

	ret->address = read_unsigned(&reader, word);
	ret->base = read_unsigned(&reader, word);
	ret->semaphore = read_unsigned(&reader, word);
	ret->provider = read_string(&reader);
	ret->name = read_string(&reader);
	ret->arguments = read_string(&reader);
	return !reader.bad;
}

/* Return the address for the probe: the kernel may replace a second no-op by a call, or the address of the first. */
static uint64_t probed_address(const struct debuginfo *debuginfo, uint64_t address)
{
	struct abi_instruction first;

	return user_object_read_instruction(debuginfo, address, &first) &&
			       user_object_becomes_call(debuginfo, address + first.size)
		       ? address + first.size
		       : address;
}

static void add_mark(struct debuginfo *debuginfo, const struct note *note, uint64_t moved, GPtrArray *ret)
{
	struct mark *mark = arena_new0(debuginfo->arena, struct mark);

	*mark = (struct mark){
		.provider = note->provider,
		.name = note->name,
		.address = note->address + moved,
		.probed_address = probed_address(debuginfo, note->address + moved),
		.semaphore = note->semaphore ? note->semaphore + moved : 0,
		.argument_text = note->arguments,
		.arguments = operands_read(debuginfo, note->arguments),
	};
	if (mark->semaphore)
		debuginfo_file_offset(debuginfo, mark->semaphore, &mark->semaphore_offset);
	g_ptr_array_add(ret, mark);
}

/* Replace "-" by "__", because users write "a-b" for the mark a__b; within brackets, "-" is a range. */
static char *with_underscores(const char *glob)
{
	GString *text = g_string_new(NULL);
	bool in_brackets = false;

	for (const char *next = glob; *next; next++) {
		in_brackets = *next == '[' || (in_brackets && *next != ']');
		if (*next == '-' && !in_brackets)
			g_string_append(text, "__");
		else
			g_string_append_c(text, *next);
	}
	return g_string_free(text, FALSE);
}

struct error *debuginfo_marks(struct debuginfo *debuginfo, const char *provider, const char *name, GPtrArray *ret)
{
	g_autofree char *other_name = with_underscores(name);
	Elf *elf = notes_file(debuginfo);
	GElf_Shdr header, base;
	Elf_Scn *section = elf_section_by_name(elf, ".note.stapsdt", &header);
	Elf_Data *data = section && header.sh_type == SHT_NOTE ? elf_getdata(section, NULL) : NULL;
	bool has_base = elf_section_by_name(debuginfo_code(debuginfo), ".stapsdt.base", &base);
	size_t next, owner, description;
	GElf_Nhdr note;

	for (size_t at = 0; data && (next = gelf_getnote(data, at, &note, &owner, &description)) > 0; at = next) {
		const uint8_t *bytes = data->d_buf;
		struct note found;

		if (note.n_type != NOTE_TYPE || note.n_namesz != sizeof("stapsdt") ||
		    memcmp(bytes + owner, "stapsdt", sizeof("stapsdt")) != 0 ||
		    !read_note(debuginfo, (struct span){bytes + description, note.n_descsz}, &found) ||
		    fnmatch(provider, found.provider, 0) != 0 ||
		    (fnmatch(name, found.name, 0) != 0 && fnmatch(other_name, found.name, 0) != 0))
			continue;
		add_mark(debuginfo, &found, has_base && found.base ? base.sh_addr - found.base : 0, ret);
	}
	return NULL;
}
