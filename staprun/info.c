// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Read a module file before it is loaded.
 *
 * Three sections matter:
 * - .spile.info has NUL-terminated "key=value" strings: the kernel, and the build-ids that the addresses belong to.
 * - .gnu.linkonce.this_module is the initial struct module, which holds the name that the kernel will use.
 * - .modinfo has the name again.
 *
 * The file comes from the user and this program may be set-uid, so nothing in it is trusted. The bytes of a section are
 * used only after a check that they lie inside the image. Each string must end inside its section,
 * and names are limited to characters that cannot form a path.
 *
 * The offset of the name inside struct module depends on the kernel's configuration, such as structure randomization.
 * But the initial structure is all zero bytes apart from the name, because pointers are relocations. So the name is the
 * first nonzero string in it; .modinfo must agree.
 */
#include "staprun/info.h"

#include <ctype.h>
#include <elf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"

#if defined(__x86_64__)
#define NATIVE_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define NATIVE_MACHINE EM_AARCH64
#else
#define NATIVE_MACHINE EM_NONE
#endif

/* The group that a module without a "privilege" fact was built for. */
#define WITHOUT_PRIVILEGE "stapdev"

struct span {
	const char *data; /* NULL: the file has no such section */
	size_t size;
};

struct sections {
	struct span info, this_module, modinfo;
};

int info_name_is_valid(const char *name)
{
	return *name && strlen(name) < INFO_NAME_SIZE &&
	       !name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")];
}

static bool section_is_valid(const char *name)
{
	/* "." and ".." would be directories of sysfs. */
	return *name && strlen(name) < INFO_SECTION_SIZE && strcmp(name, ".") && strcmp(name, "..") &&
	       !name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.$")];
}

/* Check that a text to be printed contains nothing that a terminal interprets. */
static bool is_printable(const char *text)
{
	while (*text >= ' ' && *text < 0x7f)
		text++;
	return !*text;
}

static struct error *malformed(const char *what)
{
	return error_new(ERROR_UNSUPPORTED, _("the module file is damaged: %s"), what);
}

/* ---- finding the sections -------------------------------------------------------------------------------------- */

static bool is_inside(uint64_t offset, uint64_t length, size_t size)
{
	return offset <= size && length <= size - offset;
}

/* Return a header of the table of sections, which is inside the image, but may not be aligned. */
static Elf64_Shdr section_at(const char *image, const Elf64_Ehdr *header, unsigned int number)
{
	Elf64_Shdr section;

	memcpy(&section, image + header->e_shoff + number * sizeof(section), sizeof(section));
	return section;
}

/* Find the names of sections. The kernel's own loader does not support more sections than e_shnum can count, either. */
static struct error *find_names(const char *image, size_t size, const Elf64_Ehdr *header, struct span *names)
{
	Elf64_Shdr section;

	if (header->e_shentsize != sizeof(section) || header->e_shstrndx >= header->e_shnum)
		return malformed(_("it has no valid table of sections"));
	section = section_at(image, header, header->e_shstrndx);
	if (section.sh_type != SHT_STRTAB || !is_inside(section.sh_offset, section.sh_size, size) || !section.sh_size ||
	    image[section.sh_offset + section.sh_size - 1])
		return malformed(_("its sections have no names"));
	*names = (struct span){image + section.sh_offset, section.sh_size};
	return NULL;
}

static struct span *span_of_section(struct sections *found, const char *name)
{
	if (!strcmp(name, ".spile.info"))
		return &found->info;
	if (!strcmp(name, ".gnu.linkonce.this_module"))
		return &found->this_module;
	return strcmp(name, ".modinfo") ? NULL : &found->modinfo;
}

static struct error *find_sections(const char *image, size_t size, const Elf64_Ehdr *header, struct sections *found)
{
	struct span names = {NULL, 0};
	struct error *error = find_names(image, size, header, &names);

	for (unsigned int i = 1; i < header->e_shnum && !error; i++) {
		const Elf64_Shdr section = section_at(image, header, i);
		struct span *span;

		if (section.sh_name >= names.size)
			return malformed(_("a section has no name"));
		span = span_of_section(found, names.data + section.sh_name);
		if (!span)
			continue;
		if (section.sh_type == SHT_NOBITS || !is_inside(section.sh_offset, section.sh_size, size))
			return malformed(_("a section extends beyond the end of the file"));
		if (span->data)
			return malformed(_("a section appears twice"));
		*span = (struct span){image + section.sh_offset, section.sh_size};
	}
	return error;
}

/* ---- the module's name ----------------------------------------------------------------------------------------- */

static const char *modinfo_name(const struct span *modinfo)
{
	size_t at = 0;

	while (at < modinfo->size) {
		size_t length = strnlen(modinfo->data + at, modinfo->size - at);

		if (length == modinfo->size - at)
			return NULL; /* not terminated */
		if (length > 5 && !memcmp(modinfo->data + at, "name=", 5))
			return modinfo->data + at + 5;
		at += length + 1;
	}
	return NULL;
}

static struct error *read_name(const char *image, const struct sections *found, struct module_info *info)
{
	const struct span *span = &found->this_module;
	const char *again = modinfo_name(&found->modinfo);
	size_t at = 0, length;

	if (!span->data)
		return malformed(_("it has no section .gnu.linkonce.this_module; is it a kernel module?"));
	while (at < span->size && !span->data[at])
		at++;
	length = strnlen(span->data + at, span->size - at);
	if (length == span->size - at || length >= INFO_NAME_SIZE)
		return malformed(_("it has no valid module name"));
	memcpy(info->name, span->data + at, length + 1);
	if (!info_name_is_valid(info->name))
		return malformed(_("the module's name has characters other than letters, digits, '_' and '-'"));
	if (again && strcmp(again, info->name))
		return malformed(_("it has two different module names"));
	info->name_offset = span->data + at - image;
	info->name_room = span->size - at < INFO_NAME_SIZE ? span->size - at : INFO_NAME_SIZE;
	info->modinfo_name_offset = again ? (size_t)(again - image) : 0;
	return NULL;
}

struct error *info_rename(char *image, struct module_info *info, const char *name)
{
	size_t length = strlen(name), old = strlen(info->name);

	if (length >= info->name_room)
		return error_new(ERROR_OTHER, _("cannot rename module %s: the name %s is too long"), info->name, name);
	memset(image + info->name_offset, 0, old);
	memcpy(image + info->name_offset, name, length);
	/*
	 * The kernel uses the name in struct module; .modinfo only supplies the name in log messages. It cannot grow.
	 */
	if (info->modinfo_name_offset && length <= old) {
		memset(image + info->modinfo_name_offset, 0, old);
		memcpy(image + info->modinfo_name_offset, name, length);
	}
	strcpy(info->name, name);
	return NULL;
}

/* ---- .spile.info ----------------------------------------------------------------------------------------------- */

/* Parse "target=KIND", which begins the facts about one target. */
static struct error *begin_target(const char *kind, struct module_info *info)
{
	static const char *const words[STP_TARGET_KIND_COUNT_] = {
#define KIND(name, word) [STP_TARGET_##name] = word,
		STP_TARGET_KINDS(KIND)
#undef KIND
	};
	struct info_target *grown;
	size_t number = 0;

	while (number < STP_TARGET_KIND_COUNT_ && strcmp(words[number], kind))
		number++;
	if (number == STP_TARGET_KIND_COUNT_ && !is_printable(kind))
		return malformed(_("section .spile.info has an invalid kind of target"));
	if (number == STP_TARGET_KIND_COUNT_)
		return error_with_hint(error_new(ERROR_UNSUPPORTED,
						 _("the module has a target of an unknown kind, '%s'"), kind),
				       _("rebuild the module with this version of stap"));
	if (info->target_count == INFO_TARGET_LIMIT)
		return malformed(_("section .spile.info has too many targets"));
	grown = realloc(info->targets, (info->target_count + 1) * sizeof(*grown));
	if (!grown)
		return error_errno(_("cannot read the module file"));
	info->targets = grown;
	info->targets[info->target_count++] = (struct info_target){.kind = number};
	return NULL;
}

static struct error *read_build_id(const char *text, struct info_target *target)
{
	size_t length = strlen(text), digits;

	if (length >= sizeof(target->build_id))
		return malformed(_("section .spile.info has a build-id that is too long"));
	for (size_t i = 0; i <= length; i++)
		target->build_id[i] = tolower((unsigned char)text[i]);
	digits = strspn(target->build_id, "0123456789abcdef");
	if (target->build_id[digits] || digits % 2)
		return malformed(_("section .spile.info has a build-id that is not hexadecimal"));
	return NULL;
}

/* Parse "target-KEY=VALUE", a fact about the latest target. */
static struct error *read_target_fact(const char *text, struct module_info *info)
{
	struct info_target *target = info->target_count ? &info->targets[info->target_count - 1] : NULL;

	if (!target)
		return malformed(_("section .spile.info has a fact about a target before the first target"));
	if (!strncmp(text, "build-id=", 9))
		return read_build_id(text + 9, target);
	if (target->kind != STP_TARGET_MODULE)
		return NULL;
	/* Both become parts of paths. */
	if (!strncmp(text, "name=", 5)) {
		if (!info_name_is_valid(text + 5))
			return malformed(_("section .spile.info has an invalid module name of a target"));
		strcpy(target->name, text + 5);
	} else if (!strncmp(text, "section=", 8)) {
		if (!section_is_valid(text + 8))
			return malformed(_("section .spile.info has an invalid section name of a target"));
		strcpy(target->section, text + 8);
	}
	return NULL;
}

/* Reject a module target without a name or section, which could not be verified. */
static struct error *check_targets_complete(const struct module_info *info)
{
	for (unsigned int i = 0; i < info->target_count; i++) {
		const struct info_target *target = &info->targets[i];

		if (target->kind == STP_TARGET_MODULE && (!target->name[0] || !target->section[0]))
			return malformed(_("section .spile.info has a target without a module name or section"));
	}
	return NULL;
}

static struct error *read_privilege(const char *text, struct module_info *info)
{
	if (strlen(text) >= sizeof(info->privilege) || strcmp(info->privilege, WITHOUT_PRIVILEGE))
		return malformed(_("section .spile.info has an invalid or repeated privilege group"));
	strcpy(info->privilege, text);
	return NULL;
}

static struct error *read_pairs(const struct span *span, struct module_info *info)
{
	size_t at = 0;

	while (at < span->size) {
		const char *text = span->data + at;
		size_t length = strnlen(text, span->size - at);
		struct error *error = NULL;

		if (length == span->size - at)
			return malformed(_("a string in section .spile.info is not terminated"));
		if (!strncmp(text, "release=", 8)) {
			if (length > 8 && !release_parse(text + 8, length - 8, &info->release))
				return malformed(_("section .spile.info has an invalid kernel release"));
		} else if (!strcmp(text, "bulk=1")) {
			info->bulk = 1;
		} else if (!strcmp(text, "commands=1")) {
			info->commands = 1;
		} else if (!strcmp(text, "objects=1")) {
			info->objects = 1;
		} else if (!strncmp(text, "privilege=", 10)) {
			error = read_privilege(text + 10, info);
		} else if (!strncmp(text, "target=", 7)) {
			error = begin_target(text + 7, info);
		} else if (!strncmp(text, "target-", 7)) {
			error = read_target_fact(text + 7, info);
		} /* ignore other keys, which a newer translator may add */
		if (error)
			return error;
		at += length + 1;
	}
	if (!*info->release.text)
		return malformed(_("section .spile.info has no kernel release"));
	return check_targets_complete(info);
}

/* Find the sections of a script module for this machine. */
static struct error *open_image(const char *image, size_t size, struct sections *found)
{
	struct error *error;
	Elf64_Ehdr header;

	if (size < sizeof(header) || memcmp(image, ELFMAG, SELFMAG))
		return error_new(ERROR_UNSUPPORTED, _("it is not a kernel module"));
	memcpy(&header, image, sizeof(header));
	if (header.e_type != ET_REL)
		return error_new(ERROR_UNSUPPORTED, _("it is not a kernel module"));
	if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
	    header.e_machine != NATIVE_MACHINE)
		return error_new(ERROR_UNSUPPORTED, _("it is a module for another processor architecture"));
	if (!is_inside(header.e_shoff, (size_t)header.e_shnum * header.e_shentsize, size))
		return malformed(_("the file is truncated"));
	error = find_sections(image, size, &header, found);
	if (!error && !found->info.data)
		return error_with_hint(error_new(ERROR_UNSUPPORTED,
						 _("it was not built by stap (it has no section .spile.info)")),
				       _("load other modules with insmod(8)"));
	return error;
}

struct error *info_read(const char *image, size_t size, struct module_info *info)
{
	struct sections found = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
	struct error *error;

	memset(info, 0, sizeof(*info));
	strcpy(info->privilege, WITHOUT_PRIVILEGE);
	error = open_image(image, size, &found);
	if (!error)
		error = read_name(image, &found, info);
	if (!error)
		error = read_pairs(&found.info, info);
	if (error)
		info_destroy(info);
	return error;
}

static void tell_strings(const struct span *span, void (*tell)(void *data, const char *text), void *data)
{
	size_t at = 0, length;

	while (at < span->size) {
		length = strnlen(span->data + at, span->size - at);
		if (length == span->size - at)
			return; /* not terminated */
		if (length)
			tell(data, span->data + at);
		at += length + 1;
	}
}

struct error *info_tell(const char *image, size_t size, void (*tell)(void *data, const char *text), void *data)
{
	struct sections found = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
	struct error *error = open_image(image, size, &found);

	if (error)
		return error;
	tell_strings(&found.info, tell, data);
	tell_strings(&found.modinfo, tell, data);
	return NULL;
}

void info_destroy(struct module_info *info)
{
	free(info->targets);
	memset(info, 0, sizeof(*info));
}
