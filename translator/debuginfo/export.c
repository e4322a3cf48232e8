// SPDX-License-Identifier: GPL-2.0-or-later
/* --export-debuginfo: the debuginfo of a kernel and its modules, opened one after the other and put into a digest. */
#include "translator/debuginfo/digest/digest.h"

static struct error *add_module(struct digest_writer *writer, const struct target_kernel *kernel, const char *module,
				const char *cache_folder)
{
	g_autoptr(GPtrArray) tracepoints = g_ptr_array_new();
	struct debuginfo *debuginfo = NULL;
	struct error *error = debuginfo_open(kernel, module, cache_folder, &debuginfo);

	error = error ?: debuginfo_require(debuginfo, KNOWS_LOCALS);
	error = error ?: debuginfo_tracepoints(debuginfo, "*", "*", tracepoints);
	error = error ?: digest_add(writer, debuginfo, tracepoints);
	debuginfo_close(debuginfo);
	return error;
}

struct error *debuginfo_export(const struct target_kernel *kernel, const GPtrArray *modules, const char *cache_folder,
			       const char *path)
{
	struct digest_writer *writer;
	struct error *error = digest_begin(path, &writer);

	for_each_ptr(const char *, module, modules)
		error = error ?: add_module(writer, kernel, module, cache_folder);
	return digest_end(writer, kernel->release, error);
}
