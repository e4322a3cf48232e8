// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Kernel images that are the kernel's memory from its first byte on, not an ELF file (Documentation/arch/arm64/
 * booting.rst). The facts about a kernel are found in the image by their magic bytes. An ELF file is written around the
 * image, with the relocations applied that its boot code applies, and with these sections of vmlinux:
 *   - .rodata: the whole image, which holds the kallsyms tables, at the kernel's link-time address;
 *   - .BTF, and .notes with the build-id.
 */
#include "translator/debuginfo/kernel/kernel.h"

#include <elf.h>
#include <string.h>

/* The forms of images, recognized by bytes at an offset. */
static const struct form {
	size_t offset;
	char magic[4] __attribute__((nonstring));
	uint16_t machine;
	uint32_t relative; /* the type of its relocations; their addends are addresses before KASLR */
} forms[] = {
	{0x38, "ARM\x64", EM_AARCH64, R_AARCH64_RELATIVE},
};

enum { NAMES, IMAGE, BTF, NOTES, SECTIONS };

/* Section names, each after a NUL. */
static const char names[] = "\0.shstrtab\0.rodata\0.BTF\0.notes";

/* The beginning of BTF (include/uapi/linux/btf.h): magic, version, flags, and the length of its header. */
static const uint8_t btf_magic[] = {0x9f, 0xeb, 1, 0, 24, 0, 0, 0};
enum { BTF_HEADER = 24 };

/* A note with a build-id of 20 bytes: sizes of name and contents, type, name. */
static const uint8_t id_note[] = {4, 0, 0, 0, 20, 0, 0, 0, NT_GNU_BUILD_ID, 0, 0, 0, 'G', 'N', 'U', 0};
enum { ID_SIZE = 20 };

static const struct form *form_of(struct span image)
{
	for (size_t i = 0; i < G_N_ELEMENTS(forms); i++)
		if (image.size > forms[i].offset + sizeof(forms[i].magic) &&
		    !memcmp(image.data + forms[i].offset, forms[i].magic, sizeof(forms[i].magic)))
			return &forms[i];
	return NULL;
}

bool raw_image_is(struct span image)
{
	return form_of(image);
}

static uint32_t word_at(const uint8_t *bytes)
{
	struct reader reader = {bytes, bytes + 4, false};

	return (uint32_t)read_unsigned(&reader, 4);
}

/* Return the size of the BTF at the beginning of @p bytes; 0 if they are not BTF. */
static size_t btf_size(struct span bytes)
{
	uint64_t types_at, types, strings_at, strings;

	if (bytes.size < BTF_HEADER)
		return 0;
	types_at = word_at(bytes.data + 8);
	types = word_at(bytes.data + 12);
	strings_at = word_at(bytes.data + 16);
	strings = word_at(bytes.data + 20);
	if (types_at || strings_at < types || strings_at + strings > bytes.size - BTF_HEADER || !strings ||
	    bytes.data[BTF_HEADER + strings_at])
		return 0;
	return BTF_HEADER + strings_at + strings;
}

/* Find the largest BTF: the image may contain smaller ones, as data of programs for BPF. */
static struct span find_btf(struct span image)
{
	struct span best = {NULL, 0}, rest = image;
	const uint8_t *found;

	while ((found = memmem(rest.data, rest.size, btf_magic, sizeof(btf_magic)))) {
		size_t size;

		rest = (struct span){found, rest.size - (size_t)(found - rest.data)};
		size = btf_size(rest);
		if (size > best.size)
			best = (struct span){found, size};
		rest = (struct span){rest.data + 1, rest.size - 1};
	}
	return best;
}

/* Return the size of the ELF file at the beginning of @p bytes, up to the end of its section headers; 0: none. */
static size_t file_size(struct span bytes)
{
	Elf64_Ehdr wide;
	Elf32_Ehdr narrow;

	if (bytes.size < sizeof(wide))
		return 0;
	memcpy(&wide, bytes.data, sizeof(wide));
	memcpy(&narrow, bytes.data, sizeof(narrow));
	/*
	 * Code that recognizes ELF files contains the magic bytes, too. The version is at the same place in both
	 * classes.
	 */
	if (wide.e_ident[EI_DATA] != ELFDATA2LSB || wide.e_ident[EI_VERSION] != EV_CURRENT ||
	    wide.e_version != EV_CURRENT)
		return 0;
	if (wide.e_ident[EI_CLASS] == ELFCLASS32)
		return narrow.e_shoff + (size_t)narrow.e_shnum * narrow.e_shentsize;
	return wide.e_shoff + (size_t)wide.e_shnum * wide.e_shentsize;
}

/* Is an address within an ELF file in the image? The vdso is one, with a build-id of its own. */
static bool is_in_file(struct span image, const uint8_t *address)
{
	struct span rest = image;
	const uint8_t *found;

	while ((found = memmem(rest.data, rest.size, ELFMAG, SELFMAG)) && found < address) {
		rest = (struct span){found, image.size - (size_t)(found - image.data)};
		if ((size_t)(address - found) < file_size(rest))
			return true;
		rest = (struct span){rest.data + 1, rest.size - 1};
	}
	return false;
}

static struct span find_note(struct span image)
{
	struct span rest = image;
	const uint8_t *found;

	while ((found = memmem(rest.data, rest.size, id_note, sizeof(id_note)))) {
		rest = (struct span){found, image.size - (size_t)(found - image.data)};
		if (rest.size >= sizeof(id_note) + ID_SIZE && !is_in_file(image, found))
			return (struct span){found, sizeof(id_note) + ID_SIZE};
		rest = (struct span){rest.data + 1, rest.size - 1};
	}
	return (struct span){NULL, 0};
}

/* ---- relocations ---- */

static Elf64_Rela relocation_at(struct span relocations, size_t i)
{
	Elf64_Rela relocation;

	memcpy(&relocation, relocations.data + i * sizeof(relocation), sizeof(relocation));
	return relocation;
}

/* Find the table of the boot code's relocations: the longest run of entries of the type @p relative. */
static struct span find_relocations(struct span image, uint64_t relative)
{
	struct span best = {NULL, 0};

	for (size_t at = 0; at + sizeof(Elf64_Rela) <= image.size;) {
		size_t end = at;

		while (end + sizeof(Elf64_Rela) <= image.size &&
		       relocation_at((struct span){image.data + end, sizeof(Elf64_Rela)}, 0).r_info == relative)
			end += sizeof(Elf64_Rela);
		if (end - at > best.size)
			best = (struct span){image.data + at, end - at};
		at = MAX(end, at + sizeof(uint64_t));
	}
	return best;
}

/*
 * Return the link-time address of the image's first byte. kallsyms has the address of the kernel's first symbol, which
 * is not that byte if only symbols of code are kept: the text begins ALIGNMENT bytes later. If the image has
 * relocations, the word is 0, and its relocation has the address.
 */
static uint64_t find_base(struct span image, struct span relocations, uint64_t lowest_text)
{
	enum { ALIGNMENT = 0x10000 };
	size_t places[2] = {0};
	unsigned int count = kallsyms_base_places(image, lowest_text, places);

	for (unsigned int i = 0; i < count; i++) {
		uint64_t word;

		memcpy(&word, image.data + places[i], sizeof(word));
		if (word >= lowest_text && word % ALIGNMENT == 0)
			return word;
	}
	for (unsigned int i = 0; i < count; i++) {
		for (size_t k = 0; k < relocations.size / sizeof(Elf64_Rela); k++) {
			Elf64_Rela relocation = relocation_at(relocations, k);
			uint64_t base = relocation.r_offset - places[i];

			if (base >= lowest_text && base % ALIGNMENT == 0 &&
			    (uint64_t)relocation.r_addend - base <= ALIGNMENT)
				return base;
		}
	}
	return lowest_text;
}

/* Write the addresses into @p copy of an image that begins at @p base, as its boot code does. */
static void relocate(uint8_t *copy, size_t size, uint64_t base, struct span relocations)
{
	for (size_t i = 0; i < relocations.size / sizeof(Elf64_Rela); i++) {
		Elf64_Rela relocation = relocation_at(relocations, i);
		uint64_t place = relocation.r_offset - base;

		if (place <= size - sizeof(relocation.r_addend))
			memcpy(copy + place, &relocation.r_addend, sizeof(relocation.r_addend));
	}
}

/* ---- the ELF file ---- */

/* Set a section with bytes of the image, which follows the file's header. */
static void put_section(Elf64_Shdr *header, const char *name, unsigned int type, struct span image, struct span bytes)
{
	const char *at = memmem(names, sizeof(names), name, strlen(name) + 1);

	header->sh_name = (Elf64_Word)(at - names);
	header->sh_type = type;
	header->sh_offset = sizeof(Elf64_Ehdr) + (bytes.data ? (size_t)(bytes.data - image.data) : 0);
	header->sh_size = bytes.size;
	header->sh_addralign = 1;
}

char *raw_image_wrap(struct span image, size_t *size)
{
	const struct form *form = form_of(image);
	const struct abi *abi = abi_by_machine(form->machine);
	const size_t name_at = sizeof(Elf64_Ehdr) + image.size, headers_at = (name_at + sizeof(names) + 7) & ~7ul;
	Elf64_Shdr sections[1 + SECTIONS] = {0}, *section = sections + 1;
	Elf64_Ehdr header = {
		.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
		.e_type = ET_EXEC,
		.e_machine = form->machine,
		.e_version = EV_CURRENT,
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_shoff = headers_at,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = 1 + SECTIONS,
		.e_shstrndx = 1 + NAMES,
	};
	const struct span relocations = find_relocations(image, form->relative);
	const uint64_t base = find_base(image, relocations, abi->kernel->lowest_text);
	char *file;

	put_section(&section[NAMES], ".shstrtab", SHT_STRTAB, image, (struct span){NULL, sizeof(names)});
	section[NAMES].sh_offset = name_at;
	put_section(&section[IMAGE], ".rodata", SHT_PROGBITS, image, image);
	section[IMAGE].sh_flags = SHF_ALLOC;
	section[IMAGE].sh_addr = base;
	put_section(&section[BTF], ".BTF", SHT_PROGBITS, image, find_btf(image));
	put_section(&section[NOTES], ".notes", SHT_NOTE, image, find_note(image));
	section[NOTES].sh_addralign = 4;
	*size = headers_at + sizeof(sections);
	file = g_malloc0(*size);
	memcpy(file, &header, sizeof(header));
	memcpy(file + sizeof(header), image.data, image.size);
	relocate((uint8_t *)file + sizeof(header), image.size, base, relocations);
	memcpy(file + name_at, names, sizeof(names));
	memcpy(file + headers_at, sections, sizeof(sections));
	return file;
}
