// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The index as one block of memory, which is also the file index-<build-id>-v1 in the cache directory.
 *
 * The file is mapped and used in place, so loading it is a check, not a parse. It may be truncated by a full disk,
 * written by another version, or damaged. If magic, version, sizes, build-id or the checksum of the rest are wrong, the
 * index is rebuilt as if the file did not exist. Even so, every offset read from it is checked before use
 * (index_string() and similar). The file is written under another name and renamed, so that readers see all of it or
 * nothing; failure to write is not an error.
 */
#include "translator/debuginfo/index/index.h"

#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "common/cache.h"
#include "common/checksum.h"
#include "common/files.h"
#include "common/base/cleanup.h"

#define INDEX_MAGIC "spileidx"
#define INDEX_VERSION 22
#define BUILD_ID_SIZE 128 /* of the hex text, which is 40 in practice */

enum table { FUNCTIONS, TYPES, VARIABLES, SYMBOLS, RESERVED, FILES, SCOPES, STRINGS, TABLES };

static const size_t entry_sizes[TABLES] = {
	[FUNCTIONS] = sizeof(struct index_function),
	[TYPES] = sizeof(struct index_type),
	[VARIABLES] = sizeof(struct index_variable),
	[SYMBOLS] = sizeof(struct index_symbol),
	[RESERVED] = sizeof(struct code_range),
	[FILES] = sizeof(uint32_t),
	[SCOPES] = sizeof(uint32_t),
	[STRINGS] = 1,
};

struct header {
	char magic[8];
	uint32_t version;
	uint32_t byte_order; /* 0x01020304 in this machine's byte order */
	uint64_t size; /* of the whole file */
	uint64_t checksum; /* of all that follows */
	char build_id[BUILD_ID_SIZE];
	struct {
		uint64_t offset, count;
	} tables[TABLES];
};

#define BYTE_ORDER_MARK 0x01020304u

static uint64_t index_checksum(const void *memory, size_t size)
{
	size_t start = offsetof(struct header, build_id);

	return checksum(0, (const char *)memory + start, size - start);
}

static void point_into(struct index *index)
{
	const struct header *header = index->memory;
	const char *base = index->memory;

	index->functions = (const void *)(base + header->tables[FUNCTIONS].offset);
	index->types = (const void *)(base + header->tables[TYPES].offset);
	index->variables = (const void *)(base + header->tables[VARIABLES].offset);
	index->symbols = (const void *)(base + header->tables[SYMBOLS].offset);
	index->reserved = (const void *)(base + header->tables[RESERVED].offset);
	index->files = (const void *)(base + header->tables[FILES].offset);
	index->scopes = (const void *)(base + header->tables[SCOPES].offset);
	index->strings = base + header->tables[STRINGS].offset;
	index->function_count = header->tables[FUNCTIONS].count;
	index->type_count = header->tables[TYPES].count;
	index->variable_count = header->tables[VARIABLES].count;
	index->symbol_count = header->tables[SYMBOLS].count;
	index->reserved_count = header->tables[RESERVED].count;
	index->file_count = header->tables[FILES].count;
	index->scope_count = header->tables[SCOPES].count;
	index->string_size = header->tables[STRINGS].count;
}

struct index *index_assemble(const char *build_id, const GArray *functions, const GArray *types,
			     const GArray *variables, const GArray *symbols, const GArray *reserved,
			     const GArray *files, const GArray *scopes, const GByteArray *strings)
{
	const struct {
		const void *entries;
		uint64_t count;
	} contents[TABLES] = {
		[FUNCTIONS] = {functions->data, functions->len}, [TYPES] = {types->data, types->len},
		[VARIABLES] = {variables->data, variables->len}, [SYMBOLS] = {symbols->data, symbols->len},
		[RESERVED] = {reserved->data, reserved->len},	 [FILES] = {files->data, files->len},
		[SCOPES] = {scopes->data, scopes->len},		 [STRINGS] = {strings->data, strings->len},
	};
	struct header header = {.version = INDEX_VERSION, .byte_order = BYTE_ORDER_MARK};
	struct index *index = g_new0(struct index, 1);
	uint64_t size = sizeof(header);

	memcpy(header.magic, INDEX_MAGIC, sizeof(header.magic));
	g_strlcpy(header.build_id, build_id, sizeof(header.build_id));
	for (int i = 0; i < TABLES; i++) {
		header.tables[i].offset = size;
		header.tables[i].count = contents[i].count;
		size += (contents[i].count * entry_sizes[i] + 7) / 8 * 8;
	}
	header.size = size;
	index->memory_size = size;
	index->memory = g_malloc0(size);
	memcpy(index->memory, &header, sizeof(header));
	for (int i = 0; i < TABLES; i++)
		if (contents[i].count)
			memcpy((char *)index->memory + header.tables[i].offset, contents[i].entries,
			       contents[i].count * entry_sizes[i]);
	((struct header *)index->memory)->checksum = index_checksum(index->memory, size);
	point_into(index);
	return index;
}

static bool is_valid(const struct header *header, size_t size, const char *build_id)
{
	if (size < sizeof(*header) || size % 8 || memcmp(header->magic, INDEX_MAGIC, sizeof(header->magic)) != 0 ||
	    header->version != INDEX_VERSION || header->byte_order != BYTE_ORDER_MARK || header->size != size ||
	    strncmp(header->build_id, build_id, sizeof(header->build_id)) != 0)
		return false;
	for (int i = 0; i < TABLES; i++) {
		uint64_t offset = header->tables[i].offset;

		if (offset % 8 || offset > size || header->tables[i].count > (size - offset) / entry_sizes[i])
			return false;
	}
	if (header->checksum != index_checksum(header, size))
		return false;
	/* The last string must end inside. */
	return header->tables[STRINGS].count &&
	       ((const char *)header)[header->tables[STRINGS].offset + header->tables[STRINGS].count - 1] == '\0';
}

static char *index_path(const char *directory, const char *build_id)
{
	return g_strdup_printf("%s/index-%s-v%d", directory, build_id, INDEX_VERSION);
}

struct index *index_load(const char *directory, const char *key, const char *assembled_key)
{
	g_autofree char *path = index_path(directory, key);
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct index *index;
	struct stat status;
	void *memory;

	if (fd < 0 || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size <= 0 ||
	    !cache_may_read(&status))
		return NULL;
	/* The checksum reads all of it; populating the map at once saves thousands of page faults. */
	memory = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	if (memory == MAP_FAILED)
		return NULL;
	if (!is_valid(memory, (size_t)status.st_size, assembled_key)) {
		munmap(memory, (size_t)status.st_size);
		return NULL;
	}
	index = g_new0(struct index, 1);
	index->memory = memory;
	index->memory_size = (size_t)status.st_size;
	index->is_mapped = true;
	point_into(index);
	cache_touch(fd);
	return index;
}

void index_save(const struct index *index, const char *directory, const char *build_id)
{
	g_autofree char *path = index_path(directory, build_id);

	if (!g_mkdir_with_parents(directory, 0755))
		error_free(file_write(path, index->memory, index->memory_size));
}

struct index *index_copy(const struct index *index)
{
	struct index *copy = g_new0(struct index, 1);

	copy->memory = g_memdup2(index->memory, index->memory_size);
	copy->memory_size = index->memory_size;
	point_into(copy);
	return copy;
}

void index_seal(struct index *index)
{
	((struct header *)index->memory)->checksum = index_checksum(index->memory, index->memory_size);
}

struct index *index_of_memory(void *memory, size_t size, const char *key)
{
	struct index *index;

	if (!is_valid(memory, size, key)) {
		g_free(memory);
		return NULL;
	}
	index = g_new0(struct index, 1);
	index->memory = memory;
	index->memory_size = size;
	point_into(index);
	return index;
}

void index_free(struct index *index)
{
	if (!index)
		return;
	if (index->is_mapped)
		munmap(index->memory, index->memory_size);
	else
		g_free(index->memory);
	g_free(index);
}

/* ---- reading ---- */

const char *index_string(const struct index *index, uint32_t offset)
{
	return offset < index->string_size ? index->strings + offset : "";
}

const char *index_file_name(const struct index *index, uint32_t number)
{
	return number < index->file_count ? index_string(index, index->files[number]) : "";
}

/* Find the first entry whose name is not less than @p name. @p entries points to the name in the first entry. */
static uint64_t find_name(const struct index *index, const void *entries, uint64_t count, size_t size, const char *name)
{
	uint64_t low = 0, high = count;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;
		uint32_t offset = *(const uint32_t *)((const char *)entries + middle * size);

		if (strcmp(index_string(index, offset), name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint64_t index_find_function(const struct index *index, const char *name)
{
	const void *first_name = (const char *)index->functions + offsetof(struct index_function, name);

	return find_name(index, first_name, index->function_count, sizeof(struct index_function), name);
}

uint64_t index_find_type(const struct index *index, const char *name)
{
	return find_name(index, index->types, index->type_count, sizeof(struct index_type), name);
}

uint64_t index_find_variable(const struct index *index, const char *name)
{
	return find_name(index, index->variables, index->variable_count, sizeof(struct index_variable), name);
}

uint64_t index_find_symbol(const struct index *index, const char *name)
{
	return find_name(index, index->symbols, index->symbol_count, sizeof(struct index_symbol), name);
}
