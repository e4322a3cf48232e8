// SPDX-License-Identifier: GPL-2.0-or-later
/* Read all parts of a bundle for --bundle-add, with the reader that bundles themselves use. */
#include "translator/bundle/parts.h"

#include <fcntl.h>
#include <string.h>

#include "bundle/reader.h"
#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "translator/translation.h"

static GPtrArray *copy_texts(struct arena *arena, const struct bundle_texts *list)
{
	GPtrArray *copy = arena_ptr_array(arena);

	for (unsigned int i = 0; i < list->count; i++)
		g_ptr_array_add(copy, arena_strdup(arena, list->texts[i]));
	return copy;
}

static struct error *extract(struct arena *arena, const struct bundle *bundle, unsigned int blob, const char **data,
			     size_t *size)
{
	_cleanup_free_ char *bytes = NULL;
	struct error *error = bundle_extract(bundle, blob, &bytes, size);

	if (!error)
		*data = arena_strndup(arena, bytes, *size);
	return error;
}

static struct error *read_module(const struct bundle *bundle, const struct bundle_module *module,
				 struct bundle_parts *parts)
{
	struct module_part *part = arena_new0(parts->arena, struct module_part);

	part->release = arena_strdup(parts->arena, module->release.text);
	if (*module->build_id.text)
		part->build_id = arena_strdup(parts->arena, module->build_id.text);
	part->architecture = architecture_by_name(module->machine.text);
	if (!part->architecture)
		return error_new(ERROR_UNSUPPORTED, _("%s has a module for the unknown architecture %s"), bundle->name,
				 module->machine.text);
	part->notes = copy_texts(parts->arena, &module->notes);
	bundle_parts_add(parts, part);
	return extract(parts->arena, bundle, module->blob, &part->image, &part->size);
}

static struct error *read_parts(const struct bundle *bundle, struct bundle_parts *parts)
{
	struct error *error = NULL;

	parts->script = arena_strdup(parts->arena, bundle->script);
	parts->options = copy_texts(parts->arena, &bundle->options);
	parts->arguments = copy_texts(parts->arena, &bundle->arguments);
	if (bundle->text >= 0)
		error = extract(parts->arena, bundle, (unsigned int)bundle->text, &parts->text, &parts->text_length);
	for (unsigned int i = 0; i < bundle->module_count && !error; i++)
		error = read_module(bundle, &bundle->modules[i], parts);
	return error;
}

struct error *bundle_read(struct arena *arena, const char *path, struct bundle_parts **ret)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct bundle bundle;
	struct error *error;

	if (fd < 0)
		return error_errno(_("cannot read %s"), path);
	error = bundle_open(fd, path, &bundle);
	if (error)
		return error;
	*ret = bundle_parts_new(arena);
	error = read_parts(&bundle, *ret);
	bundle_close(&bundle);
	return error;
}
