// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Build the initial root file system of a guest: the base, common to all guests of a kernel, and the files of one
 * guest. A booted guest gets the latter appended to the base; a guest from a snapshot receives it over its port.
 *
 * An archive is written to a file in memory that QEMU opens through /proc/self/fd, so that nothing is left on disk
 * however stap-vm ends. This takes about 20 ms. It is not compressed, because decompression would cost the guest more
 * than it saves. Applets of busybox are links in the archive, which is cheaper than "busybox --install" in an emulated
 * guest.
 */
#include "vm/initramfs.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "common/guest_root.h"
#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "common/elf/program_libraries.h"
#include "vm/cpio.h"
#include "vm/modules.h"
#include "vm/tool.h"

/* The minimal accounts that commands may look up. */
static const struct {
	const char *path, *text;
} base_texts[] = {
	{"/etc/passwd", "root:x:0:0:root:/root:/bin/sh\n"
			"user:x:1000:1000:user:/tmp:/bin/sh\n"
			"nobody:x:65534:65534:nobody:/:/bin/false\n"},
	{"/etc/group", "root:x:0:\nuser:x:1000:\nnogroup:x:65534:\n"},
	{"/etc/hosts", "127.0.0.1 localhost\n"},
};

static const char *const base_directories[] = {"/proc", "/sys", "/dev", "/tmp", "/run", "/root", "/var", "/mnt"};

static const char *const transport_modules[] = {"virtio_pci", "virtio_console"};

static struct error *add_tree(struct cpio *cpio, const char *host, const char *guest);

/* Add a regular file, with its content mapped from the page cache. */
static struct error *add_content(struct cpio *cpio, const char *host, const char *guest, mode_t mode)
{
	g_autoptr(GError) cause = NULL;
	g_autoptr(GMappedFile) content = g_mapped_file_new(host, FALSE, &cause);

	if (!content)
		return error_new(ERROR_SYSTEM, "%s", cause->message);
	cpio_add(cpio, guest, S_IFREG | (mode & 07777), 0, g_mapped_file_get_contents(content),
		 g_mapped_file_get_length(content));
	return NULL;
}

/*
 * Add a library at its real path, which probes use, and a link from the path where it was found (/lib may be a link to
 * /usr/lib).
 */
static struct error *add_library(struct cpio *cpio, const struct library *library)
{
	if (strcmp(library->real, library->found))
		cpio_add(cpio, library->found, S_IFLNK | 0777, 0, library->real, strlen(library->real));
	return add_content(cpio, library->path, library->real, 0755);
}

/*
 * Add the dynamic loader and the libraries of a program, as found in its ELF headers: no program is executed. For a
 * program of another architecture, they are in that architecture's guest root. Static programs have none.
 */
static struct error *add_libraries(struct cpio *cpio, const char *program)
{
	g_autoptr(GPtrArray) libraries = g_ptr_array_new();
	struct arena *arena = arena_new();
	struct error *error = NULL;

	file_libraries(arena, program, libraries);
	for (guint i = 0; i < libraries->len && !error; i++) {
		const struct library *library = libraries->pdata[i];

		if (*library->found == '/')
			error = add_library(cpio, library);
	}
	arena_free(arena);
	return error;
}

static struct error *add_directory(struct cpio *cpio, const char *host, const char *guest, mode_t mode)
{
	g_autoptr(GError) cause = NULL;
	g_autoptr(GDir) directory = g_dir_open(host, 0, &cause);
	struct error *error = NULL;
	const char *name;

	if (!directory)
		return error_new(ERROR_SYSTEM, "%s", cause->message);
	cpio_add(cpio, guest, mode, 0, NULL, 0);
	while (!error && (name = g_dir_read_name(directory))) {
		g_autofree char *inner_host = g_build_filename(host, name, NULL);
		g_autofree char *inner_guest = g_build_filename(guest, name, NULL);

		error = add_tree(cpio, inner_host, inner_guest);
	}
	return error;
}

static struct error *add_file(struct cpio *cpio, const char *host, const char *guest, mode_t mode)
{
	struct error *error = add_content(cpio, host, guest, mode);

	return error ?: add_libraries(cpio, host);
}

/* Add the file or directory at @p host. Links inside a directory stay links. */
static struct error *add_tree(struct cpio *cpio, const char *host, const char *guest)
{
	g_autofree char *target = NULL;
	struct stat status;

	if (lstat(host, &status) < 0)
		return error_errno("%s", host);
	if (S_ISDIR(status.st_mode))
		return add_directory(cpio, host, guest, status.st_mode);
	if (S_ISREG(status.st_mode))
		return add_file(cpio, host, guest, status.st_mode);
	if (!S_ISLNK(status.st_mode))
		return NULL;
	target = g_file_read_link(host, NULL);
	cpio_add(cpio, guest, S_IFLNK | 0777, 0, target, target ? strlen(target) : 0);
	return NULL;
}

/* Without a GUESTPATH, the path is the same as on the host. Links are followed. */
char *initramfs_guest_path(const char *text)
{
	g_auto(GStrv) parts = g_strsplit(text, ":", 2);
	g_autofree char *same = g_canonicalize_filename(parts[0], NULL);

	return g_canonicalize_filename(parts[1] ? parts[1] : same, "/");
}

static struct error *add_user_file(struct cpio *cpio, const char *text)
{
	g_auto(GStrv) parts = g_strsplit(text, ":", 2);
	_cleanup_free_ char *real = realpath(parts[0], NULL);
	g_autofree char *guest = initramfs_guest_path(text);

	if (!real)
		return error_errno("%s", parts[0]);
	/*
	 * Without a GUESTPATH, add a link and the program that it leads to, because probes use the program's real path.
	 */
	if (!parts[1] && strcmp(real, guest) && g_file_test(real, G_FILE_TEST_IS_REGULAR)) {
		cpio_add(cpio, guest, S_IFLNK | 0777, 0, real, strlen(real));
		return add_tree(cpio, real, real);
	}
	return add_tree(cpio, real, guest);
}

static struct error *add_user_files(struct cpio *cpio, char **files)
{
	struct error *error = NULL;

	for (char **file = files; *file && !error; file++)
		error = add_user_file(cpio, *file);
	return error;
}

static struct error *find_agent(const struct kernel *kernel, char **ret)
{
	g_autofree char *path = guest_program(kernel->architecture, "spile-agent");

	if (g_file_test(path, G_FILE_TEST_IS_EXECUTABLE)) {
		*ret = g_steal_pointer(&path);
		return NULL;
	}
	if (kernel->architecture != architecture_of_host())
		return error_with_hint(error_new(ERROR_LOOKUP, _("%s does not exist"), path),
				       _("run 'make guest-programs' in the directory where Spile was built"));
	return error_with_hint(error_new(ERROR_LOOKUP, _("spile-agent is not in %s"), libexec_directory()),
			       _("set SPILE_LIBEXEC to its directory"));
}

/* Return the path of the busybox for the guest, or NULL. */
static char *find_busybox(const struct kernel *kernel)
{
	g_autofree char *root = guest_root_find(kernel->architecture), *path = NULL;

	if (kernel->architecture == architecture_of_host())
		return g_find_program_in_path("busybox");
	path = root ? g_build_filename(root, "bin/busybox", NULL) : NULL;
	return path && g_file_test(path, G_FILE_TEST_EXISTS) ? g_steal_pointer(&path) : NULL;
}

/*
 * Add busybox and links for its applets. A busybox of another architecture does not run here, but it is the same
 * package of the same release (vm/guest_root.c), so ours has the same list.
 */
static struct error *add_busybox(struct cpio *cpio, const struct kernel *kernel)
{
	g_autofree char *own = g_find_program_in_path("busybox"), *busybox = find_busybox(kernel), *output = NULL;
	g_auto(GStrv) applets = NULL;
	struct error *error;

	if (!own)
		return error_with_hint(error_new(ERROR_LOOKUP, _("busybox is not installed")),
				       _("run 'apt-get install busybox-static'"));
	if (!busybox)
		return error_with_hint(error_new(ERROR_LOOKUP,
						 _("the programs for guests with kernel %s were not fetched"),
						 kernel->release),
				       _("run 'stap-vm fetch %s'"), kernel->release);
	error = add_file(cpio, busybox, "/bin/busybox", 0755);
	if (!error)
		error = tool_run(NULL, (const char *const[]){own, "--list-full", NULL}, &output);
	if (error)
		return error;
	applets = g_strsplit(output, "\n", -1);
	for (char **applet = applets; *applet && **applet; applet++)
		cpio_add(cpio, *applet, S_IFLNK | 0777, 0, "/bin/busybox", strlen("/bin/busybox"));
	return NULL;
}

/*
 * Add a decompressed module to the guest's /lib/modules/RELEASE, in the same subdirectory as on the host if it is a
 * packaged module.
 */
static struct error *add_module(struct cpio *cpio, const struct kernel *kernel, const char *host, GString *list)
{
	bool packaged = kernel->modules && g_str_has_prefix(host, kernel->modules);
	g_autofree char *base = g_path_get_basename(host);
	g_autofree char *guest = NULL;
	g_autoptr(GBytes) content = NULL;
	struct error *error = module_read(host, &content);
	gconstpointer data;
	gsize length;

	if (error)
		return error;
	guest = g_build_filename("/lib/modules", kernel->release, packaged ? host + strlen(kernel->modules) : base,
				 NULL);
	strstr(strrchr(guest, '/'), ".ko")[strlen(".ko")] = '\0';
	data = g_bytes_get_data(content, &length);
	cpio_add(cpio, guest, S_IFREG | 0644, 0, data, length);
	g_string_append_printf(list, "%s\n", guest);
	return NULL;
}

/* Add modules, and write the list from which the agent loads them. */
static struct error *add_modules(struct cpio *cpio, const struct kernel *kernel, const char *const *names, guint count,
				 const char *list)
{
	g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GString) text = g_string_new(NULL);
	struct error *error = NULL;

	for (guint i = 0; i < count && !error; i++)
		error = modules_resolve(kernel, names[i], paths);
	for (guint i = 0; i < paths->len && !error; i++)
		error = add_module(cpio, kernel, paths->pdata[i], text);
	if (!error)
		cpio_add(cpio, list, S_IFREG | 0644, 0, text->str, text->len);
	return error;
}

static struct error *add_base(struct cpio *cpio, const struct kernel *kernel)
{
	g_autofree char *agent = NULL;
	struct error *error;

	for (guint i = 0; i < G_N_ELEMENTS(base_directories); i++)
		cpio_add(cpio, base_directories[i], S_IFDIR | 0755, 0, NULL, 0);
	for (guint i = 0; i < G_N_ELEMENTS(base_texts); i++)
		cpio_add(cpio, base_texts[i].path, S_IFREG | 0644, 0, base_texts[i].text, strlen(base_texts[i].text));
	cpio_add(cpio, "/dev/console", S_IFCHR | 0600, makedev(5, 1), NULL, 0);
	error = find_agent(kernel, &agent);
	if (!error)
		error = add_content(cpio, agent, "/init", 0755);
	if (!error)
		error = add_busybox(cpio, kernel);
	if (!error && kernel->has_virtio_console && kernel->modules)
		error = add_modules(cpio, kernel, transport_modules, G_N_ELEMENTS(transport_modules),
				    "/etc/spile/transport");
	return error;
}

typedef struct error *add_contents(struct cpio *cpio, const struct kernel *kernel, char **modules, char **files);

static struct error *add_base_contents(struct cpio *cpio, const struct kernel *kernel, char **modules, char **files)
{
	return add_base(cpio, kernel);
}

static struct error *add_user_contents(struct cpio *cpio, const struct kernel *kernel, char **modules, char **files)
{
	struct error *error = add_user_files(cpio, files);

	if (!error && modules)
		error = add_modules(cpio, kernel, (const char *const *)modules, g_strv_length(modules),
				    "/etc/spile/modules");
	return error;
}

/* Write an archive to a new file in memory, and seek to its start for the reader. */
static struct error *pack(add_contents *add, const struct kernel *kernel, char **modules, char **files, int *fd)
{
	_cleanup_fclose_ FILE *file = NULL;
	struct error *error;
	struct cpio *cpio;

	*fd = memfd_create("spile-guest", MFD_CLOEXEC);
	/* *fd must stay open when the stream is closed. */
	file = *fd < 0 ? NULL : fdopen(fcntl(*fd, F_DUPFD_CLOEXEC, 0), "w");
	if (!file)
		return error_errno("memfd_create");
	cpio = cpio_new(file);
	error = add(cpio, kernel, modules, files);
	cpio_finish(cpio);
	if (!error && (ferror(file) || lseek(*fd, 0, SEEK_SET) < 0))
		error = error_errno(_("cannot create the guest's files"));
	return error;
}

struct error *initramfs_base(const struct kernel *kernel, int *fd)
{
	return pack(add_base_contents, kernel, NULL, NULL, fd);
}

struct error *initramfs_pack(const struct kernel *kernel, char **modules, char **files, int *fd)
{
	return pack(add_user_contents, kernel, modules, files, fd);
}

struct error *initramfs_append(int to, int from)
{
	struct stat status;
	off_t start = 0;

	if (lseek(to, 0, SEEK_END) < 0 || fstat(from, &status) < 0)
		return error_errno("lseek");
	while (start < status.st_size) {
		if (sendfile(to, from, &start, status.st_size - start) <= 0)
			return error_errno(_("cannot create the guest's files"));
	}
	return NULL;
}
