// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a bundle must know about the machine: which of its modules fits the running kernel, and the facts that the user
 * collects from a fleet.
 *
 * A module fits if the kernel's build-id is the one that it was made for. Several builds of a kernel can have the same
 * release, so releases are compared only if the build-id was not known when the module was made.
 */
#include "bundle/host.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/json_text.h"
#include "staprun/check.h"

struct error *host_read(struct host *host)
{
	if (uname(&host->names))
		return error_errno("uname");
	check_running_build_id(host->build_id);
	return NULL;
}

/* ---- the module that fits ---------------------------------------------------------------------------------------- */

static bool is_of_machine(const struct bundle_module *module, const struct host *host)
{
	return !strcmp(module->machine.text, host->names.machine);
}

const struct bundle_module *host_module(const struct bundle *bundle, const struct host *host)
{
	for (unsigned int i = 0; i < bundle->module_count; i++) {
		const struct bundle_module *module = &bundle->modules[i];
		bool fits = *module->build_id.text ? !strcmp(module->build_id.text, host->build_id)
						   : !strcmp(module->release.text, host->names.release);

		if (fits && is_of_machine(module, host))
			return module;
	}
	return NULL;
}

/* How many of the first numbers and words two releases have in common: 2 for "6.1.0-55" and "6.1.2". */
static unsigned int common_parts(const char *one, const char *other)
{
	static const char separators[] = ".-+~_";
	unsigned int count = 0;

	for (size_t i = 0; one[i] && one[i] == other[i]; i++) {
		bool ends = (!one[i + 1] || strchr(separators, one[i + 1])) &&
			    (!other[i + 1] || strchr(separators, other[i + 1]));

		if (!strchr(separators, one[i]) && ends)
			count++;
	}
	return count;
}

/* Is the first release nearer to the wanted one? With as much in common, the newer of two releases is. */
static bool is_nearer(const char *one, const char *other, const char *wanted)
{
	unsigned int first = common_parts(one, wanted), second = common_parts(other, wanted);

	return first > second || (first == second && strverscmp(one, other) > 0);
}

const struct bundle_module *host_nearest(const struct bundle *bundle, const struct host *host)
{
	const struct bundle_module *nearest = NULL;

	for (unsigned int i = 0; i < bundle->module_count; i++) {
		const struct bundle_module *module = &bundle->modules[i];

		if (is_of_machine(module, host) &&
		    (!nearest || is_nearer(module->release.text, nearest->release.text, host->names.release)))
			nearest = module;
	}
	return nearest;
}

/* ---- facts ------------------------------------------------------------------------------------------------------- */

/* Read the first line of a file. Return false if it cannot be read. */
static bool read_line(const char *path, char *line, size_t size)
{
	_cleanup_fclose_ FILE *file = fopen(path, "re");

	if (!file || !fgets(line, (int)size, file))
		return false;
	line[strcspn(line, "\n")] = '\0';
	return true;
}

/* Find the value of a line NAME=VALUE or NAME="VALUE" of os-release(5). */
static bool read_system_name(char *ret, size_t size)
{
	static const char key[] = "PRETTY_NAME=";
	_cleanup_fclose_ FILE *file = fopen("/etc/os-release", "re");
	char line[512];

	while (file && fgets(line, sizeof(line), file)) {
		char *value = line + strlen(key);

		if (strncmp(line, key, strlen(key)))
			continue;
		value += strspn(value, "\"'");
		value[strcspn(value, "\"'\n")] = '\0';
		snprintf(ret, size, "%s", value);
		return true;
	}
	return false;
}

/* Find the mode in brackets, as in "none [integrity] confidentiality". */
static bool read_lockdown(char *ret, size_t size)
{
	char line[256];
	const char *at;

	if (!read_line("/sys/kernel/security/lockdown", line, sizeof(line)) || !(at = strchr(line, '[')))
		return false;
	snprintf(ret, size, "%.*s", (int)strcspn(at + 1, "]"), at + 1);
	return true;
}

static bool modules_are_disabled(void)
{
	char line[16];

	return read_line("/proc/sys/kernel/modules_disabled", line, sizeof(line)) && strcmp(line, "0");
}

static void put_text(struct json_writer *w, const char *name, const char *text)
{
	json_name(w, name);
	json_text(w, text && *text ? text : NULL);
}

void host_print_facts(const struct bundle *bundle, const struct host *host)
{
	const struct bundle_module *module = host_module(bundle, host);
	struct json_writer w = {.to = stdout};
	char system[256] = "", lockdown[64] = "";

	read_system_name(system, sizeof(system));
	read_lockdown(lockdown, sizeof(lockdown));
	json_object_begin(&w);
	put_text(&w, "release", host->names.release);
	put_text(&w, "build_id", host->build_id);
	put_text(&w, "architecture", host->names.machine);
	put_text(&w, "version", host->names.version);
	put_text(&w, "host", host->names.nodename);
	put_text(&w, "system", system);
	put_text(&w, "lockdown", lockdown);
	json_name(&w, "modules_disabled");
	json_bool(&w, modules_are_disabled());
	json_name(&w, "btf");
	json_bool(&w, !access("/sys/kernel/btf/vmlinux", R_OK));
	json_name(&w, "processors");
	json_number(&w, sysconf(_SC_NPROCESSORS_ONLN));
	put_text(&w, "module", module ? module->release.text : NULL);
	json_object_end(&w);
	putchar('\n');
}
