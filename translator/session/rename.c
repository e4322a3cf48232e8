// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Rename what is at a place, in all files that use it (references.c).
 *
 * A new name must not change what a script means. So it is refused if it is in use where the old one is visible, and in
 * other files if it occurs at all. Embedded C is text to the translator: a name that occurs in it keeps its name.
 */
#include "translator/session/internal.h"

#include <string.h>
#include <unistd.h>

#include "common/base/i18n.h"

static bool is_identifier(const char *name)
{
	struct tokens *tokens = tokens_new("<name>", name, strlen(name));
	bool good = tokens->all->len == 1 && token_at(tokens, 0)->kind == TOKEN_IDENTIFIER &&
		    (size_t)token_at(tokens, 0)->location.length == strlen(name) && !strchr(name, '$');

	tokens_free(tokens);
	return good;
}

/* ---- the document ------------------------------------------------------------------------------------------------ */

static bool has_embedded_body(const struct analysis *analysis, const struct name *name)
{
	const struct definition *definition =
		&g_array_index(analysis->definitions, struct definition, name->definition);

	return definition->function && definition->function->is_embedded;
}

/* Return the file of the library with this path, or NULL. */
static const struct library_file *library_file(struct document *document, const char *path)
{
	const struct translation *catalog = environment_catalog(document_environment(document));

	for_each_ptr(const struct library_file *, file, catalog->library_files) {
		if (!strcmp(file->path, path))
			return file;
	}
	return NULL;
}

/* Can the declaration of a function, global or macro be changed: in an open document, or in a tapset of -I? */
static bool is_ours(struct document *document, const struct source_file *declared_in)
{
	const struct library_file *file;

	if (!declared_in || session_document(document->session, declared_in->name))
		return declared_in;
	file = library_file(document, declared_in->name);
	return file && !file->is_library;
}

/* Return why a name cannot be changed, or NULL. */
static const char *obstacle(struct document *document, const struct name *name)
{
	const struct analysis *analysis = document_analysis(document);
	const struct symbol *local = NULL;

	if (name->kind == NAME_LOCAL)
		local_type(analysis, &g_array_index(analysis->definitions, struct definition, name->definition),
			   name->text, &local);
	if (local && local->location.file != analysis->source)
		return _("an alias sets this variable");
	if (name->kind == NAME_PARAMETER && has_embedded_body(analysis, name))
		return _("embedded C uses this name");
	if (name->symbol && name->symbol->in_embedded_c)
		return _("embedded C uses this name");
	if ((name->kind == NAME_FUNCTION || name->kind == NAME_GLOBAL) && !is_ours(document, name->declared.file))
		return _("it is not declared in an open script or a tapset of -I");
	return NULL;
}

static struct error *cannot_rename(const char *name, const char *reason)
{
	return error_new(ERROR_OTHER, _("cannot rename '%s': %s"), name, reason);
}

static struct error *check_macro(struct document *document, const char *macro)
{
	const struct tokens *tokens = document_tokens(document);
	struct macro_view view;
	guint index;

	if (tokens_macro_definition(tokens, macro, &index))
		return NULL;
	if (find_macro(document_analysis(document), macro, &view) && is_ours(document, view.location->file))
		return NULL;
	return cannot_rename(arena_printf(document->answers, "@%s", macro),
			     _("it is not declared in an open script or a tapset of -I"));
}

/* Can the name at a place be changed? */
static struct error *check_name(struct document *document, size_t offset)
{
	const struct name *name = document_name(document, offset);
	const char *macro = document_macro(document, offset), *reason;

	if (macro)
		return check_macro(document, macro);
	if (!name)
		return error_new(ERROR_OTHER, _("there is no name here that can be changed"));
	reason = obstacle(document, name);
	return reason ? cannot_rename(name->text, reason) : NULL;
}

struct error *document_prepare_rename(struct document *document, size_t offset, struct range *ret)
{
	const GPtrArray *ranges = document_highlights(document, offset);
	struct error *error = check_name(document, offset);

	if (error)
		return error;
	*ret = (struct range){offset, offset};
	for_each_ptr(const struct range *, range, ranges)
		if (range->from <= offset && offset <= range->to)
			*ret = *range;
	return NULL;
}

/* ---- the new name ------------------------------------------------------------------------------------------------ */

/* Is the new name in use in the document where the old one is visible? */
static bool is_taken(const struct analysis *analysis, const struct name *name, const char *new_name)
{
	bool is_local = name->kind == NAME_LOCAL || name->kind == NAME_PARAMETER;

	for (guint i = 0; i < analysis->names->len; i++) {
		const struct name *other = &g_array_index(analysis->names, struct name, i);
		bool is_near = !is_local || other->definition == name->definition || other->kind == NAME_GLOBAL;

		if (is_near && other->kind != NAME_ALIAS && !strcmp(other->text, new_name) &&
		    (other->kind == NAME_FUNCTION) == (name->kind == NAME_FUNCTION))
			return true;
	}
	return false;
}

static bool is_word_byte(char c)
{
	return g_ascii_isalnum(c) || c == '_';
}

static bool contains_word(const char *text, size_t length, const char *word)
{
	size_t word_length = strlen(word);
	const char *end = text + length, *at = text;

	for (; (at = memmem(at, (size_t)(end - at), word, word_length)); at++)
		if ((at == text || !is_word_byte(at[-1])) &&
		    (at + word_length == end || !is_word_byte(at[word_length])))
			return true;
	return false;
}

struct renaming {
	struct document *document;
	const char *old_name, *new_name;
	bool is_macro;
};

/* Return why a name cannot be changed in another file, or NULL. */
static const char *obstacle_in(const struct renaming *renaming, const struct tokens *tokens)
{
	guint index;

	for (guint i = 0; i < tokens->all->len; i++) {
		const struct token *token = token_at(tokens, i);

		if (token->kind == TOKEN_EMBEDDED && contains_word(token->source, token->length, renaming->old_name))
			return _("embedded C uses this name");
		if (!renaming->is_macro && token->kind == TOKEN_IDENTIFIER && !strcmp(token->text, renaming->new_name))
			return _("the new name means something else there");
	}
	return renaming->is_macro && tokens_macro_definition(tokens, renaming->new_name, &index)
		       ? _("the new name means something else there")
		       : NULL;
}

static struct error *check_open(const struct renaming *renaming, struct document *other)
{
	const char *reason = obstacle_in(renaming, document_tokens(other));

	return reason ? error_new(ERROR_OTHER, _("cannot rename '%s' in %s: %s"), renaming->old_name,
				  document_path(other), reason)
		      : NULL;
}

static struct error *check_closed(const struct renaming *renaming, const char *path)
{
	const struct library_file *file = library_file(renaming->document, path);
	const char *reason = NULL;
	struct tokens *tokens;

	if (file && access(path, W_OK))
		return error_errno(_("cannot rename '%s' in %s"), renaming->old_name, path);
	if (!file)
		return NULL;
	tokens = tokens_new(path, file->source->text, file->source->length);
	reason = obstacle_in(renaming, tokens);
	tokens_free(tokens);
	return reason ? error_new(ERROR_OTHER, _("cannot rename '%s' in %s: %s"), renaming->old_name, path, reason)
		      : NULL;
}

/* Check the files of places, which are sorted by file, but not the document itself. */
static struct error *check_others(const struct renaming *renaming, const GPtrArray *places)
{
	const char *last = renaming->document->path;
	struct error *error = NULL;

	for (guint i = 0; !error && i < places->len; i++) {
		const struct place *place = g_ptr_array_index(places, i);
		struct document *other = session_document(renaming->document->session, place->path);

		if (!strcmp(place->path, last) || other == renaming->document)
			continue;
		last = place->path;
		error = other ? check_open(renaming, other) : check_closed(renaming, place->path);
	}
	return error;
}

static struct error *check_new_name(const struct renaming *renaming, const struct name *name)
{
	const struct document *document = renaming->document;
	const char *new_name = renaming->new_name;

	if (!is_identifier(new_name))
		return error_new(ERROR_OTHER, _("'%s' is not a name"), new_name);
	if (!name || !is_taken(document->analysis, name, new_name))
		return NULL;
	return error_new(ERROR_OTHER, _("cannot rename '%s': '%s' means something else here"), name->text, new_name);
}

struct error *document_rename(struct document *document, size_t offset, const char *name, const GPtrArray **ret)
{
	const GPtrArray *places = document_references(document, offset, true);
	struct error *error = check_name(document, offset);
	const struct name *old;
	struct renaming renaming;

	if (error)
		return error;
	old = document_name(document, offset);
	renaming = (struct renaming){
		.document = document,
		.old_name = document_macro(document, offset) ?: old->text,
		.new_name = name,
		.is_macro = document_macro(document, offset),
	};
	error = check_new_name(&renaming, renaming.is_macro ? NULL : old);
	error = error ?: check_others(&renaming, places);
	*ret = places;
	return error;
}
