// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Converting DIEs to struct type, with the C spelling.
 *
 * A type is made once per DIE and kept, so equal pointers mean equal DIEs. Making one follows pointers only as far as
 * its spelling requires; members of a struct are read on demand. An incomplete "struct foo;" is replaced by the
 * definition that the index has from another unit.
 */
#include "translator/debuginfo/index/index.h"
#include "translator/debuginfo/types/types.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/i18n.h"

/* Limits of nested pointers, qualifiers and typedefs, and of parts of a class; more is a loop in malformed DWARF. */
#define MOST_LEVELS 64
#define MOST_CLASSES 256
#define MOST_DIMENSIONS 16

static bool attribute_flag(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attribute;
	bool value = false;

	return dwarf_attr(die, name, &attribute) && dwarf_formflag(&attribute, &value) == 0 && value;
}

static bool attribute_number(Dwarf_Die *die, unsigned int name, uint64_t *value)
{
	Dwarf_Attribute attribute;

	return dwarf_attr_integrate(die, name, &attribute) && dwarf_formudata(&attribute, value) == 0;
}

static bool is_qualifier(int tag)
{
	return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type || tag == DW_TAG_restrict_type ||
	       tag == DW_TAG_atomic_type;
}

/* ---- spelling ---- */

/* Spell a type in C: the declarator grows around the (absent) name from the inside out. */
static char *spell(struct debuginfo *debuginfo, Dwarf_Die *die, const char *declarator, int level);

static char *spell_void(const char *declarator)
{
	return declarator[0] ? g_strdup_printf("void %s", declarator) : g_strdup("void");
}

/* Spell the type that @p die refers to, around @p declarator. */
static char *spell_target(struct debuginfo *debuginfo, Dwarf_Die *die, const char *declarator, int level)
{
	Dwarf_Die target;

	return die_type(debuginfo, die, &target) ? spell(debuginfo, &target, declarator, level + 1)
						 : spell_void(declarator);
}

static char *spell_named(const char *keyword, Dwarf_Die *die, const char *declarator)
{
	const char *name = dwarf_diename(die);
	g_autofree char *text = NULL;

	if (!name)
		name = keyword[0] ? "{...}" : "?";
	text = g_strconcat(keyword, name, NULL);
	return declarator[0] ? g_strconcat(text, " ", declarator, NULL) : g_steal_pointer(&text);
}

static bool binds_tighter_than_pointer(struct debuginfo *debuginfo, Dwarf_Die *die)
{
	Dwarf_Die target;
	int tag;

	if (!die_type(debuginfo, die, &target))
		return false;
	tag = dwarf_tag(&target);
	return tag == DW_TAG_array_type || tag == DW_TAG_subroutine_type;
}

static char *spell_pointer(struct debuginfo *debuginfo, Dwarf_Die *die, const char *declarator, int level)
{
	bool parentheses = binds_tighter_than_pointer(debuginfo, die);
	g_autofree char *inner = g_strdup_printf(parentheses ? "(*%s)" : "*%s", declarator);

	return spell_target(debuginfo, die, inner, level);
}

static const char *qualifier_word(int tag)
{
	switch (tag) {
	case DW_TAG_const_type:
		return "const";
	case DW_TAG_volatile_type:
		return "volatile";
	case DW_TAG_restrict_type:
		return "restrict";
	default:
		return "_Atomic";
	}
}

/* A qualifier of a pointer follows the star: "char *const", but "const char *". */
static char *spell_qualified(struct debuginfo *debuginfo, Dwarf_Die *die, const char *declarator, int level)
{
	const char *word = qualifier_word(dwarf_tag(die));
	g_autofree char *inner = NULL;
	Dwarf_Die target;

	if (!die_type(debuginfo, die, &target) || dwarf_tag(&target) != DW_TAG_pointer_type) {
		inner = spell_target(debuginfo, die, declarator, level);
		return g_strdup_printf("%s %s", word, inner);
	}
	inner = declarator[0] ? g_strdup_printf("%s %s", word, declarator) : g_strdup(word);
	return spell(debuginfo, &target, inner, level + 1);
}

/* Return the number of elements of one dimension; 0 if it is not constant. */
static uint64_t dimension_count(Dwarf_Die *die)
{
	uint64_t count, upper;
	Dwarf_Attribute attribute;
	Dwarf_Sword sword;

	if (attribute_number(die, DW_AT_count, &count))
		return count;
	/* A variable length has an expression here; some versions of gcc write -1 for [0]. */
	if (!dwarf_attr(die, DW_AT_upper_bound, &attribute) || dwarf_formsdata(&attribute, &sword) != 0)
		return 0;
	upper = (uint64_t)sword;
	if (sword < 0 && dwarf_whatform(&attribute) != DW_FORM_sdata && dwarf_formudata(&attribute, &upper) != 0)
		return 0;
	return upper + 1;
}

/* Return the number of dimensions and store their sizes in @p counts. */
static int dimensions(Dwarf_Die *die, uint64_t *counts)
{
	Dwarf_Die child;
	int count = 0;

	for (int next = dwarf_child(die, &child); next == 0 && count < MOST_DIMENSIONS;
	     next = dwarf_siblingof(&child, &child))
		if (dwarf_tag(&child) == DW_TAG_subrange_type)
			counts[count++] = dimension_count(&child);
	if (!count)
		counts[count++] = 0;
	return count;
}

static char *spell_array(struct debuginfo *debuginfo, Dwarf_Die *die, const char *declarator, int level)
{
	g_autoptr(GString) inner = g_string_new(declarator);
	uint64_t counts[MOST_DIMENSIONS];
	int count = dimensions(die, counts);

	for (int i = 0; i < count; i++)
		if (counts[i])
			g_string_append_printf(inner, "[%" PRIu64 "]", counts[i]);
		else
			g_string_append(inner, "[]");
	return spell_target(debuginfo, die, inner->str, level);
}

static char *spell_function(struct debuginfo *debuginfo, Dwarf_Die *die, const char *declarator, int level)
{
	g_autoptr(GString) inner = g_string_new(declarator);
	bool is_first = true;
	Dwarf_Die child;

	g_string_append_c(inner, '(');
	for (int next = dwarf_child(die, &child); next == 0; next = dwarf_siblingof(&child, &child)) {
		g_autofree char *parameter = NULL;

		if (dwarf_tag(&child) == DW_TAG_formal_parameter)
			parameter = spell_target(debuginfo, &child, "", level);
		else if (dwarf_tag(&child) == DW_TAG_unspecified_parameters)
			parameter = g_strdup("...");
		else
			continue;
		g_string_append_printf(inner, "%s%s", is_first ? "" : ", ", parameter);
		is_first = false;
	}
	g_string_append(inner, is_first ? "void)" : ")");
	return spell_target(debuginfo, die, inner->str, level);
}

static char *spell(struct debuginfo *debuginfo, Dwarf_Die *die, const char *declarator, int level)
{
	if (level > MOST_LEVELS)
		return g_strdup("?");
	switch (dwarf_tag(die)) {
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		return spell_pointer(debuginfo, die, declarator, level);
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
		return spell_qualified(debuginfo, die, declarator, level);
	case DW_TAG_array_type:
		return spell_array(debuginfo, die, declarator, level);
	case DW_TAG_subroutine_type:
	case DW_TAG_subprogram:
		return spell_function(debuginfo, die, declarator, level);
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		return spell_named("struct ", die, declarator);
	case DW_TAG_union_type:
		return spell_named("union ", die, declarator);
	case DW_TAG_enumeration_type:
		return spell_named("enum ", die, declarator);
	case DW_TAG_unspecified_type:
		return spell_void(declarator);
	case DW_TAG_ptr_to_member_type:
		return g_strdup("{pointer to member}");
	default:
		return spell_named("", die, declarator);
	}
}

/* ---- types ---- */

static struct type *make_type(struct debuginfo *debuginfo, Dwarf_Die *die, int level);

static struct type *target_type(struct debuginfo *debuginfo, Dwarf_Die *die, int level)
{
	Dwarf_Die target;

	return die_type(debuginfo, die, &target) ? make_type(debuginfo, &target, level + 1) : type_void(debuginfo);
}

static void fill_base(struct type *type, Dwarf_Die *die)
{
	uint64_t encoding = 0;

	attribute_number(die, DW_AT_encoding, &encoding);
	type->kind = KIND_INTEGER;
	switch (encoding) {
	case DW_ATE_float:
	case DW_ATE_complex_float:
	case DW_ATE_imaginary_float:
	case DW_ATE_decimal_float:
		type->kind = KIND_FLOAT;
		break;
	case DW_ATE_boolean:
		type->is_bool = true;
		break;
	case DW_ATE_signed_char:
		type->is_char = type->is_signed = true;
		break;
	case DW_ATE_unsigned_char:
		type->is_char = true;
		break;
	case DW_ATE_signed:
		type->is_signed = true;
		break;
	}
	/* Some compilers encode "char" as a plain one-byte integer. */
	if (type->size == 1 && type->name && strstr(type->name, "char"))
		type->is_char = true;
}

static void fill_enum(struct debuginfo *debuginfo, struct type *type, Dwarf_Die *die, int level)
{
	Dwarf_Die base;

	type->kind = KIND_ENUM;
	/* gcc adds the underlying type since DWARF 3. Without it an enum is unsigned, as in gcc's ABI. */
	if (die_type(debuginfo, die, &base)) {
		struct type *underlying = make_type(debuginfo, &base, level + 1);

		type->is_signed = underlying->is_signed;
		if (!type->size)
			type->size = underlying->size;
	}
}

/* Make one struct type per dimension; @p type itself becomes the outermost. */
static void fill_array(struct debuginfo *debuginfo, struct type *type, Dwarf_Die *die, int level)
{
	struct type *element = target_type(debuginfo, die, level);
	uint64_t counts[MOST_DIMENSIONS];

	for (int i = dimensions(die, counts) - 1; i >= 0; i--) {
		struct type *array = i ? arena_new0(debuginfo->arena, struct type) : type;
		g_autofree char *spelling = NULL;

		array->kind = KIND_ARRAY;
		array->debuginfo = debuginfo;
		array->target = element;
		array->count = counts[i];
		array->size = counts[i] * element->size;
		if (i) {
			/* "int [4]" as an element of "int [2][4]" */
			const char *dimension = strchr(element->spelling, '[');
			size_t length = dimension ? (size_t)(dimension - element->spelling) : strlen(element->spelling);

			array->spelling =
				arena_printf(debuginfo->arena, "%.*s%s[%" PRIu64 "]%s", (int)length, element->spelling,
					     dimension ? "" : " ", counts[i], dimension ? dimension : "");
		}
		element = array;
	}
	type->is_vector = dwarf_hasattr_integrate(die, DW_AT_GNU_vector);
}

/* Is it a declared destructor or copy constructor of the class? The compiler's own are artificial. */
static bool is_special_function(Dwarf_Die *child, Dwarf_Die *class)
{
	const char *name = dwarf_diename(child), *own = dwarf_diename(class);
	Dwarf_Die parameter, type, target;
	Dwarf_Attribute attribute;
	int count = 0;

	if (dwarf_tag(child) != DW_TAG_subprogram || !name || dwarf_hasattr(child, DW_AT_artificial) ||
	    dwarf_hasattr(child, DW_AT_defaulted))
		return false;
	if (name[0] == '~' || dwarf_hasattr(child, DW_AT_virtuality))
		return true;
	if (!own || strcmp(name, own) != 0)
		return false;
	for (int next = dwarf_child(child, &parameter); next == 0; next = dwarf_siblingof(&parameter, &parameter)) {
		if (++count != 2)
			continue;
		if (!dwarf_formref_die(dwarf_attr(&parameter, DW_AT_type, &attribute), &type) ||
		    dwarf_tag(&type) == DW_TAG_pointer_type ||
		    !dwarf_formref_die(dwarf_attr(&type, DW_AT_type, &attribute), &target))
			return false;
		dwarf_peel_type(&target, &target);
		return target.addr == class->addr;
	}
	return false;
}

static bool is_class(Dwarf_Die *type)
{
	int tag = dwarf_tag(type);

	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/* Is it a base class, or a member in each object? In DWARF 4, static members are members, too. */
static bool is_part_of_object(Dwarf_Die *child)
{
	return dwarf_tag(child) == DW_TAG_inheritance ||
	       (dwarf_tag(child) == DW_TAG_member && !dwarf_hasattr(child, DW_AT_external) &&
		!dwarf_hasattr(child, DW_AT_declaration));
}

/*
 * Is the class passed by its address, because it cannot be copied bytewise ("Itanium C++ ABI", section 3.1.2)? Since
 * DWARF 5, the type says so. @left bounds the number of classes that are visited.
 */
static bool passes_by_reference(Dwarf_Die *class, unsigned int *left)
{
	Dwarf_Attribute attribute;
	Dwarf_Word convention;
	Dwarf_Die child, type;

	if (dwarf_attr(class, DW_AT_calling_convention, &attribute) && dwarf_formudata(&attribute, &convention) == 0)
		return convention == DW_CC_pass_by_reference;
	if (!*left)
		return false;
	--*left;
	for (int next = dwarf_child(class, &child); next == 0; next = dwarf_siblingof(&child, &child)) {
		if (is_special_function(&child, class))
			return true;
		if (is_part_of_object(&child) && dwarf_formref_die(dwarf_attr(&child, DW_AT_type, &attribute), &type) &&
		    dwarf_peel_type(&type, &type) == 0 && is_class(&type) && passes_by_reference(&type, left))
			return true;
	}
	return false;
}

static bool is_of_cxx(Dwarf_Die *die)
{
	Dwarf_Die unit;

	if (!dwarf_diecu(die, &unit, NULL, NULL))
		return false;
	switch (dwarf_srclang(&unit)) {
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
		return true;
	default:
		return false;
	}
}

static void fill_class(struct type *type, Dwarf_Die *die, enum type_kind kind)
{
	unsigned int left = MOST_CLASSES;

	type->kind = kind;
	type->is_by_reference = is_of_cxx(die) && passes_by_reference(die, &left);
}

static void fill_type(struct debuginfo *debuginfo, struct type *type, Dwarf_Die *die, int level)
{
	Dwarf_Die target;

	switch (dwarf_tag(die)) {
	case DW_TAG_base_type:
		fill_base(type, die);
		break;
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		type->kind = KIND_POINTER;
		type->size = debuginfo_abi(debuginfo)->word;
		type->target = target_type(debuginfo, die, level);
		break;
	case DW_TAG_array_type:
		fill_array(debuginfo, type, die, level);
		break;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		fill_class(type, die, KIND_STRUCT);
		break;
	case DW_TAG_union_type:
		fill_class(type, die, KIND_UNION);
		break;
	case DW_TAG_enumeration_type:
		fill_enum(debuginfo, type, die, level);
		break;
	case DW_TAG_ptr_to_member_type: /* an offset; of a function, two words (Itanium C++ ABI, section 2.3) */
		type->kind = KIND_INTEGER;
		type->is_signed = true;
		type->size = die_type(debuginfo, die, &target) && dwarf_tag(&target) == DW_TAG_subroutine_type ? 16 : 8;
		break;
	case DW_TAG_subroutine_type:
		type->kind = KIND_FUNCTION;
		type->target = target_type(debuginfo, die, level);
		break;
	default:
		type->kind = KIND_VOID;
	}
}

static uint32_t index_tag(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return tag == DW_TAG_class_type ? DW_TAG_structure_type : (uint32_t)tag;
}

static bool die_has_scopes(Dwarf_Die *die)
{
	Dwarf_Die unit;

	return dwarf_diecu(die, &unit, NULL, NULL) && language_has_scopes(dwarf_srclang(&unit));
}

/* Return the name of a type in the index, NULL if it has none; the caller frees it. */
static char *name_in_index(Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);
	g_autoptr(GString) text = NULL;
	Dwarf_Die *scopes = NULL;
	int count;

	if (!name || !die_has_scopes(die))
		return g_strdup(name);
	text = g_string_new(NULL);
	count = dwarf_getscopes_die(die, &scopes);
	/* The first scope is the type itself, the last one the unit. */
	for (int i = count - 2; i > 0; i--)
		g_string_append_printf(text, "%s::", dwarf_diename(&scopes[i]) ?: "(anonymous namespace)");
	free(scopes);
	g_string_append(text, name);
	return scoped_spelling(text->str);
}

/* Replace the declaration of a struct, union or enum by its definition. Return false if not found. */
static bool find_definition(struct debuginfo *debuginfo, Dwarf_Die *die)
{
	g_autofree char *name = NULL;
	uint32_t tag = index_tag(die);
	struct index *index;
	_cleanup_error_ struct error *error = NULL;

	if (die_of_signature(debuginfo, die))
		return true;
	name = name_in_index(die);
	error = name ? debuginfo_index(debuginfo, &index) : NULL;
	if (!name || error)
		return false;
	for (uint64_t i = index_find_type(index, name); i < index->type_count; i++) {
		if (strcmp(index_string(index, index->types[i].name), name) != 0)
			break;
		if (index->types[i].tag == tag)
			return dwarf_die_at(debuginfo, index->types[i].die, die);
	}
	return false;
}

/* Strip typedefs and qualifiers off @p die. Return false for void or a loop. */
static bool strip(struct debuginfo *debuginfo, Dwarf_Die *die)
{
	for (int i = 0; i < MOST_LEVELS; i++) {
		int tag = dwarf_tag(die);

		if (tag != DW_TAG_typedef && !is_qualifier(tag))
			return true;
		if (!die_type(debuginfo, die, die))
			return false;
	}
	return false;
}

static struct type *new_type(struct debuginfo *debuginfo, Dwarf_Die *spelled, Dwarf_Die *die)
{
	struct type *type = arena_new0(debuginfo->arena, struct type);
	g_autofree char *spelling = spell(debuginfo, spelled, "", 0);
	Dwarf_Die *copy = arena_new0(debuginfo->arena, Dwarf_Die);
	uint64_t size = 0;

	*copy = *die;
	attribute_number(die, DW_AT_byte_size, &size);
	type->size = size;
	type->spelling = arena_strdup(debuginfo->arena, spelling);
	type->name = dwarf_diename(die);
	type->die = copy;
	type->debuginfo = debuginfo;
	type->is_declaration = attribute_flag(die, DW_AT_declaration);
	return type;
}

static struct type *make_type(struct debuginfo *debuginfo, Dwarf_Die *die, int level)
{
	struct type *type = g_hash_table_lookup(debuginfo->types, die->addr);
	Dwarf_Die stripped = *die;

	if (type)
		return type;
	if (level > MOST_LEVELS)
		return type_void(debuginfo);
	if (!strip(debuginfo, &stripped)) { /* "const void" */
		type = arena_new0(debuginfo->arena, struct type);
		*type = *type_void(debuginfo);
		g_autofree char *spelling = spell(debuginfo, die, "", 0);
		type->spelling = arena_strdup(debuginfo->arena, spelling);
	} else {
		if (attribute_flag(&stripped, DW_AT_declaration))
			find_definition(debuginfo, &stripped);
		type = new_type(debuginfo, die, &stripped);
		fill_type(debuginfo, type, &stripped, level);
	}
	g_hash_table_insert(debuginfo->types, die->addr, type);
	return type;
}

struct type *type_from_die(struct debuginfo *debuginfo, Dwarf_Die *type_die)
{
	return make_type(debuginfo, type_die, 0);
}

struct type *type_of(struct debuginfo *debuginfo, Dwarf_Die *die)
{
	return target_type(debuginfo, die, 0);
}

/* ---- members ---- */

static void read_bit_field(Dwarf_Die *die, struct member *member, uint64_t bit_size)
{
	uint64_t bit, from_top, storage = member->type->size;

	member->is_bit_field = true;
	member->bit_size = (int)bit_size;
	if (attribute_number(die, DW_AT_data_bit_offset, &bit)) {
		member_place_bits(member, bit);
		return;
	}
	/* Before DWARF 4: counted from the most significant bit of a storage unit at data_member_location. */
	attribute_number(die, DW_AT_byte_size, &storage);
	if (attribute_number(die, DW_AT_bit_offset, &from_top) && from_top + bit_size <= storage * 8)
		member_place_bits(member, (member->offset + storage) * 8 - from_top - bit_size);
	else
		member_place_bits(member, member->offset * 8);
}

/* The offset is a constant or, in old DWARF, the expression DW_OP_plus_uconst n. */
static uint64_t member_offset(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value;
	Dwarf_Op *operations;
	size_t count;

	if (!dwarf_attr_integrate(die, DW_AT_data_member_location, &attribute))
		return 0;
	if (dwarf_formudata(&attribute, &value) == 0)
		return value;
	if (dwarf_getlocation(&attribute, &operations, &count) == 0 && count == 1 &&
	    operations[0].atom == DW_OP_plus_uconst)
		return operations[0].number;
	return 0;
}

static struct member *new_member(struct debuginfo *debuginfo, Dwarf_Die *die)
{
	struct member *member = arena_new0(debuginfo->arena, struct member);
	uint64_t bit_size;

	member->name = dwarf_diename(die);
	member->type = type_of(debuginfo, die);
	member->offset = member_offset(die);
	if (attribute_number(die, DW_AT_bit_size, &bit_size) && bit_size && bit_size <= 64)
		read_bit_field(die, member, bit_size);
	return member;
}

static void add_members(struct debuginfo *debuginfo, Dwarf_Die *die, int level, GPtrArray *members);

/*
 * Add the parts of a Rust enum, which overlap like members of a union: the variants, each a member named after it, and
 * the discriminant.
 */
static void add_variants(struct debuginfo *debuginfo, Dwarf_Die *die, int level, GPtrArray *members)
{
	Dwarf_Die child;

	for (int next = dwarf_child(die, &child); next == 0; next = dwarf_siblingof(&child, &child)) {
		struct member *member;

		if (dwarf_tag(&child) == DW_TAG_variant)
			add_members(debuginfo, &child, level + 1, members);
		if (dwarf_tag(&child) != DW_TAG_member)
			continue;
		member = new_member(debuginfo, &child);
		member->name = member->name ?: "__discriminant";
		g_ptr_array_add(members, member);
	}
}

/*
 * Add a base class as a member without a name. Virtual ones are left out, because their offset depends on the object.
 */
static void add_base_class(struct debuginfo *debuginfo, Dwarf_Die *die, GPtrArray *members)
{
	Dwarf_Attribute attribute;
	struct member *member;

	if (dwarf_attr(die, DW_AT_virtuality, &attribute))
		return;
	member = new_member(debuginfo, die);
	member->name = NULL;
	g_ptr_array_add(members, member);
}

static void add_members(struct debuginfo *debuginfo, Dwarf_Die *die, int level, GPtrArray *members)
{
	Dwarf_Die child;

	for (int next = dwarf_child(die, &child); level < MOST_LEVELS && next == 0;
	     next = dwarf_siblingof(&child, &child)) {
		int tag = dwarf_tag(&child);

		if (tag == DW_TAG_member && !attribute_flag(&child, DW_AT_external))
			g_ptr_array_add(members, new_member(debuginfo, &child));
		else if (tag == DW_TAG_inheritance)
			add_base_class(debuginfo, &child, members);
		else if (tag == DW_TAG_variant_part)
			add_variants(debuginfo, &child, level + 1, members);
	}
}

struct error *dwarf_members(struct type *type, const GPtrArray **ret)
{
	struct debuginfo *debuginfo = type->debuginfo;
	GPtrArray *members;
	Dwarf_Die *die = type->die;

	if (!die || (type->kind != KIND_STRUCT && type->kind != KIND_UNION))
		return error_new(ERROR_LOOKUP, _("'%s' is not a struct or union"), type->spelling);
	if (type->is_declaration)
		return error_new(ERROR_LOOKUP, _("'%s' is only declared in %s; its members are not known"),
				 type->spelling, debuginfo->name);
	members = g_hash_table_lookup(debuginfo->members, die->addr);
	if (!members) {
		members = arena_ptr_array(debuginfo->arena);
		add_members(debuginfo, die, 0, members);
		g_hash_table_insert(debuginfo->members, die->addr, members);
	}
	*ret = members;
	return NULL;
}

static int64_t enumerator_value(Dwarf_Die *die, bool is_signed)
{
	Dwarf_Attribute attribute;
	Dwarf_Sword value = 0;

	if (dwarf_attr(die, DW_AT_const_value, &attribute)) {
		if (is_signed)
			dwarf_formsdata(&attribute, &value);
		else
			dwarf_formudata(&attribute, (Dwarf_Word *)&value);
	}
	return value;
}

/* Is the value signed? Constants of other forms are not negative (DWARF 5, section 7.5.5). */
static bool is_signed_form(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	unsigned int form = dwarf_attr(die, DW_AT_const_value, &attribute) ? dwarf_whatform(&attribute) : 0;

	return form == DW_FORM_sdata || form == DW_FORM_implicit_const;
}

/*
 * Find an enumerator in an enum. "kind::ONE" names ONE of the enum kind, as well as ONE of an enum in the scope kind.
 */
static bool find_in_enum(Dwarf_Die *die, const char *name, int64_t *ret)
{
	const char *own_name = dwarf_diename(die);
	size_t length = own_name ? strlen(own_name) : 0;
	Dwarf_Die child;

	if (length && !strncmp(name, own_name, length) && !strncmp(name + length, "::", 2))
		name += length + 2;

	for (int next = dwarf_child(die, &child); next == 0; next = dwarf_siblingof(&child, &child)) {
		const char *own = dwarf_diename(&child);

		if (!own || strcmp(own, name))
			continue;
		*ret = enumerator_value(&child, is_signed_form(&child));
		return true;
	}
	return false;
}

/*
 * Remove the scope of @p die from the front of a name such as "a::b::c"; return the name unchanged if it starts with
 * another.
 */
static const char *inside_scope(Dwarf_Die *die, const char *name)
{
	const char *scope = dwarf_diename(die) ?: "(anonymous namespace)";
	size_t length = strlen(scope);

	return !strncmp(name, scope, length) && !strncmp(name + length, "::", 2) ? name + length + 2 : name;
}

static bool find_in_enums(Dwarf_Die *scope, const char *name, bool has_scopes, int level, int64_t *ret)
{
	Dwarf_Die child;

	for (int next = dwarf_child(scope, &child); next == 0; next = dwarf_siblingof(&child, &child)) {
		int tag = dwarf_tag(&child);

		if (tag == DW_TAG_enumeration_type && find_in_enum(&child, name, ret))
			return true;
		if (has_scopes && level < MOST_LEVELS &&
		    (tag == DW_TAG_namespace || tag == DW_TAG_structure_type || tag == DW_TAG_class_type) &&
		    find_in_enums(&child, inside_scope(&child, name), true, level + 1, ret))
			return true;
	}
	return false;
}

/*
 * Find an enumerator by name. The index lacks enums without a name, so the types of all units are searched. Those of
 * general use are in headers, and so in one of the first units.
 */
struct error *dwarf_find_enumerator(struct debuginfo *debuginfo, const char *name, int64_t *ret, bool *found)
{
	const GArray *parts;
	Dwarf_Die die;
	struct error *error;
	Dwarf *dwarf;

	error = debuginfo_dwarf(debuginfo, &dwarf);
	if (error)
		return error;
	parts = dwarf_parts(debuginfo);
	for (guint i = 0; i < parts->len; i++) {
		Dwarf_CU *unit = NULL;

		dwarf = g_array_index(parts, struct dwarf_part, i).dwarf;
		while (!*found && dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0)
			*found = find_in_enums(&die, name, language_has_scopes(dwarf_srclang(&die)), 0, ret);
	}
	return NULL;
}

struct error *dwarf_enumerators(struct type *type, const GPtrArray **ret)
{
	struct debuginfo *debuginfo = type->debuginfo;
	Dwarf_Die *die = type->die, child;
	GPtrArray *enumerators;

	if (!die || type->kind != KIND_ENUM)
		return error_new(ERROR_LOOKUP, _("'%s' is not an enum"), type->spelling);
	enumerators = g_hash_table_lookup(debuginfo->enumerators, die->addr);
	if (!enumerators) {
		enumerators = arena_ptr_array(debuginfo->arena);
		for (int next = dwarf_child(die, &child); next == 0; next = dwarf_siblingof(&child, &child)) {
			struct enumerator *enumerator = arena_new0(debuginfo->arena, struct enumerator);

			if (dwarf_tag(&child) != DW_TAG_enumerator || !dwarf_diename(&child))
				continue;
			enumerator->name = dwarf_diename(&child);
			enumerator->value = enumerator_value(&child, type->is_signed);
			g_ptr_array_add(enumerators, enumerator);
		}
		g_hash_table_insert(debuginfo->enumerators, die->addr, enumerators);
	}
	*ret = enumerators;
	return NULL;
}

/* ---- types by name ---- */

struct tag_word {
	const char *word;
	uint32_t tag;
};

/* In the order in which a name without a keyword is searched. */
static const struct tag_word tag_words[] = {
	{"struct ", DW_TAG_structure_type},
	{"union ", DW_TAG_union_type},
	{"enum ", DW_TAG_enumeration_type},
	{"", DW_TAG_typedef},
	{"", DW_TAG_base_type},
};

static bool find_in_index(const struct index *index, const char *name, uint32_t tag, uint64_t *die)
{
	for (uint64_t i = index_find_type(index, name); i < index->type_count; i++) {
		if (strcmp(index_string(index, index->types[i].name), name) != 0)
			return false;
		if (index->types[i].tag == tag) {
			*die = index->types[i].die;
			return true;
		}
	}
	return false;
}

static bool find_named_die(const struct index *index, const char *name, uint64_t *die)
{
	if (g_str_has_prefix(name, "class "))
		return find_in_index(index, name + strlen("class "), DW_TAG_structure_type, die);
	for (size_t i = 0; i < 3; i++)
		if (g_str_has_prefix(name, tag_words[i].word))
			return find_in_index(index, name + strlen(tag_words[i].word), tag_words[i].tag, die);
	for (size_t i = 0; i < G_N_ELEMENTS(tag_words); i++)
		if (find_in_index(index, name, tag_words[i].tag, die))
			return true;
	return find_in_index(index, base_type_name(name), DW_TAG_base_type, die);
}

struct error *dwarf_type_names(struct debuginfo *debuginfo, GPtrArray *ret)
{
	struct index *index;
	struct error *error = debuginfo_index(debuginfo, &index);

	if (error)
		return error;
	for (uint64_t i = 0; i < index->type_count; i++)
		if (!i || index->types[i].name != index->types[i - 1].name)
			g_ptr_array_add(ret, (void *)index_string(index, index->types[i].name));
	return NULL;
}

struct error *dwarf_find_type(struct debuginfo *debuginfo, const char *name, struct type **ret)
{
	g_autoptr(GPtrArray) names = NULL;
	struct index *index;
	Dwarf_Die die;
	Dwarf *dwarf;
	uint64_t offset;
	bool is_found;
	struct error *error = debuginfo_index(debuginfo, &index);

	error = error ?: debuginfo_dwarf(debuginfo, &dwarf);
	if (error)
		return error;
	*ret = NULL;
	is_found = find_named_die(index, name, &offset);
	if (!is_found && !object_is_kernels(debuginfo->kind)) {
		const char *plain = strrchr(name, ' ');

		names = g_ptr_array_new();
		index_scoped_names(index, index->types, index->type_count, sizeof(*index->types),
				   plain ? plain + 1 : name, names);
		if (names->len > 1)
			return scoped_names_error(debuginfo, name, names);
		is_found = names->len && find_named_die(index, g_ptr_array_index(names, 0), &offset);
	}
	if (is_found && dwarf_die_at(debuginfo, offset, &die))
		*ret = type_from_die(debuginfo, &die);
	return NULL;
}
