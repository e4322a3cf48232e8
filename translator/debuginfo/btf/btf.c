// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * BTF as a source: types and prototypes of functions, without facts about code.
 *
 * A function's prototype has the names and types of its parameters. Their locations follow from the calling convention
 * (abi/), at the function's entry only. That is wrong for functions that the compiler derived from another (f.isra.0,
 * f.constprop.0). If several functions have the same name, it is not known to which of them the prototype belongs. In
 * both cases parameters are refused. The only variables in BTF are per-CPU ones.
 *
 * The kernel's BTF is in vmlinux, in the boot image, and in /sys/kernel/btf/vmlinux. It is read once for the kernel and
 * all its modules, whose own BTF continues its numbering.
 */
#include "translator/debuginfo/btf/btf.h"
#include "translator/debuginfo/index/index.h"
#include "translator/debuginfo/kernel/kernel.h"
#include "translator/debuginfo/location/location.h"
#include "translator/debuginfo/location/values.h"
#include "translator/debuginfo/types/types.h"

#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/read_write.h"

/* ---- loading ---- */

static int print_nothing(enum libbpf_print_level level, const char *format, va_list args)
{
	return 0; /* Spile prints its own messages */
}

/* Load split BTF, which libbpf before 1.6 reads from files only. */
static struct btf *split_btf(struct span span, struct btf *base)
{
	_cleanup_close_ int fd = memfd_create("btf", MFD_CLOEXEC);
	g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", fd);

	if (fd < 0 || !write_all(fd, (const char *)span.data, span.size))
		return NULL;
	return btf__parse_raw_split(path, base);
}

static struct btf *btf_of_elf(Elf *elf, struct btf *base)
{
	struct span span = elf_section_span(elf, ".BTF");
	struct btf *btf;

	if (!span.size || span.size > UINT32_MAX)
		return NULL;
	libbpf_set_print(print_nothing);
	btf = base ? split_btf(span, base) : btf__new(span.data, (uint32_t)span.size);
	return libbpf_get_error(btf) ? NULL : btf;
}

static struct btf *btf_of_vmlinux(const char *path)
{
	_cleanup_close_ int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	struct btf *btf = NULL;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (elf)
		btf = btf_of_elf(elf, NULL);
	elf_end(elf);
	return btf;
}

static struct btf *btf_of_image(const char *path)
{
	struct image *image = NULL;
	struct btf *btf = NULL;
	Elf *elf = path ? image_open(path, &image) : NULL;

	if (elf)
		btf = btf_of_elf(elf, NULL);
	elf_end(elf);
	image_free(image);
	return btf;
}

static struct btf *btf_of_running(const struct target_kernel *kernel, const char *root)
{
	g_autofree char *path = g_strconcat(root, "/sys/kernel/btf/vmlinux", NULL);
	struct btf *btf;

	if (!kernel_is_running(kernel, root))
		return NULL;
	libbpf_set_print(print_nothing);
	btf = btf__parse_raw(path);
	return libbpf_get_error(btf) ? NULL : btf;
}

/*
 * Return the BTF of a kernel, which is read once and kept until the process exits. @p elf is its file if it is already
 * open.
 */
static struct btf *kernel_btf(const struct target_kernel *kernel, const char *root, Elf *elf)
{
	static GHashTable *known;
	g_autofree char *key = g_strjoin("\n", root, kernel->release, kernel->vmlinux ?: "", NULL);
	struct btf *btf;

	if (!known)
		known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	btf = g_hash_table_lookup(known, key);
	if (btf)
		return btf;
	btf = elf ? btf_of_elf(elf, NULL) : btf_of_vmlinux(kernel->vmlinux);
	if (!btf && !elf)
		btf = btf_of_image(kernel->image);
	btf = btf ?: btf_of_running(kernel, root);
	if (btf)
		g_hash_table_insert(known, g_steal_pointer(&key), btf);
	return btf;
}

bool btf_load(struct debuginfo *debuginfo)
{
	if (debuginfo->kind == OBJECT_KERNEL) {
		debuginfo->btf = kernel_btf(&debuginfo->kernel, debuginfo->search.root, debuginfo->debug.elf);
	} else {
		debuginfo->base_btf = kernel_btf(&debuginfo->kernel, debuginfo->search.root, NULL);
		if (debuginfo->base_btf)
			debuginfo->btf = btf_of_elf(debuginfo->debug.elf, debuginfo->base_btf);
	}
	return debuginfo->btf != NULL;
}

void btf_close(struct debuginfo *debuginfo)
{
	if (debuginfo->btf_functions)
		g_hash_table_unref(debuginfo->btf_functions);
	if (debuginfo->base_btf)
		btf__free(debuginfo->btf);
	debuginfo->btf = debuginfo->base_btf = NULL;
	debuginfo->btf_functions = NULL;
}

/* Return the functions by name; for a module, only its own. */
static GHashTable *functions_by_name(const struct debuginfo *debuginfo)
{
	uint32_t first = debuginfo->base_btf ? btf__type_cnt(debuginfo->base_btf) : 1;
	uint32_t count = btf__type_cnt(debuginfo->btf);
	GHashTable *functions = g_hash_table_new(g_str_hash, g_str_equal);

	for (uint32_t id = first; id < count; id++) {
		const struct btf_type *type = btf__type_by_id(debuginfo->btf, id);
		const char *name = btf_is_func(type) ? btf__name_by_offset(debuginfo->btf, type->name_off) : NULL;

		if (name)
			g_hash_table_insert(functions, (gpointer)name, GSIZE_TO_POINTER(id));
	}
	return functions;
}

static uint32_t btf_function(struct debuginfo *debuginfo, const char *name)
{
	if (!debuginfo->btf_functions)
		debuginfo->btf_functions = functions_by_name(debuginfo);
	return (uint32_t)GPOINTER_TO_SIZE(g_hash_table_lookup(debuginfo->btf_functions, name));
}

/* ---- prototypes ---- */

static unsigned int count_symbols(const struct debuginfo *debuginfo, const char *name)
{
	const struct index *index = debuginfo->index;
	uint64_t first = index_find_symbol(index, name), i;

	for (i = first; i < index->symbol_count; i++)
		if (strcmp(index_string(index, index->symbols[i].name), name) != 0)
			break;
	return (unsigned int)(i - first);
}

/*
 * Did the compiler derive this function from another ("f.isra.0" from f)? clang's suffix ".llvm." for whole-program
 * linking does not mean that.
 */
static bool is_remade(const struct function *function)
{
	const char *suffix = function->symbol ? strchr(function->symbol, '.') : NULL;

	return suffix && !strchr(function->name, '.') && !g_str_has_prefix(suffix, ".llvm.");
}

static struct error *find_prototype(const struct function *function, const struct btf_type **ret)
{
	struct debuginfo *debuginfo = function->debuginfo;
	const struct btf_type *type = btf__type_by_id(debuginfo->btf, (uint32_t)GPOINTER_TO_SIZE(function->die));

	if (is_remade(function))
		return debuginfo_symbols_hint(
			error_new(ERROR_DEBUGINFO,
				  _("the compiler derived '%s' from '%s', and BTF does not describe its "
				    "parameters"),
				  function->symbol, function->name),
			&debuginfo->kernel);
	*ret = type && btf_is_func(type) ? btf__type_by_id(debuginfo->btf, type->type) : NULL;
	if (!*ret || !btf_is_func_proto(*ret))
		return debuginfo_symbols_hint(error_new(ERROR_DEBUGINFO, _("BTF has no prototype of '%s'"),
							function->name),
					      &debuginfo->kernel);
	if (count_symbols(debuginfo, function->name) > 1)
		return debuginfo_symbols_hint(
			error_new(ERROR_DEBUGINFO,
				  _("several functions are named '%s', and BTF does not distinguish their "
				    "parameters"),
				  function->name),
			&debuginfo->kernel);
	return NULL;
}

static struct error *btf_result_type(const struct function *function, struct type **ret)
{
	const struct btf_type *prototype;
	struct error *error = find_prototype(function, &prototype);

	if (!error)
		*ret = btf_make_type(function->debuginfo, prototype->type);
	return error;
}

/* ---- parameters ---- */

static struct error *btf_variables(const struct function *function, uint64_t pc, bool parameters, bool locals,
				   GPtrArray *ret)
{
	struct debuginfo *debuginfo = function->debuginfo;
	const struct btf_type *prototype;
	struct abi_arguments used = {0, 0};
	struct error *error = find_prototype(function, &prototype);

	for (unsigned int i = 0; !error && parameters && i < btf_vlen(prototype); i++) {
		const struct btf_param *parameter = &btf_params(prototype)[i];
		const char *name = btf__name_by_offset(debuginfo->btf, parameter->name_off);
		struct variable *variable = variable_new(debuginfo);

		if (!parameter->type) /* "..." */
			break;
		variable->name = name && name[0] ? name : arena_printf(debuginfo->arena, "arg%u", i + 1);
		variable->type = btf_make_type(debuginfo, parameter->type);
		variable->is_parameter = true;
		error = location_by_convention(debuginfo, &used, variable);
		g_ptr_array_add(ret, variable);
	}
	return error;
}

static struct error *not_a_parameter(const struct function *function, const GPtrArray *parameters, const char *name)
{
	g_autoptr(GString) names = g_string_new(NULL);
	g_autofree char *advice = debuginfo_symbols_advice(&function->debuginfo->kernel);
	struct error *error =
		error_new(ERROR_DEBUGINFO, _("'$%s' is not a parameter of '%s', and BTF has no other variables"), name,
			  function->name);

	for_each_ptr(const struct variable *, variable, parameters)
		g_string_append_printf(names, "%s$%s", names->len ? ", " : "", variable->name);
	if (!names->len)
		return debuginfo_symbols_hint(error, &function->debuginfo->kernel);
	/* TRANSLATORS: the last is where debug symbols come from: "install linux-image-6.1.0-9-amd64-dbg, or …" */
	return error_with_hint(error, _("its parameters are: %s; for others, %s"), names->str, advice);
}

static struct error *btf_find_variable(const struct function *function, uint64_t pc, const char *name,
				       const struct variable **ret)
{
	g_autoptr(GPtrArray) parameters = g_ptr_array_new();
	struct error *error = btf_variables(function, pc, true, false, parameters);

	if (error)
		return error;
	for_each_ptr(const struct variable *, variable, parameters) {
		if (strcmp(variable->name, name) == 0) {
			*ret = variable;
			return NULL;
		}
	}
	return not_a_parameter(function, parameters, name);
}

/* ---- file-level variables ---- */

static struct error *btf_find_global(struct debuginfo *debuginfo, const char *name, const char *file,
				     const struct variable **ret)
{
	int id = btf__find_by_name_kind(debuginfo->btf, name, BTF_KIND_VAR);
	struct variable *variable;
	struct address symbol;
	struct error *error = debuginfo_symbol_address(debuginfo, name, &symbol);

	if (error)
		return error;
	if (file)
		return debuginfo_symbols_hint(error_new(ERROR_DEBUGINFO, _("BTF does not know in which file '%s' is"),
							name),
					      &debuginfo->kernel);
	variable = variable_new(debuginfo);
	variable->name = arena_strdup(debuginfo->arena, name);
	/* BTF describes only per-CPU variables; for others, the address is still known. */
	variable->type = id > 0 ? btf_make_type(debuginfo, btf__type_by_id(debuginfo->btf, (uint32_t)id)->type)
				: type_void(debuginfo);
	variable->is_global = true;
	location_of_address(debuginfo, debuginfo_dwarf_address(debuginfo, symbol), variable);
	*ret = variable;
	return NULL;
}

const struct reader_operations btf_reader = {
	.knows = KNOWS_TYPES,
	.function_type = btf_function,
	.variables = btf_variables,
	.find_variable = btf_find_variable,
	.result_type = btf_result_type,
	.find_global = btf_find_global,
	.find_type = btf_find_type,
	.type_names = btf_type_names,
	.members = btf_struct_members,
	.enumerators = btf_enum_values,
	.find_enumerator = btf_find_enumerator,
};
