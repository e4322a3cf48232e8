// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Build-id checks before anything is loaded.
 *
 * A script module holds addresses that the translator computed from debuginfo. If that debuginfo belongs to another
 * build of the kernel (or of a probed module), a probe would land in the middle of some instruction. So the build-ids
 * must be equal; where no debuginfo was used, the releases must be.
 *
 * The kernel's build-id is in /sys/kernel/notes, a module's in /sys/module/NAME/notes/.note.gnu.build-id. Both are ELF
 * notes (type NT_GNU_BUILD_ID, owner "GNU").
 */
#include "staprun/check.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/read_write.h"
#include "staprun/messages.h"

enum { NOTES_SIZE = 65536 };

/* Return the number of bytes read, or -1 with errno. */
static ssize_t read_file(const char *path, char *to, size_t size)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? -1 : read_up_to(fd, to, size);
}

void check_notes_build_id(const void *notes, size_t size, char *hex)
{
	const unsigned char *data = notes;
	size_t at = 0;

	*hex = '\0';
	while (size - at >= sizeof(Elf64_Nhdr)) {
		size_t name, description;
		Elf64_Nhdr note;

		memcpy(&note, data + at, sizeof(note));
		at += sizeof(note);
		/* 64-bit sums of 32-bit numbers cannot overflow. Both parts are padded to 4 bytes. */
		name = ((size_t)note.n_namesz + 3) & ~(size_t)3;
		description = ((size_t)note.n_descsz + 3) & ~(size_t)3;
		if (name > size - at || note.n_descsz > size - at - name)
			return;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && !memcmp(data + at, "GNU", 4) &&
		    note.n_descsz && note.n_descsz < INFO_BUILD_ID_SIZE / 2) {
			for (size_t i = 0; i < note.n_descsz; i++)
				sprintf(hex + 2 * i, "%02x", data[at + name + i]);
			return;
		}
		if (description > size - at - name)
			return; /* the last note, not padded */
		at += name + description;
	}
}

static bool read_build_id(const char *path, char *hex)
{
	_cleanup_free_ char *notes = malloc(NOTES_SIZE);
	ssize_t size = notes ? read_file(path, notes, NOTES_SIZE) : -1;

	*hex = '\0';
	if (size > 0)
		check_notes_build_id(notes, size, hex);
	return *hex;
}

bool check_running_build_id(char *hex)
{
	return read_build_id("/sys/kernel/notes", hex);
}

static struct error *check_release(const struct module_info *info)
{
	struct utsname system;

	if (uname(&system))
		return error_errno("uname");
	if (!strcmp(system.release, info->release.text))
		return NULL;
	return error_with_hint(error_new(ERROR_DEBUGINFO,
					 _("module %s was built for kernel %s; the running kernel is %s"), info->name,
					 info->release.text, system.release),
			       _("rebuild it with 'stap -r %s'"), system.release);
}

static struct error *check_kernel(const struct module_info *info, const struct info_target *target)
{
	char running[INFO_BUILD_ID_SIZE];
	struct error *error;

	if (!target || !target->build_id[0])
		return check_release(info);
	if (!check_running_build_id(running))
		return error_with_hint(error_new(ERROR_DEBUGINFO,
						 _("cannot verify module %s (built for the kernel with build-id %s): "
						   "/sys/kernel/notes has no build-id"),
						 info->name, target->build_id),
				       _("mount sysfs on /sys"));
	if (!strcmp(running, target->build_id))
		return NULL;
	/* Prefer to report different releases, which are easier to understand than build-ids. */
	error = check_release(info);
	if (!error)
		error = error_with_hint(error_new(ERROR_DEBUGINFO,
						  _("module %s was built for a different build of kernel %s"),
						  info->name, info->release.text),
					_("update the kernel's debuginfo, or reboot if the kernel was updated, and "
					  "run stap again"));
	return error_prefix(error, _("the running kernel has build-id %s, but the module expects %s"), running,
			    target->build_id);
}

static void module_path(char *to, size_t size, const char *name, const char *rest)
{
	int at = snprintf(to, size, "/sys/module/%s%s", name, rest);

	/* sysfs uses the name with '_' in place of '-', as the kernel does. */
	for (int i = 0; i < at && (size_t)i < size; i++)
		if (to[i] == '-' && i < (int)(strlen("/sys/module/") + strlen(name)))
			to[i] = '_';
}

/* Return whether the module is fully loaded. While it initializes or unloads, its sysfs files may be incomplete. */
static bool is_live(const char *module)
{
	char path[256], state[8] = "";

	module_path(path, sizeof(path), module, "/initstate");
	return read_file(path, state, sizeof(state) - 1) > 0 && !strcmp(state, "live\n");
}

static struct error *check_module(const struct module_info *info, const struct info_target *target)
{
	char path[256], loaded[INFO_BUILD_ID_SIZE];

	/* A module that is loaded later is verified by the runtime in the kernel. */
	if (!target->build_id[0] || !is_live(target->name))
		return NULL;
	module_path(path, sizeof(path), target->name, "/notes/.note.gnu.build-id");
	if (!read_build_id(path, loaded) && !is_live(target->name))
		return NULL;
	if (!*loaded)
		return error_new(ERROR_DEBUGINFO,
				 _("cannot verify module %s: the loaded %s has no build-id (expected %s)"), info->name,
				 target->name, target->build_id);
	if (!strcmp(loaded, target->build_id))
		return NULL;
	return error_with_hint(error_new(ERROR_DEBUGINFO,
					 _("the loaded module %s has build-id %s, but module %s was built for %s"),
					 target->name, loaded, info->name, target->build_id),
			       _("update the debuginfo of module %s and run stap again"), target->name);
}

struct error *check_targets(const struct module_info *info)
{
	const struct info_target *kernel = NULL;
	struct error *error;

	for (unsigned int i = 0; i < info->target_count; i++)
		if (info->targets[i].kind == STP_TARGET_KERNEL)
			kernel = &info->targets[i];
	error = check_kernel(info, kernel);
	for (unsigned int i = 0; !error && i < info->target_count; i++)
		if (info->targets[i].kind == STP_TARGET_MODULE)
			error = check_module(info, &info->targets[i]);
	return error;
}

/* For a loaded module, /sys still shows the address of its initialization code, which was freed. */
static bool is_init_section(const struct info_target *target)
{
	return !strncmp(target->section, ".init", strlen(".init"));
}

struct error *check_section_address(const struct info_target *target, unsigned long *address)
{
	char path[256], text[32], rest[INFO_SECTION_SIZE + 16];
	ssize_t size;

	*address = 0;
	module_path(path, sizeof(path), target->name, "");
	if (access(path, F_OK) || is_init_section(target))
		return NULL; /* the runtime notices when it is loaded */
	snprintf(rest, sizeof(rest), "/sections/%s", target->section);
	module_path(path, sizeof(path), target->name, rest);
	size = read_file(path, text, sizeof(text) - 1);
	/* While the module unloads, its files are incomplete, and open ones return ENODEV. Treat it as not loaded. */
	if (size < 0 && (errno == ENODEV || (errno == ENOENT && !is_live(target->name))))
		return NULL;
	if (size < 0 && errno == ENOENT) {
		message_warning(_("module %s has no section %s in memory: probes in it cannot be armed"), target->name,
				target->section);
		return NULL;
	}
	if (size < 0)
		return error_errno(_("cannot read %s"), path);
	text[size] = '\0';
	*address = strtoul(text, NULL, 16);
	if (!*address)
		return error_with_hint(error_new(ERROR_SYSTEM, _("the kernel hides the address of module %s"),
						 target->name),
				       _("run 'sysctl kernel.kptr_restrict=1'"));
	return NULL;
}

/* Is initialization code the only code of this module that has probes? */
static bool only_init_is_probed(const struct module_info *info, const char *module)
{
	for (unsigned int i = 0; i < info->target_count; i++)
		if (info->targets[i].kind == STP_TARGET_MODULE && !strcmp(info->targets[i].name, module) &&
		    !is_init_section(&info->targets[i]))
			return false;
	return true;
}

static void warn_of_initialized(const struct module_info *info)
{
	char path[256];

	for (unsigned int i = 0; i < info->target_count; i++) {
		const struct info_target *target = &info->targets[i];

		if (target->kind != STP_TARGET_MODULE || !is_init_section(target))
			continue;
		module_path(path, sizeof(path), target->name, "");
		if (!access(path, F_OK) && only_init_is_probed(info, target->name))
			message_warning(_("module %s is loaded already: its initialization code runs again only when "
					  "it is reloaded"),
					target->name);
	}
}

void check_warn_missing(const struct module_info *info)
{
	const char *last = "";
	unsigned int count = 0;
	char path[256];

	/*
	 * If the targets of a module are not adjacent, it is counted twice. That is harmless: the message does not
	 * contain numbers above 1.
	 */
	for (unsigned int i = 0; i < info->target_count; i++) {
		const char *name = info->targets[i].name;

		if (info->targets[i].kind != STP_TARGET_MODULE || !strcmp(name, last))
			continue;
		module_path(path, sizeof(path), name, "");
		if (!access(path, F_OK))
			continue;
		message_verbose(1, "module %s is not loaded", name);
		last = name;
		count++;
	}
	warn_of_initialized(info);
	if (count == 1)
		message_warning(_("module %s is not loaded: its probes wait until it is"), last);
	else if (count)
		message_warning(_("some modules are not loaded: their probes wait until they are (-v names them)"));
}
