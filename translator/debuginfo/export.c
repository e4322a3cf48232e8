// SPDX-License-Identifier: GPL-2.0-or-later
/* --export-debuginfo: write the debuginfo of a kernel and its modules to a digest, one object at a time. */
#include "translator/debuginfo/digest/digest.h"

static struct error *add_module(struct digest_writer *writer, const struct target_kernel *kernel,
				const struct debuginfo_search *search, const char *module)
{
	g_autoptr(GPtrArray) tracepoints = g_ptr_array_new();
	struct debuginfo *debuginfo = NULL;
	struct error *error = debuginfo_open(kernel, search, module, &debuginfo);

	error = error ?: debuginfo_require(debuginfo, KNOWS_LOCALS);
	error = error ?: debuginfo_tracepoints(debuginfo, "*", "*", tracepoints);
	error = error ?: digest_add(writer, debuginfo, tracepoints);
	debuginfo_close(debuginfo);
	return error;
}

struct error *debuginfo_export(const struct target_kernel *kernel, const struct debuginfo_search *search,
			       const GPtrArray *modules, const char *path)
{
	struct digest_writer *writer;
	struct error *error = digest_begin(path, &writer);

	for_each_ptr(const char *, module, modules)
		error = error ?: add_module(writer, kernel, search, module);
	return digest_end(writer, kernel->release, error);
}
