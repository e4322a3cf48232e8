// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Load and remove kernel modules.
 *
 * The file is read once and init_module(2) gets exactly these bytes: with finit_module(2), the owner could change the
 * file after it was checked.
 *
 * A staprun that was killed may leave its module behind. Closing the control file stopped the module's probes, and no
 * process holds the module, so the next staprun removes it (lock.c).
 */
#include "staprun/module.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sdt.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/read_write.h"
#include "staprun/control.h"
#include "staprun/lock.h"
#include "staprun/messages.h"
#include "staprun/signature.h"

enum {
	IMAGE_LIMIT = 512 << 20,
	RETRY_MILLISECONDS = 20,
	REMOVE_LIMIT_MILLISECONDS = 5000,
	LOG_LINES = 5, /* lines of the kernel log that are shown with a failed load */
};

static void pause_milliseconds(int milliseconds)
{
	struct timespec time = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000l};

	nanosleep(&time, NULL);
}

/* ---- reading the file ------------------------------------------------------------------------------------------ */

static struct error *read_whole(int fd, const char *path, struct module_image *image)
{
	struct stat status;
	ssize_t used;

	if (fstat(fd, &status))
		return error_errno("%s", path);
	if (!S_ISREG(status.st_mode) || status.st_size <= 0 || status.st_size > IMAGE_LIMIT)
		return error_new(ERROR_UNSUPPORTED, _("%s is not a kernel module"), path);
	image->size = status.st_size;
	image->data = malloc(image->size);
	if (!image->data)
		return error_errno(_("cannot read %s"), path);
	used = read_up_to(fd, image->data, image->size);
	if (used < 0)
		return error_errno(_("cannot read %s"), path);
	if ((size_t)used < image->size)
		return error_new(ERROR_OTHER, _("%s was changed while it was read"), path);
	return NULL;
}

/* Open the directory where the administrator installs modules for all users. Fail if other users can write to it. */
static struct error *open_installed(char *path, size_t size, int *ret)
{
	struct utsname system;
	struct stat status;

	if (uname(&system))
		return error_errno("uname");
	snprintf(path, size, "/lib/modules/%s/systemtap", system.release);
	*ret = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (*ret < 0 || fstat(*ret, &status))
		return error_errno("%s", path);
	return privilege_check_roots_alone(path, &status);
}

static struct error *read_installed(const char *name, struct module_image *image)
{
	_cleanup_close_ int directory = -1;
	_cleanup_close_ int fd = -1;
	struct error *error;
	struct stat status;
	char path[512], file[INFO_NAME_SIZE + 8];

	if (!info_name_is_valid(name))
		return error_new(ERROR_OTHER, _("'%s' is not the name of a module"), name);
	error = open_installed(path, sizeof(path), &directory);
	if (error)
		return error_prefix(error, _("cannot find module %s"), name);
	snprintf(file, sizeof(file), "%s.ko", name);
	fd = openat(directory, file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	if (fd < 0 || fstat(fd, &status))
		return error_errno(_("cannot read %s/%s"), path, file);
	/* Anyone who can write to the file could replace the module. */
	if (!privilege_is_roots_alone(&status))
		return error_new(ERROR_OTHER, _("%s/%s is writable by users other than root"), path, file);
	return read_whole(fd, file, image);
}

/* Map "/lib/modules/RELEASE/systemtap/NAME.ko" to NAME (to be freed), for users who may load nothing else. */
static char *installed_name(const char *path)
{
	char directory[sizeof("/lib/modules//systemtap/") + sizeof(((struct utsname *)NULL)->release)];
	struct utsname system;
	size_t length;

	if (uname(&system))
		return NULL;
	snprintf(directory, sizeof(directory), "/lib/modules/%s/systemtap/", system.release);
	if (strncmp(path, directory, strlen(directory)))
		return NULL;
	path += strlen(directory);
	length = strlen(path);
	return strndup(path, length > 3 && !strcmp(path + length - 3, ".ko") ? length - 3 : length);
}

static bool is_path(const char *name)
{
	size_t length = strlen(name);

	return strchr(name, '/') || (length > 3 && !strcmp(name + length - 3, ".ko"));
}

struct error *module_look(const char *name, struct module_image *image)
{
	_cleanup_close_ int fd = -1;

	image->path = name;
	if (!is_path(name))
		return read_installed(name, image);
	fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	return fd < 0 ? error_errno(_("cannot read %s"), name) : read_whole(fd, name, image);
}

/* Read a module and its signature as the user, then verify the signature as root. */
static struct error *read_signed(const char *name, struct module_image *image)
{
	struct signature signature;
	struct error *error;

	privilege_as_user();
	error = signature_read(name, &signature);
	if (error && error->code == ERROR_LOOKUP)
		error = error_with_hint(error_prefix(error, _("you may only load modules that the administrator put in "
							      "/lib/modules/RELEASE/systemtap, or that are signed")),
					_("members of the group stapdev may load any module"));
	error = error ?: module_look(name, image);
	privilege_as_root();
	if (error)
		return error;
	image->is_signed = true;
	return error_prefix(signature_check(&signature, image->data, image->size), _("cannot load %s"), name);
}

struct error *module_read(const char *name, enum access access, struct module_image *image)
{
	_cleanup_free_ char *installed = NULL;
	struct error *error;

	image->path = name;
	if (!is_path(name))
		return read_installed(name, image);
	if (access != ACCESS_ALL) {
		installed = installed_name(name);
		return installed ? read_installed(installed, image) : read_signed(name, image);
	}
	/* Read as the user, who must not gain access to other files through staprun. */
	privilege_as_user();
	error = module_look(name, image);
	privilege_as_root();
	return error;
}

/* ---- the kernel's log ------------------------------------------------------------------------------------------ */

static int log_open(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0)
		lseek(fd, 0, SEEK_END);
	return fd;
}

/*
 * Append to the error what the kernel logged about the module since log_open(). Records have the form
 * "prio,...;text\n".
 */
static struct error *log_append(int fd, const char *module, struct error *error)
{
	char record[8192], lines[LOG_LINES][256];
	unsigned int count = 0;
	ssize_t size;

	/* EPIPE: records were overwritten while we read; the next read continues after them. */
	while (fd >= 0 && ((size = read(fd, record, sizeof(record) - 1)) > 0 || (size < 0 && errno == EPIPE))) {
		char *text;

		if (size < 0)
			continue;
		record[size] = '\0';
		text = strchr(record, ';');
		if (!text || (!strstr(text, module) && !strcasestr(text, "module") && !strcasestr(text, "lockdown")))
			continue;
		text++;
		text[strcspn(text, "\n")] = '\0';
		snprintf(lines[count++ % LOG_LINES], sizeof(lines[0]), "%.255s", text);
	}
	for (unsigned int i = count > LOG_LINES ? count - LOG_LINES : 0; i < count; i++) {
		struct error *longer =
			error_new(error->code, "%s\n  %s: %s", error->message, _("kernel"), lines[i % LOG_LINES]);

		longer->errnum = error->errnum;
		if (error->hint)
			error_with_hint(longer, "%s", error->hint);
		error_free(error);
		error = longer;
	}
	return error;
}

/* ---- loading and removing -------------------------------------------------------------------------------------- */

static const char *load_hint(int errnum)
{
	switch (errnum) {
	case ENOEXEC:
	case EINVAL:
		return _("the module was probably built for another kernel; run stap again for this one");
	case ENOENT:
		return _("the module uses a symbol that this kernel does not have; run stap again for this kernel");
	case EKEYREJECTED:
	case ENOKEY:
	case EBADMSG:
		return _("this kernel loads only modules that are signed with a key it trusts; see --sign-module in "
			 "stap(1)");
	case EPERM:
		return _("the kernel is locked down (Secure Boot), kernel.modules_disabled is set, or this is a "
			 "container; see also stap --remote=vm:");
	default:
		return NULL;
	}
}

/*
 * Return whether errno means that the name is taken: by a module (EEXIST), or by a built-in part of the kernel that has
 * parameters, which yields EINVAL (kernel/module/sysfs.c).
 */
static bool is_name_in_use(const char *name)
{
	char path[sizeof("/sys/module/") + INFO_NAME_SIZE];
	int errnum = errno;
	bool is_there;

	snprintf(path, sizeof(path), "/sys/module/%s", name);
	is_there = !access(path, F_OK);
	errno = errnum;
	return errnum == EEXIST || (errnum == EINVAL && is_there);
}

struct error *module_load(const struct module_image *image, const struct module_info *info, const char *parameters,
			  enum access access)
{
	/* Ordinary users may not read the kernel log (kernel.dmesg_restrict). */
	_cleanup_close_ int log = access == ACCESS_ALL ? log_open() : -1;
	struct error *error;

	STAP_PROBE1(staprun, insert_module, image->path);
	if (!syscall(SYS_init_module, image->data, image->size, parameters))
		return NULL;
	if (is_name_in_use(info->name)) {
		error = error_errno(_("cannot load module %s: a module of that name is in use"), info->name);
		return error_with_hint(error, "%s", _("use 'staprun -R' to load it under a unique name"));
	}
	error = error_errno(_("cannot load module %s"), info->name);
	if (load_hint(error->errnum))
		error_with_hint(error, "%s", load_hint(error->errnum));
	return log_append(log, info->name, error);
}

struct error *module_remove_once(const char *name, bool *is_busy)
{
	*is_busy = false;
	if (!syscall(SYS_delete_module, name, O_NONBLOCK) || errno == ENOENT)
		return NULL;
	*is_busy = errno == EWOULDBLOCK || errno == EBUSY || errno == EINTR;
	if (!*is_busy)
		return error_errno(_("cannot remove module %s"), name);
	return error_with_hint(error_errno(_("cannot remove module %s: something still uses it"), name),
			       _("run 'staprun -d %s' later"), name);
}

struct error *module_remove(const char *name)
{
	struct error *error;
	bool is_busy;

	STAP_PROBE1(staprun, remove_module, name);
	for (int waited = 0; (error = module_remove_once(name, &is_busy)) && is_busy; waited += RETRY_MILLISECONDS) {
		if (waited >= REMOVE_LIMIT_MILLISECONDS)
			return error;
		error_free(error);
		pause_milliseconds(RETRY_MILLISECONDS);
	}
	return error;
}

struct error *module_remove_with_lock(const struct module_removal *removal)
{
	struct error *error;
	struct lock lock;
	bool is_busy;

	for (int waited = 0;; waited += RETRY_MILLISECONDS) {
		error = lock_take(&lock);
		if (error)
			return error;
		is_busy = false;
		error = removal->attempt(removal->data, &is_busy);
		lock_release(&lock);
		if (!is_busy || waited >= REMOVE_LIMIT_MILLISECONDS)
			return error;
		error_free(error);
		pause_milliseconds(RETRY_MILLISECONDS);
	}
}

/* Return the kernel's reference count of a module. 0 implies that its control file is closed; -1: not loaded. */
static int reference_count(const char *name)
{
	char path[64 + INFO_NAME_SIZE];
	_cleanup_fclose_ FILE *file = NULL;
	int count;

	snprintf(path, sizeof(path), "/sys/module/%s/refcnt", name);
	file = fopen(path, "re");
	return file && fscanf(file, "%d", &count) == 1 ? count : -1;
}

struct error *module_open_directory(const char *name, int *ret)
{
	struct error *error;

	*ret = -1;
	if (!info_name_is_valid(name))
		return error_new(ERROR_LOOKUP, _("'%s' is not the name of a module"), name);
	error = control_open_directory(name, ret);
	if (!error || error->code != ERROR_LOOKUP)
		return error;
	error_free(error);
	return error_new(ERROR_LOOKUP, _("module %s is not loaded, or was not built by stap"), name);
}

bool module_is_unused(const char *name)
{
	_cleanup_close_ int directory = -1;
	struct error *error = control_open_directory(name, &directory);
	struct control_status status;

	if (error) {
		error_free(error);
		return false;
	}
	control_look(directory, &status);
	return !status.left && reference_count(name) == 0;
}

static void remove_unused(void *data, const char *name)
{
	unsigned int *failures = data;
	struct error *error;

	if (!module_is_unused(name))
		return;
	message_verbose(1, "removing module %s, which nobody drives", name);
	error = module_remove(name);
	if (error) {
		message_warning("%s", error->message);
		error_free(error);
		(*failures)++;
	}
}

unsigned int module_remove_unused(void)
{
	unsigned int failures = 0;
	struct error *error = control_each_module(remove_unused, &failures);

	if (error) {
		message_warning("%s", error->message);
		error_free(error);
		failures++;
	}
	return failures;
}
