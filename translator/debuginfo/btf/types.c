// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Types from BTF (Documentation/bpf/btf.rst): the same struct type, with the same spelling, as types/from_dwarf.c makes
 * from DWARF.
 *
 * BTF is a list of types that refer to each other by number; in a module the numbers continue after those of the
 * kernel. libbpf checks that each entry is complete and that names are inside the strings, but not where references
 * lead. Here an invalid number is void, and loops end after some levels.
 */
#include "translator/debuginfo/btf/btf.h"
#include "translator/debuginfo/types/types.h"

#include <bpf/btf.h>
#include <string.h>

#include "common/base/i18n.h"

#define MOST_LEVELS 32
#define MOST_SPELLED 4096 /* letters; a malformed chain of function types could grow without end */

static const struct btf_type *type_at(const struct debuginfo *debuginfo, uint32_t id)
{
	return id ? btf__type_by_id(debuginfo->btf, id) : NULL;
}

/* Return the name of a type or member; NULL if it has none. */
static const char *name_of(const struct debuginfo *debuginfo, uint32_t offset)
{
	const char *name = btf__name_by_offset(debuginfo->btf, offset);

	return name && name[0] ? name : NULL;
}

static bool is_qualifier(unsigned int kind)
{
	return kind == BTF_KIND_CONST || kind == BTF_KIND_VOLATILE || kind == BTF_KIND_RESTRICT;
}

/* ---- spelling ---- */

static char *spell(const struct debuginfo *debuginfo, uint32_t id, const char *declarator, int level);

static char *spell_named(const char *keyword, const char *name, const char *declarator)
{
	if (!name)
		name = keyword[0] ? "{...}" : "?";
	return g_strconcat(keyword, name, declarator[0] ? " " : "", declarator, NULL);
}

static char *spell_pointer(const struct debuginfo *debuginfo, const struct btf_type *type, const char *declarator,
			   int level)
{
	const struct btf_type *target = type_at(debuginfo, type->type);
	bool parentheses = target && (btf_is_array(target) || btf_is_func_proto(target));
	g_autofree char *inner = g_strdup_printf(parentheses ? "(*%s)" : "*%s", declarator);

	return spell(debuginfo, type->type, inner, level + 1);
}

/* A qualifier of a pointer follows the star: "char *const", but "const char *". */
static char *spell_qualified(const struct debuginfo *debuginfo, const struct btf_type *type, const char *declarator,
			     int level)
{
	static const char *const words[NR_BTF_KINDS] = {
		[BTF_KIND_CONST] = "const", [BTF_KIND_VOLATILE] = "volatile", [BTF_KIND_RESTRICT] = "restrict"};
	const char *word = words[btf_kind(type)];
	const struct btf_type *target = type_at(debuginfo, type->type);
	g_autofree char *inner = NULL;

	if (!target || !btf_is_ptr(target)) {
		inner = spell(debuginfo, type->type, declarator, level + 1);
		return g_strdup_printf("%s %s", word, inner);
	}
	inner = declarator[0] ? g_strdup_printf("%s %s", word, declarator) : g_strdup(word);
	return spell(debuginfo, type->type, inner, level + 1);
}

static char *spell_array(const struct debuginfo *debuginfo, const struct btf_type *type, const char *declarator,
			 int level)
{
	const struct btf_array *array = btf_array(type);
	g_autofree char *inner = NULL;

	if (array->nelems)
		inner = g_strdup_printf("%s[%u]", declarator, array->nelems);
	else
		inner = g_strconcat(declarator, "[]", NULL);
	return spell(debuginfo, array->type, inner, level + 1);
}

static char *spell_function(const struct debuginfo *debuginfo, const struct btf_type *type, const char *declarator,
			    int level)
{
	g_autoptr(GString) inner = g_string_new(declarator);
	unsigned int count = btf_vlen(type);

	g_string_append_c(inner, '(');
	for (unsigned int i = 0; i < count && inner->len < MOST_SPELLED; i++) {
		uint32_t id = btf_params(type)[i].type;
		g_autofree char *parameter = id ? spell(debuginfo, id, "", level + 1) : g_strdup("...");

		g_string_append_printf(inner, "%s%s", i ? ", " : "", parameter);
	}
	g_string_append(inner, count ? ")" : "void)");
	return spell(debuginfo, type->type, inner->str, level + 1);
}

static char *spell(const struct debuginfo *debuginfo, uint32_t id, const char *declarator, int level)
{
	const struct btf_type *type = type_at(debuginfo, id);

	if (level > MOST_LEVELS || strlen(declarator) > MOST_SPELLED)
		return g_strdup("?");
	if (!type)
		return spell_named("", "void", declarator);
	switch (btf_kind(type)) {
	case BTF_KIND_PTR:
		return spell_pointer(debuginfo, type, declarator, level);
	case BTF_KIND_CONST:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_RESTRICT:
		return spell_qualified(debuginfo, type, declarator, level);
	case BTF_KIND_TYPE_TAG:
		return spell(debuginfo, type->type, declarator, level + 1);
	case BTF_KIND_ARRAY:
		return spell_array(debuginfo, type, declarator, level);
	case BTF_KIND_FUNC_PROTO:
		return spell_function(debuginfo, type, declarator, level);
	case BTF_KIND_STRUCT:
		return spell_named("struct ", name_of(debuginfo, type->name_off), declarator);
	case BTF_KIND_UNION:
		return spell_named("union ", name_of(debuginfo, type->name_off), declarator);
	case BTF_KIND_FWD:
		return spell_named(btf_kflag(type) ? "union " : "struct ", name_of(debuginfo, type->name_off),
				   declarator);
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return spell_named("enum ", name_of(debuginfo, type->name_off), declarator);
	default:
		return spell_named("", name_of(debuginfo, type->name_off), declarator);
	}
}

/* ---- types ---- */

static struct type *make_type(struct debuginfo *debuginfo, uint32_t id, int level);

static void fill_integer(struct type *type, const struct btf_type *from)
{
	unsigned int encoding = btf_int_encoding(from);

	type->kind = KIND_INTEGER;
	type->is_signed = encoding & BTF_INT_SIGNED;
	type->is_bool = encoding & BTF_INT_BOOL;
	type->is_char = encoding & BTF_INT_CHAR || (type->size == 1 && type->name && strstr(type->name, "char"));
}

static void fill_array(struct debuginfo *debuginfo, struct type *type, const struct btf_type *from, int level)
{
	type->kind = KIND_ARRAY;
	type->target = make_type(debuginfo, btf_array(from)->type, level + 1);
	type->count = btf_array(from)->nelems;
	type->size = type->count * type->target->size;
}

static void fill_type(struct debuginfo *debuginfo, struct type *type, const struct btf_type *from, int level)
{
	switch (btf_kind(from)) {
	case BTF_KIND_INT:
		type->size = from->size;
		fill_integer(type, from);
		break;
	case BTF_KIND_FLOAT:
		type->kind = KIND_FLOAT;
		type->size = from->size;
		break;
	case BTF_KIND_PTR:
		type->kind = KIND_POINTER;
		type->size = 8;
		type->target = make_type(debuginfo, from->type, level + 1);
		break;
	case BTF_KIND_ARRAY:
		fill_array(debuginfo, type, from, level);
		break;
	case BTF_KIND_STRUCT:
		type->kind = KIND_STRUCT;
		type->size = from->size;
		break;
	case BTF_KIND_UNION:
		type->kind = KIND_UNION;
		type->size = from->size;
		break;
	case BTF_KIND_FWD:
		type->kind = btf_kflag(from) ? KIND_UNION : KIND_STRUCT;
		type->is_declaration = true;
		break;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		type->kind = KIND_ENUM;
		type->size = from->size;
		type->is_signed = btf_kflag(from);
		break;
	case BTF_KIND_FUNC_PROTO:
		type->kind = KIND_FUNCTION;
		type->target = make_type(debuginfo, from->type, level + 1);
		break;
	default:
		type->kind = KIND_VOID;
	}
}

/* Skip typedefs and qualifiers. Return 0 for void or a loop. */
static uint32_t strip(const struct debuginfo *debuginfo, uint32_t id)
{
	for (int i = 0; i < MOST_LEVELS; i++) {
		const struct btf_type *type = type_at(debuginfo, id);

		if (!type)
			return 0;
		if (!btf_is_typedef(type) && !is_qualifier(btf_kind(type)) && btf_kind(type) != BTF_KIND_TYPE_TAG)
			return id;
		id = type->type;
	}
	return 0;
}

/* Return the definition of a type that is only declared, or @p id itself. */
static uint32_t find_definition(const struct debuginfo *debuginfo, uint32_t id)
{
	const struct btf_type *type = type_at(debuginfo, id);
	const char *name = name_of(debuginfo, type->name_off);
	int found;

	if (!btf_is_fwd(type) || !name)
		return id;
	found = btf__find_by_name_kind(debuginfo->btf, name, btf_kflag(type) ? BTF_KIND_UNION : BTF_KIND_STRUCT);
	return found > 0 ? (uint32_t)found : id;
}

static struct type *make_type(struct debuginfo *debuginfo, uint32_t id, int level)
{
	struct type *type = g_hash_table_lookup(debuginfo->types, GSIZE_TO_POINTER(id));
	uint32_t stripped = strip(debuginfo, id);
	g_autofree char *spelling = NULL;

	if (type)
		return type;
	if (!id || level > MOST_LEVELS)
		return type_void(debuginfo);
	type = arena_new0(debuginfo->arena, struct type);
	spelling = spell(debuginfo, id, "", 0);
	type->kind = KIND_VOID;
	type->spelling = arena_strdup(debuginfo->arena, spelling);
	type->debuginfo = debuginfo;
	if (stripped) {
		const struct btf_type *from;

		stripped = find_definition(debuginfo, stripped);
		from = type_at(debuginfo, stripped);
		type->name = name_of(debuginfo, from->name_off);
		type->die = GSIZE_TO_POINTER(stripped);
		fill_type(debuginfo, type, from, level);
	}
	g_hash_table_insert(debuginfo->types, GSIZE_TO_POINTER(id), type);
	return type;
}

struct type *btf_make_type(struct debuginfo *debuginfo, uint32_t id)
{
	return make_type(debuginfo, id, 0);
}

/* ---- by name ---- */

static const struct {
	const char *word;
	unsigned int kind;
} kinds[] = {
	{"struct ", BTF_KIND_STRUCT}, {"union ", BTF_KIND_UNION}, {"enum ", BTF_KIND_ENUM},  {"enum ", BTF_KIND_ENUM64},
	{"", BTF_KIND_TYPEDEF},	      {"", BTF_KIND_INT},	  {"struct ", BTF_KIND_FWD}, {"union ", BTF_KIND_FWD},
};

/* Find a type by "struct x", or by "x" for any kind. */
static int find_kind(const struct debuginfo *debuginfo, const char *name)
{
	int id = 0;

	for (size_t i = 0; i < G_N_ELEMENTS(kinds) && id <= 0; i++) {
		const char *word = kinds[i].word;
		bool has_word = word[0] && g_str_has_prefix(name, word);

		if (has_word || !strchr(name, ' '))
			id = btf__find_by_name_kind(debuginfo->btf, has_word ? name + strlen(word) : name,
						    kinds[i].kind);
	}
	return id > 0 ? id : btf__find_by_name_kind(debuginfo->btf, base_type_name(name), BTF_KIND_INT);
}

struct error *btf_find_type(struct debuginfo *debuginfo, const char *name, struct type **ret)
{
	int id = find_kind(debuginfo, name);

	*ret = id > 0 ? make_type(debuginfo, (uint32_t)id, 0) : NULL;
	return NULL;
}

struct error *btf_type_names(struct debuginfo *debuginfo, GPtrArray *ret)
{
	unsigned int count = btf__type_cnt(debuginfo->btf);

	for (uint32_t id = 1; id < count; id++) {
		const struct btf_type *type = type_at(debuginfo, id);
		const char *name = name_of(debuginfo, type->name_off);

		if (name && (btf_is_composite(type) || btf_is_any_enum(type) || btf_is_typedef(type)))
			g_ptr_array_add(ret, (void *)name);
	}
	return NULL;
}

/* ---- members ---- */

static struct member *new_member(struct debuginfo *debuginfo, const struct btf_type *outer, unsigned int number)
{
	const struct btf_member *from = &btf_members(outer)[number];
	uint32_t bit = btf_member_bit_offset(outer, number), bits = btf_member_bitfield_size(outer, number);
	const struct btf_type *type = type_at(debuginfo, strip(debuginfo, from->type));
	struct member *member = arena_new0(debuginfo->arena, struct member);

	member->name = name_of(debuginfo, from->name_off);
	member->type = make_type(debuginfo, from->type, 0);
	member->offset = bit / 8;
	/* Old encoders represent the size of a bit-field by a special integer type. */
	if (!btf_kflag(outer) && type && btf_is_int(type) && btf_int_bits(type) < type->size * 8) {
		bits = btf_int_bits(type);
		bit += btf_int_offset(type);
	}
	if (bits && bits <= 64) {
		member->is_bit_field = true;
		member->bit_size = (int)bits;
		member_place_bits(member, bit);
	}
	return member;
}

struct error *btf_struct_members(struct type *type, const GPtrArray **ret)
{
	struct debuginfo *debuginfo = type->debuginfo;
	GPtrArray *members = g_hash_table_lookup(debuginfo->members, type->die);

	if (!members) {
		const struct btf_type *outer = type_at(debuginfo, GPOINTER_TO_SIZE(type->die));

		members = arena_ptr_array(debuginfo->arena);
		for (unsigned int i = 0; outer && i < btf_vlen(outer); i++)
			g_ptr_array_add(members, new_member(debuginfo, outer, i));
		g_hash_table_insert(debuginfo->members, type->die, members);
	}
	*ret = members;
	return NULL;
}

/* ---- enumerators ---- */

static int64_t enumerator_value(const struct btf_type *type, unsigned int number)
{
	if (btf_is_enum64(type))
		return (int64_t)btf_enum64_value(&btf_enum64(type)[number]);
	/* Without the flag, values are unsigned. */
	return btf_kflag(type) ? btf_enum(type)[number].val : (int64_t)(uint32_t)btf_enum(type)[number].val;
}

struct error *btf_enum_values(struct type *type, const GPtrArray **ret)
{
	struct debuginfo *debuginfo = type->debuginfo;
	GPtrArray *enumerators = g_hash_table_lookup(debuginfo->enumerators, type->die);

	if (!enumerators) {
		const struct btf_type *from = type_at(debuginfo, GPOINTER_TO_SIZE(type->die));

		enumerators = arena_ptr_array(debuginfo->arena);
		for (unsigned int i = 0; from && i < btf_vlen(from); i++) {
			struct enumerator *enumerator = arena_new0(debuginfo->arena, struct enumerator);
			uint32_t name = btf_is_enum64(from) ? btf_enum64(from)[i].name_off : btf_enum(from)[i].name_off;

			enumerator->name = name_of(debuginfo, name);
			enumerator->value = enumerator_value(from, i);
			if (enumerator->name)
				g_ptr_array_add(enumerators, enumerator);
		}
		g_hash_table_insert(debuginfo->enumerators, type->die, enumerators);
	}
	*ret = enumerators;
	return NULL;
}

struct error *btf_find_enumerator(struct debuginfo *debuginfo, const char *name, int64_t *ret, bool *found)
{
	const struct btf_type *from;

	for (uint32_t id = 1; !*found && (from = type_at(debuginfo, id)); id++) {
		for (unsigned int i = 0; !*found && btf_is_any_enum(from) && i < btf_vlen(from); i++) {
			uint32_t at = btf_is_enum64(from) ? btf_enum64(from)[i].name_off : btf_enum(from)[i].name_off;
			const char *own = name_of(debuginfo, at);

			*found = own && !strcmp(own, name);
			if (*found)
				*ret = enumerator_value(from, i);
		}
	}
	return NULL;
}
