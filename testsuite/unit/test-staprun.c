// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests of staprun's handling of untrusted bytes: module files, trace files, ELF notes, names. Tests that load modules
 * run in a guest (testsuite/suites/staprun.sh).
 *
 * Images and record streams are made here piece by piece. Real modules come from $STAP -p4 for each kernel of
 * $SPILE_TEST_KERNEL_ROOTS. They are cut and changed at many places. Any answer is right, as long as no byte outside
 * the image is accessed. ASan detects that, because each image is an allocation of exactly its size.
 */
#include <elf.h>
#include <errno.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/number.h"
#include "common/base/standard_streams.h"
#include "monitor/monitor_snapshot.h"
#include "staprun/check.h"
#include "staprun/control.h"
#include "staprun/info.h"
#include "staprun/merge.h"
#include "staprun/module.h"
#include "staprun/output.h"
#include "staprun/privilege.h"
#include "testsuite/unit/errors.h"

/* ---- merge ------------------------------------------------------------------------------------------------------- */

static GByteArray *add_part(GByteArray *bytes, uint64_t sequence, unsigned int writer, unsigned int part,
			    const char *payload)
{
	struct stp_record record = {
		.magic = STP_RECORD_MAGIC,
		.type = STP_RECORD_OUTPUT,
		.writer = writer,
		.length = strlen(payload),
		.part = part,
		.sequence = sequence,
	};

	bytes = bytes ?: g_byte_array_new();
	g_byte_array_append(bytes, (const guint8 *)&record, sizeof(record));
	return g_byte_array_append(bytes, (const guint8 *)payload, record.length);
}

static GByteArray *add_record(GByteArray *bytes, uint64_t sequence, const char *payload)
{
	return add_part(bytes, sequence, 0, 0, payload);
}

static void collect(void *data, const struct stp_record *record, const char *payload)
{
	g_string_append_len(data, payload, record->length);
}

static struct error *feed(struct merge *merge, unsigned int file, const void *bytes, size_t size)
{
	struct error *error;

	if (size)
		memcpy(merge_reserve(merge, file, size), bytes, size);
	error = merge_commit(merge, file, size);
	return error ?: merge_emit(merge);
}

/* The same for the bytes of add_record(), which are freed. */
static struct error *feed_all(struct merge *merge, unsigned int file, GByteArray *bytes)
{
	struct error *error = feed(merge, file, bytes->data, bytes->len);

	g_byte_array_free(bytes, TRUE);
	return error;
}

struct merge_fixture {
	GString *text; /* all payloads so far */
	struct merge *merge;
};

static void merge_set_up(struct merge_fixture *f, gconstpointer data)
{
	f->text = g_string_new(NULL);
	f->merge = merge_new(collect, f->text);
	g_assert_cmpuint(merge_add_file(f->merge, "trace0"), ==, 0);
	g_assert_cmpuint(merge_add_file(f->merge, "trace1"), ==, 1);
}

static void merge_tear_down(struct merge_fixture *f, gconstpointer data)
{
	merge_free(f->merge);
	g_string_free(f->text, TRUE);
}

static void test_merge_order(struct merge_fixture *f, gconstpointer data)
{
	GByteArray *first = add_record(add_record(add_record(NULL, 1, "b"), 3, "d"), 4, "e");
	GByteArray *second = add_record(add_record(add_record(NULL, 0, "a"), 2, ""), 5, "f");
	uint64_t missing;

	must_succeed(feed_all(f->merge, 0, first));
	g_assert_cmpstr(f->text->str, ==, "");
	g_assert_cmpuint(merge_held(f->merge), ==, 3 * (sizeof(struct stp_record) + 1));
	must_succeed(feed_all(f->merge, 1, second));
	g_assert_cmpstr(f->text->str, ==, "abdef");
	g_assert_cmpuint(merge_held(f->merge), ==, 0);
	must_succeed(merge_flush(f->merge, &missing));
	g_assert_cmpuint(missing, ==, 0);
}

/* Interleaved writers: two files, and two levels in one of them. */
static void test_merge_parts(struct merge_fixture *f, gconstpointer data)
{
	enum { MORE = STP_PART_MORE };
	GByteArray *first = add_part(NULL, 0, 0, MORE, "a"), *second = add_part(NULL, 1, 0, MORE, "1");
	uint64_t missing;

	add_part(add_part(first, 2, 2, 0, "x"), 3, 1, MORE, "A");
	add_part(add_part(first, 5, 1, 1, "B"), 6, 0, 1 | MORE, "b");
	add_part(add_part(second, 4, 0, 1, "2"), 8, 0, 0, "3");
	add_part(first, 7, 0, 2, "c");
	must_succeed(feed_all(f->merge, 0, first));
	must_succeed(feed_all(f->merge, 1, second));
	g_assert_cmpstr(f->text->str, ==, "x12ABabc3");
	g_assert_cmpuint(merge_torn(f->merge), ==, 0);
	must_succeed(merge_flush(f->merge, &missing));
	g_assert_cmpuint(missing, ==, 0);
}

/* A part was lost: at the beginning, in the middle, at the end. */
static void test_merge_lost_parts(struct merge_fixture *f, gconstpointer data)
{
	enum { MORE = STP_PART_MORE };
	GByteArray *bytes = add_part(add_part(NULL, 0, 0, 1 | MORE, "a"), 1, 0, 2, "b");
	uint64_t missing;

	add_part(add_part(bytes, 2, 0, MORE, "c"), 3, 0, 2, "d");
	add_part(add_part(add_part(bytes, 4, 0, MORE, "e"), 5, 0, MORE, "f"), 6, 0, 1, "g");
	add_part(add_part(bytes, 7, 0, MORE, "h"), 8, 0, 0, "i");
	add_part(bytes, 9, 0, MORE, "j");
	must_succeed(feed_all(f->merge, 0, bytes));
	must_succeed(merge_flush(f->merge, &missing));
	g_assert_cmpstr(f->text->str, ==, "fgi");
	g_assert_cmpuint(merge_torn(f->merge), ==, 7);
}

static void test_merge_new_file(struct merge_fixture *f, gconstpointer data)
{
	must_succeed(feed_all(f->merge, 0, add_record(add_record(NULL, 0, "a"), 2, "c")));
	g_assert_cmpuint(merge_add_file(f->merge, "later"), ==, 2);
	must_succeed(feed_all(f->merge, 2, add_record(NULL, 1, "b")));
	g_assert_cmpstr(f->text->str, ==, "abc");
}

/* A read() may end anywhere. */
static void test_merge_torn(struct merge_fixture *f, gconstpointer data)
{
	GByteArray *bytes = add_record(add_record(add_record(NULL, 0, "one "), 1, ""), 2, "two");

	for (unsigned int i = 0; i < bytes->len; i++) {
		must_succeed(feed(f->merge, 0, bytes->data + i, 1));
		/* The second record has no payload, so it is complete with the last byte of its header. */
		if (i + 1 < sizeof(struct stp_record) + 4)
			g_assert_cmpstr(f->text->str, ==, "");
		else if (i + 1 < bytes->len)
			g_assert_cmpstr(f->text->str, ==, "one ");
	}
	g_assert_cmpstr(f->text->str, ==, "one two");
	g_byte_array_free(bytes, TRUE);
}

static void test_merge_gap(struct merge_fixture *f, gconstpointer data)
{
	uint64_t missing;

	must_succeed(feed_all(f->merge, 0, add_record(add_record(NULL, 0, "a"), 7, "h")));
	must_succeed(feed_all(f->merge, 1, add_record(add_record(NULL, 2, "c"), 9, "j")));
	g_assert_cmpstr(f->text->str, ==, "a");
	must_succeed(merge_flush(f->merge, &missing));
	g_assert_cmpstr(f->text->str, ==, "achj");
	g_assert_cmpuint(missing, ==, 6);
	g_assert_cmpuint(merge_held(f->merge), ==, 0);
	/* The numbering continues after the gaps. */
	must_succeed(feed_all(f->merge, 1, add_record(NULL, 10, "k")));
	g_assert_cmpstr(f->text->str, ==, "achjk");
}

/* The largest possible number. */
static void test_merge_last_number(struct merge_fixture *f, gconstpointer data)
{
	uint64_t missing;

	must_succeed(feed_all(f->merge, 0, add_record(NULL, UINT64_MAX, "z")));
	must_succeed(feed_all(f->merge, 1, add_record(NULL, 0, "a")));
	must_succeed(merge_flush(f->merge, &missing));
	g_assert_cmpstr(f->text->str, ==, "az");
	g_assert_cmpuint(missing, ==, UINT64_MAX - 1);
	must_report(feed_all(f->merge, 0, add_record(NULL, 0, "b")), "duplicate sequence number");
	g_assert_cmpstr(f->text->str, ==, "az");
}

static void test_merge_corrupt(struct merge_fixture *f, gconstpointer data)
{
	static const struct {
		struct stp_record record;
		const char *message;
	} cases[] = {
		{{0x5051, STP_RECORD_OUTPUT, 0, 0, 0, 1}, "corrupt record in trace1: invalid magic number"},
		{{STP_RECORD_MAGIC, STP_RECORD_TYPES, 0, 0, 0, 1}, "unknown type"},
		{{STP_RECORD_MAGIC, STP_RECORD_OUTPUT, STP_WRITERS, 0, 0, 1}, "unknown writer"},
		{{STP_RECORD_MAGIC, STP_RECORD_OUTPUT, 0, STP_RECORD_LIMIT + 1, 0, 1}, "too long"},
		{{STP_RECORD_MAGIC, STP_RECORD_OUTPUT, 0, UINT16_MAX, 0, 1}, "too long"},
		{{STP_RECORD_MAGIC, STP_RECORD_OUTPUT, 0, 0, 0, 0}, "duplicate sequence number"},
	};
	uint64_t missing;

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		merge_tear_down(f, NULL);
		merge_set_up(f, NULL);
		must_succeed(feed_all(f->merge, 0, add_record(NULL, 0, "a")));
		must_report(feed(f->merge, 1, &cases[i].record, sizeof(cases[i].record)), cases[i].message);
		/* The file is ignored from now on; the other one continues. */
		must_succeed(feed_all(f->merge, 1, add_record(NULL, 1, "x")));
		must_succeed(feed_all(f->merge, 0, add_record(add_record(NULL, 1, "b"), 3, "d")));
		g_assert_cmpstr(f->text->str, ==, "ab");
		must_succeed(merge_flush(f->merge, &missing));
		g_assert_cmpstr(f->text->str, ==, "abd");
		g_assert_cmpuint(missing, ==, 1);
	}
}

/* A bad record after a good one in the same read. */
static void test_merge_corrupt_later(struct merge_fixture *f, gconstpointer data)
{
	GByteArray *bytes = add_record(NULL, 0, "a");

	g_byte_array_append(bytes, (const guint8 *)"sixteen bytes of rubbish", 24);
	must_report(feed_all(f->merge, 0, bytes), "corrupt record in trace0");
	must_succeed(feed_all(f->merge, 1, add_record(add_record(NULL, 1, "b"), 2, "c")));
	g_assert_cmpstr(f->text->str, ==, "abc");
}

static void test_merge_same_number(struct merge_fixture *f, gconstpointer data)
{
	uint64_t missing;

	must_succeed(feed_all(f->merge, 0, add_record(add_record(NULL, 1, "b"), 2, "c")));
	must_succeed(feed_all(f->merge, 1, add_record(NULL, 1, "B")));
	must_report(merge_flush(f->merge, &missing), "duplicate sequence number");
	g_assert_cmpuint(f->text->len, ==, 2);
	g_assert_cmpuint(missing, ==, 1);

	merge_tear_down(f, NULL);
	merge_set_up(f, NULL);
	must_report(feed_all(f->merge, 0, add_record(add_record(NULL, 0, "a"), 0, "A")), "duplicate sequence number");
	g_assert_cmpstr(f->text->str, ==, "a");
}

static void test_merge_cut_end(struct merge_fixture *f, gconstpointer data)
{
	GByteArray *bytes = add_record(add_record(NULL, 0, "a"), 1, "cut");
	uint64_t missing;

	g_byte_array_set_size(bytes, bytes->len - 1);
	must_succeed(feed_all(f->merge, 0, bytes));
	must_report(merge_flush(f->merge, &missing), "corrupt record in trace0: the file is truncated");
	g_assert_cmpstr(f->text->str, ==, "a");
}

/* Many records on many CPUs, read in pieces of random size: the buffers grow, are compacted and wrap around. */
static void test_merge_random(struct merge_fixture *f, gconstpointer data)
{
	enum { FILES = 5, RECORDS = 20000 };
	g_autoptr(GString) wanted = g_string_new(NULL);
	GByteArray *files[FILES];
	size_t at[FILES] = {0};
	uint64_t missing;
	bool more = true;

	for (unsigned int i = 0; i < FILES; i++)
		files[i] = g_byte_array_new();
	for (unsigned int i = 2; i < FILES; i++)
		merge_add_file(f->merge, "more");
	for (unsigned int i = 0; i < RECORDS; i++) {
		g_autofree char *text = g_strdup_printf("%u:%0*d\n", i, g_test_rand_int_range(1, 200), 0);

		add_record(files[g_test_rand_int_range(0, FILES)], i, text);
		g_string_append(wanted, text);
	}
	while (more) {
		more = false;
		for (unsigned int i = 0; i < FILES; i++) {
			size_t size = g_test_rand_int_range(0, 3000);

			size = MIN(size, files[i]->len - at[i]);
			must_succeed(feed(f->merge, i, files[i]->data + at[i], size));
			at[i] += size;
			more = more || at[i] < files[i]->len;
		}
	}
	g_assert_cmpuint(merge_held(f->merge), ==, 0);
	g_assert_true(g_string_equal(f->text, wanted));
	must_succeed(merge_flush(f->merge, &missing));
	g_assert_cmpuint(missing, ==, 0);
	for (unsigned int i = 0; i < FILES; i++)
		g_byte_array_free(files[i], TRUE);
}

/* Change any byte: the result is an error or other text, never a crash or an endless loop. */
static void test_merge_mutation(struct merge_fixture *f, gconstpointer data)
{
	for (unsigned int round = 0; round < 2000; round++) {
		GByteArray *bytes = add_record(add_record(add_record(NULL, 0, "one"), 1, "two"), 2, "three");
		uint64_t missing;

		bytes->data[g_test_rand_int_range(0, bytes->len)] = g_test_rand_int();
		merge_tear_down(f, NULL);
		merge_set_up(f, NULL);
		error_free(feed_all(f->merge, 0, bytes));
		error_free(merge_flush(f->merge, &missing));
		g_assert_cmpuint(f->text->len, <=, 11 + 2 * sizeof(struct stp_record));
		g_assert_cmpuint(merge_held(f->merge), ==, 0);
	}
}

/* ---- module files ------------------------------------------------------------------------------------------------ */

struct image_section {
	const char *name;
	const char *data;
	size_t size;
};

/* Make a 64-bit relocatable ELF file for this machine, with the parts that info_read() reads. The caller frees it. */
static char *make_image(const struct image_section *sections, size_t count, size_t *size)
{
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	g_autoptr(GString) names = g_string_new_len("", 1);
	Elf64_Ehdr header = {
		.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
		.e_type = ET_REL,
#if defined(__aarch64__)
		.e_machine = EM_AARCH64,
#else
		.e_machine = EM_X86_64,
#endif
		.e_version = EV_CURRENT,
		.e_ehsize = sizeof(header),
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = count + 2,
		.e_shstrndx = count + 1,
	};
	g_autofree Elf64_Shdr *table = g_new0(Elf64_Shdr, count + 2);
	char *image;

	g_byte_array_append(bytes, (const guint8 *)&header, sizeof(header));
	for (size_t i = 0; i < count; i++) {
		table[i + 1].sh_type = SHT_PROGBITS;
		table[i + 1].sh_name = names->len;
		table[i + 1].sh_offset = bytes->len;
		table[i + 1].sh_size = sections[i].size;
		table[i + 1].sh_addralign = 1;
		g_string_append_len(names, sections[i].name, strlen(sections[i].name) + 1);
		g_byte_array_append(bytes, (const guint8 *)sections[i].data, sections[i].size);
	}
	table[count + 1].sh_type = SHT_STRTAB;
	table[count + 1].sh_name = names->len;
	g_string_append_len(names, ".shstrtab", sizeof(".shstrtab"));
	table[count + 1].sh_offset = bytes->len;
	table[count + 1].sh_size = names->len;
	table[count + 1].sh_addralign = 1;
	g_byte_array_append(bytes, (const guint8 *)names->str, names->len);
	while (bytes->len % 8)
		g_byte_array_append(bytes, (const guint8 *)"", 1);
	((Elf64_Ehdr *)bytes->data)->e_shoff = bytes->len;
	g_byte_array_append(bytes, (const guint8 *)table, (count + 2) * sizeof(*table));
	*size = bytes->len;
	image = malloc(bytes->len);
	memcpy(image, bytes->data, bytes->len);
	return image;
}

/* A stand-in for struct module: zeros with the name among them. */
static const char this_module[200] = {[24] = 's', 't', 'a', 'p', '_', 'x'};

#define SECTION(name_, text)                                                                                           \
	{                                                                                                              \
		.name = (name_), .data = (text), .size = sizeof(text)                                                  \
	}
#define THIS_MODULE SECTION(".gnu.linkonce.this_module", this_module)
#define GOOD_INFO SECTION(".spile.info", "release=6.1.0-1-test\0target=kernel\0target-build-id=00FFab")

static struct error *read_sections(const struct image_section *sections, size_t count, struct module_info *info)
{
	size_t size;
	char *image = make_image(sections, count, &size);
	struct error *error = info_read(image, size, info);

	free(image);
	return error;
}

/* Make a module with this .spile.info and otherwise valid contents. */
static struct error *read_info_text(const char *text, size_t size, struct module_info *info)
{
	const struct image_section sections[] = {THIS_MODULE, {".spile.info", text, size}};

	return read_sections(sections, G_N_ELEMENTS(sections), info);
}

#define READ_INFO(text, info) read_info_text((text), sizeof(text), (info))

static void test_info_good(void)
{
	static const char text[] = "release=6.1.0-1-test\0"
				   "future=something\0"
				   "target=kernel\0target-name=kernel\0target-build-id=00FFab\0"
				   "target=module\0target-name=snd-hda\0target-section=.text.unlikely\0"
				   "target=executable\0target-name=/opt/my program -x\0target-build-id=12\0"
				   "target=module\0target-name=e1000e\0target-section=.text\0"
				   "target-build-id=0123456789abcdef0123456789abcdef01234567";
	struct module_info info;

	must_succeed(READ_INFO(text, &info));
	g_assert_cmpstr(info.name, ==, "stap_x");
	g_assert_cmpstr(info.release.text, ==, "6.1.0-1-test");
	g_assert_cmpstr(info.privilege, ==, "stapdev");
	g_assert_cmpuint(info.target_count, ==, 4);
	g_assert_cmpint(info.targets[0].kind, ==, STP_TARGET_KERNEL);
	g_assert_cmpstr(info.targets[0].section, ==, "");
	g_assert_cmpstr(info.targets[0].build_id, ==, "00ffab");
	g_assert_cmpstr(info.targets[1].name, ==, "snd-hda");
	g_assert_cmpstr(info.targets[1].section, ==, ".text.unlikely");
	g_assert_cmpstr(info.targets[1].build_id, ==, "");
	g_assert_cmpint(info.targets[2].kind, ==, STP_TARGET_EXECUTABLE);
	g_assert_cmpstr(info.targets[2].build_id, ==, "12");
	g_assert_cmpint(info.targets[3].kind, ==, STP_TARGET_MODULE);
	g_assert_cmpstr(info.targets[3].name, ==, "e1000e");
	g_assert_cmpstr(info.targets[3].section, ==, ".text");
	g_assert_cmpstr(info.targets[3].build_id, ==, "0123456789abcdef0123456789abcdef01234567");
	info_destroy(&info);
	g_assert_null(info.targets);
}

static void test_info_privilege(void)
{
	struct module_info info;

	must_succeed(READ_INFO("release=6.1\0privilege=stapusr", &info));
	g_assert_cmpstr(info.privilege, ==, "stapusr");
	info_destroy(&info);
	must_succeed(READ_INFO("release=6.1\0privilege=", &info));
	g_assert_cmpstr(info.privilege, ==, "");
	must_report(privilege_allows(ACCESS_STAPSYS, info.privilege), "built for members of ");
	info_destroy(&info);
	must_report(READ_INFO("release=6.1\0privilege=stapsys\0privilege=stapusr", &info),
		    "invalid or repeated privilege group");
	must_report(READ_INFO("release=6.1\0privilege=0123456789abcdef", &info), "invalid or repeated privilege group");

	must_succeed(privilege_allows(ACCESS_STAPUSR, "stapusr"));
	must_succeed(privilege_allows(ACCESS_STAPSYS, "stapusr"));
	must_succeed(privilege_allows(ACCESS_STAPSYS, "stapsys"));
	must_report(privilege_allows(ACCESS_STAPUSR, "stapsys"), "built for members of stapsys");
	must_report(privilege_allows(ACCESS_STAPSYS, "stapdev"), "built for members of stapdev");
}

#define MODULE(name, section, build_id)                                                                                \
	"target=module\0target-name=" name "\0target-section=" section "\0target-build-id=" build_id

static void test_info_bad_text(void)
{
	struct module_info info;
	g_autoptr(GString) many = g_string_new(NULL);

	must_report(READ_INFO("release=6.1/../../x", &info), "invalid kernel release");
	must_report(READ_INFO("target=kernel\0target-build-id=00", &info), "has no kernel release");
	must_report(READ_INFO("release=", &info), "has no kernel release");
	must_report(read_info_text("release=6.1", 11, &info), "is not terminated");
	must_report(read_info_text("release=6.1\0target=kernel", 25, &info), "is not terminated");
	must_report(READ_INFO("release=6.1\0target=", &info), "of an unknown kind");
	must_report(READ_INFO("release=6.1\0target=kernel - 00", &info), "of an unknown kind");
	must_report(READ_INFO("release=6.1\0target-name=x", &info), "before the first target");
	must_report(READ_INFO("release=6.1\0" MODULE("../x", ".text", "00"), &info), "invalid module name of a target");
	must_report(READ_INFO("release=6.1\0" MODULE("x", "../y", "00"), &info), "invalid section name of a target");
	must_report(READ_INFO("release=6.1\0" MODULE("x", "..", "00"), &info), "invalid section name of a target");
	must_report(READ_INFO("release=6.1\0" MODULE("x", ".text", "0"), &info), "that is not hexadecimal");
	must_report(READ_INFO("release=6.1\0" MODULE("x", ".text", "0g"), &info), "that is not hexadecimal");
	must_report(READ_INFO("release=6.1\0" MODULE("x", ".text", "00 more"), &info), "that is not hexadecimal");
	must_report(READ_INFO("release=6.1\0target=module\0target-name=x", &info), "without a module name or section");
	must_report(READ_INFO("release=6.1\0target=module\0target-section=.text", &info),
		    "without a module name or section");
	g_string_printf(many, "release=6.1%ctarget=kernel%ctarget-build-id=%0*d", 0, 0, INFO_BUILD_ID_SIZE, 0);
	must_report(read_info_text(many->str, many->len + 1, &info), "too long");
	g_string_printf(many, "release=%0*d", RELEASE_SIZE, 0);
	must_report(read_info_text(many->str, many->len + 1, &info), "invalid kernel release");
	g_string_assign(many, "release=6.1");
	for (unsigned int i = 0; i <= INFO_TARGET_LIMIT; i++)
		g_string_append_printf(many, "%ctarget=kernel", 0);
	must_report(read_info_text(many->str, many->len + 1, &info), "too many targets");
	/* After an error, there is nothing to free. */
	g_assert_null(info.targets);
}

static void test_info_bad_sections(void)
{
	static const char bad_name[40] = {[3] = '.', '.', '/', 'x'}, unended[8] = {[2] = 'a', 'b', 'c', 'd', 'e', 'f'};
	static const char long_name[INFO_NAME_SIZE + 20] = {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};
	static const char none[64];
	const struct {
		struct image_section sections[3];
		size_t count;
		const char *message;
	} cases[] = {
		{{THIS_MODULE}, 1, "it was not built by stap"},
		{{GOOD_INFO}, 1, "no section .gnu.linkonce.this_module"},
		{{GOOD_INFO, THIS_MODULE, THIS_MODULE}, 3, "a section appears twice"},
		{{GOOD_INFO, SECTION(".gnu.linkonce.this_module", bad_name)}, 2, "has characters other than letters"},
		{{GOOD_INFO, SECTION(".gnu.linkonce.this_module", unended)}, 2, "has no valid module name"},
		{{GOOD_INFO, SECTION(".gnu.linkonce.this_module", long_name)}, 2, "has no valid module name"},
		{{GOOD_INFO, SECTION(".gnu.linkonce.this_module", none)}, 2, "has no valid module name"},
		{{GOOD_INFO, THIS_MODULE, SECTION(".modinfo", "a=b\0name=stap_y")}, 3, "two different module names"},
	};
	struct module_info info;

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
		must_report(read_sections(cases[i].sections, cases[i].count, &info), cases[i].message);
}

static void test_info_no_module(void)
{
	const struct image_section sections[] = {GOOD_INFO, THIS_MODULE};
	struct module_info info;
	size_t size;
	char *image = make_image(sections, G_N_ELEMENTS(sections), &size);
	Elf64_Ehdr *header = (Elf64_Ehdr *)image;
	Elf64_Shdr *table = (Elf64_Shdr *)(image + header->e_shoff);
	uint16_t machine = header->e_machine;
	char text[] = "#!/bin/sh\necho no module\n";

	must_report(info_read(text, sizeof(text), &info), "it is not a kernel module");
	header->e_type = ET_DYN;
	must_report(info_read(image, size, &info), "it is not a kernel module");
	header->e_type = ET_REL;
	header->e_machine = EM_S390;
	must_report(info_read(image, size, &info), "another processor architecture");
	header->e_machine = machine;
	must_succeed(info_read(image, size, &info));
	info_destroy(&info);
	table[1].sh_size = size;
	must_report(info_read(image, size, &info), "damaged");
	table[1].sh_size = UINT64_MAX - table[1].sh_offset + 2;
	must_report(info_read(image, size, &info), "damaged");
	table[1].sh_size = 4;
	table[1].sh_type = SHT_NOBITS;
	must_report(info_read(image, size, &info), "damaged");
	header->e_shoff = size - 1;
	must_report(info_read(image, size, &info), "");
	free(image);
}

static void test_info_name(void)
{
	char name[INFO_NAME_SIZE + 1];

	g_assert_true(info_name_is_valid("stap_1-A"));
	g_assert_false(info_name_is_valid(""));
	g_assert_false(info_name_is_valid("."));
	g_assert_false(info_name_is_valid(".."));
	g_assert_false(info_name_is_valid("a/b"));
	g_assert_false(info_name_is_valid("a b"));
	g_assert_false(info_name_is_valid("a\n"));
	g_assert_false(info_name_is_valid("\303\244"));
	memset(name, 'a', sizeof(name));
	name[INFO_NAME_SIZE] = '\0';
	g_assert_false(info_name_is_valid(name));
	name[INFO_NAME_SIZE - 1] = '\0';
	g_assert_true(info_name_is_valid(name));
}

/* Return the name that the kernel would read from the image. */
static const char *name_in(const char *image, const struct module_info *info)
{
	return image + info->name_offset;
}

static void test_info_rename(void)
{
	const struct image_section sections[] = {GOOD_INFO, THIS_MODULE,
						 SECTION(".modinfo", "license=GPL\0name=stap_x\0vermagic=6.1")};
	struct module_info info, again;
	size_t size;
	char *image = make_image(sections, G_N_ELEMENTS(sections), &size), *before = g_memdup2(image, size);
	char longest[INFO_NAME_SIZE], too_long[INFO_NAME_SIZE + 1];

	must_succeed(info_read(image, size, &info));
	/* A shorter name is in both places, padded with zeros. */
	must_succeed(info_rename(image, &info, "ab"));
	g_assert_cmpstr(info.name, ==, "ab");
	g_assert_cmpmem(name_in(image, &info), 6, "ab\0\0\0\0", 6);
	g_assert_cmpmem(image + info.modinfo_name_offset, 16, "ab\0\0\0\0\0vermagic=", 16);
	must_succeed(info_read(image, size, &again));
	g_assert_cmpstr(again.name, ==, "ab");
	info_destroy(&again);
	info_destroy(&info);
	/* After restoring the name, the image is unchanged... */
	memcpy(image, before, size);
	must_succeed(info_read(image, size, &info));
	must_succeed(info_rename(image, &info, "stap_y"));
	must_succeed(info_rename(image, &info, "stap_x"));
	g_assert_cmpmem(image, size, before, size);
	/* .modinfo has no space for a longer name and keeps the old one. */
	memset(longest, 'l', sizeof(longest));
	longest[INFO_NAME_SIZE - 1] = '\0';
	must_succeed(info_rename(image, &info, longest));
	g_assert_cmpstr(name_in(image, &info), ==, longest);
	g_assert_cmpstr(image + info.modinfo_name_offset, ==, "stap_x");
	memset(too_long, 'l', sizeof(too_long));
	too_long[INFO_NAME_SIZE] = '\0';
	must_report(info_rename(image, &info, too_long), "is too long");
	g_assert_cmpstr(info.name, ==, longest);
	info_destroy(&info);
	free(image);
	g_free(before);
}

/* Call info_read() on a copy. If it accepts the image, its results must be safe to use. */
static void try_image(const char *data, size_t size)
{
	char *image = malloc(size ? size : 1);
	struct module_info info;
	struct error *error;

	memcpy(image, data, size);
	error = info_read(image, size, &info);
	error_free(error);
	if (!error) {
		g_assert_true(info_name_is_valid(info.name));
		g_assert_cmpuint(info.name_offset + info.name_room, <=, size);
		g_assert_cmpuint(strlen(info.name), <, info.name_room);
		g_assert_cmpuint(info.modinfo_name_offset, <, size);
		for (unsigned int i = 0; i < info.target_count; i++)
			g_assert_true(info.targets[i].kind != STP_TARGET_MODULE ||
				      info_name_is_valid(info.targets[i].name));
		error_free(info_rename(image, &info, "another_name_that_is_rather_long"));
		info_destroy(&info);
	}
	free(image);
}

static void abuse(const char *data, size_t size, unsigned int rounds)
{
	g_autofree char *copy = g_memdup2(data, size);
	/* Damage the headers, where it has most effect. */
	size_t table = MIN(((const Elf64_Ehdr *)data)->e_shoff, size);

	for (size_t cut = 0; cut < MIN(size, 2048); cut++)
		try_image(data, cut);
	for (size_t cut = size - MIN(size, 512); cut < size; cut++)
		try_image(data, cut);
	for (unsigned int i = 0; i < rounds; i++)
		try_image(data, g_test_rand_int_range(0, size));
	for (unsigned int i = 0; i < rounds; i++) {
		size_t at = i % 4 == 0	 ? g_test_rand_int_range(0, sizeof(Elf64_Ehdr))
			    : i % 4 == 1 ? g_test_rand_int_range(0, size)
					 : g_test_rand_int_range(table, size);
		char was = copy[at];

		copy[at] = i % 3 ? g_test_rand_int() : 0xff;
		try_image(copy, size);
		if (i % 8) /* keep the damage now and then */
			copy[at] = was;
		else if (i % 64 == 0)
			memcpy(copy, data, size);
	}
}

static void test_info_abuse(void)
{
	const struct image_section sections[] = {GOOD_INFO, THIS_MODULE,
						 SECTION(".modinfo", "license=GPL\0name=stap_x")};
	size_t size;
	char *image = make_image(sections, G_N_ELEMENTS(sections), &size);

	abuse(image, size, 50000);
	free(image);
}

/* Test a module that stap makes for a kernel. */
static void test_info_real(gconstpointer release)
{
	g_autofree char *directory = g_dir_make_tmp("spile-test-XXXXXX", NULL);
	const char *argv[] = {g_getenv("STAP"),		"-p4", "-r", release, "-m", "stap_real", "-e",
			      "probe begin { exit() }", NULL};
	g_autofree char *path = g_build_filename(directory, "stap_real.ko", NULL);
	g_autofree char *data = NULL, *image = NULL;
	struct module_info info;
	int status = -1;
	gsize size;

	g_assert_true(g_spawn_sync(directory, (char **)argv, NULL,
				   G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL | G_SPAWN_SEARCH_PATH, NULL,
				   NULL, NULL, NULL, &status, NULL));
	g_assert_cmpint(status, ==, 0);
	g_assert_true(g_file_get_contents(path, &data, &size, NULL));
	image = g_memdup2(data, size);
	must_succeed(info_read(image, size, &info));
	g_assert_cmpmem(image, size, data, size);
	g_assert_cmpstr(info.name, ==, "stap_real");
	g_assert_cmpstr(info.release.text, ==, release);
	g_assert_cmpuint(info.target_count, ==, 1);
	g_assert_cmpint(info.targets[0].kind, ==, STP_TARGET_KERNEL);
	g_assert_cmpuint(strlen(info.targets[0].build_id), ==, 40);
	g_assert_cmpuint(info.modinfo_name_offset, !=, 0);
	/* The name's array in struct module is full length (include/linux/moduleparam.h, MODULE_NAME_LEN). */
	g_assert_cmpuint(info.name_room, ==, INFO_NAME_SIZE);
	info_destroy(&info);
	abuse(data, size, 1000);
	g_remove(path);
	g_rmdir(directory);
}

/* ---- ELF notes --------------------------------------------------------------------------------------------------- */

static GByteArray *add_note(GByteArray *notes, const char *owner, uint32_t type, const char *data, uint32_t size)
{
	Elf64_Nhdr header = {.n_namesz = strlen(owner) + 1, .n_descsz = size, .n_type = type};
	static const guint8 padding[4];

	notes = notes ?: g_byte_array_new();
	g_byte_array_append(notes, (const guint8 *)&header, sizeof(header));
	g_byte_array_append(notes, (const guint8 *)owner, header.n_namesz);
	g_byte_array_append(notes, padding, -header.n_namesz & 3);
	g_byte_array_append(notes, (const guint8 *)data, size);
	return g_byte_array_append(notes, padding, -size & 3);
}

/* Return the build-id in notes, in an allocation of exactly their size, and free them. */
static void assert_build_id(GByteArray *notes, size_t size, const char *wanted)
{
	char hex[INFO_BUILD_ID_SIZE];
	void *exact = malloc(size ? size : 1);

	memcpy(exact, notes->data, size);
	check_notes_build_id(exact, size, hex);
	g_assert_cmpstr(hex, ==, wanted);
	free(exact);
	g_byte_array_free(notes, TRUE);
}

static void test_notes(void)
{
	static const char most[63] = {"x"}, too_much[64] = {"x"};
	char hex[INFO_BUILD_ID_SIZE];
	GByteArray *notes;

	check_notes_build_id("", 0, hex);
	g_assert_cmpstr(hex, ==, "");
	notes = add_note(NULL, "GNU", NT_GNU_BUILD_ID, "\1\2\xff", 3);
	assert_build_id(notes, notes->len, "0102ff");
	/* The last note need not be padded, but must be complete. */
	notes = add_note(NULL, "GNU", NT_GNU_BUILD_ID, "\1\2\xff", 3);
	assert_build_id(notes, notes->len - 1, "0102ff");
	notes = add_note(NULL, "GNU", NT_GNU_BUILD_ID, "\1\2\xff", 3);
	assert_build_id(notes, notes->len - 2, "");
	/* Other notes precede it: another owner of the same type, another type, odd lengths, an empty note. */
	notes = add_note(NULL, "Linux", NT_GNU_BUILD_ID, "nope!", 5);
	add_note(notes, "Xen", NT_GNU_BUILD_ID, "nope", 4);
	add_note(notes, "GNU", NT_GNU_ABI_TAG, "nope", 4);
	add_note(notes, "GNU", NT_GNU_BUILD_ID, "", 0);
	add_note(notes, "GNU", NT_GNU_BUILD_ID, "\xab", 1);
	assert_build_id(notes, notes->len, "ab");
	notes = add_note(NULL, "GNU", NT_GNU_BUILD_ID, most, sizeof(most));
	check_notes_build_id(notes->data, notes->len, hex);
	g_assert_cmpuint(strlen(hex), ==, 2 * sizeof(most));
	g_byte_array_free(notes, TRUE);
	notes = add_note(NULL, "GNU", NT_GNU_BUILD_ID, too_much, sizeof(too_much));
	assert_build_id(notes, notes->len, "");
	/* Wrong lengths. */
	notes = add_note(NULL, "GNU", NT_GNU_BUILD_ID, "\1\2\3\4", 4);
	((Elf64_Nhdr *)notes->data)->n_descsz = UINT32_MAX;
	assert_build_id(notes, notes->len, "");
	notes = add_note(NULL, "GNU", NT_GNU_BUILD_ID, "\1\2\3\4", 4);
	((Elf64_Nhdr *)notes->data)->n_namesz = UINT32_MAX;
	assert_build_id(notes, notes->len, "");
}

static void test_notes_abuse(void)
{
	g_autoptr(GByteArray) notes = add_note(NULL, "Linux", 1, "12345", 5);

	add_note(notes, "GNU", NT_GNU_BUILD_ID, "12345678901234567890", 20);
	for (unsigned int round = 0; round < 20000; round++) {
		size_t size = g_test_rand_int_range(1, notes->len + 1);
		unsigned char *copy = malloc(size);
		char hex[INFO_BUILD_ID_SIZE];

		memcpy(copy, notes->data, size);
		copy[g_test_rand_int_range(0, size)] = g_test_rand_int();
		check_notes_build_id(copy, size, hex);
		g_assert_cmpuint(strspn(hex, "0123456789abcdef"), ==, strlen(hex));
		free(copy);
	}
}

/* ---- the control file -------------------------------------------------------------------------------------------- */

static void test_status(void)
{
	struct control_status status;

	control_parse_status("state running\nexit 1\nfailed 0\nlost 18446744073709551615\nskipped_reentrant 2\n"
			     "skipped_lock 3\nmissed_return 4\nerrors 5\nmemory 123\n",
			     &status);
	g_assert_cmpuint(status.exit, ==, 1);
	g_assert_cmpuint(status.failed, ==, 0);
	g_assert_cmpuint(status.lost, ==, UINT64_MAX);
	g_assert_cmpuint(status.skipped_reentrant, ==, 2);
	g_assert_cmpuint(status.skipped_lock, ==, 3);
	g_assert_cmpuint(status.missed_return, ==, 4);
	g_assert_cmpuint(status.errors, ==, 5);
	/* Other keys, and lines without a value. */
	control_parse_status("exited 1\nexi 1\n\nlost\n7 8\n \nfailed 2", &status);
	g_assert_cmpuint(status.exit, ==, 0);
	g_assert_cmpuint(status.lost, ==, 0);
	g_assert_cmpuint(status.failed, ==, 2);
	control_parse_status("", &status);
	g_assert_cmpuint(status.failed, ==, 0);
}

/* ---- the file "monitor" ------------------------------------------------------------------------------------------ */

static void test_snapshot(void)
{
	struct snapshot snapshot = {0};

	snapshot_parse(strdup("state running\nhits 7\nuptime 3\n"
			      "probe 0 on 0 0 0 0 begin\nprobe 4 off 7 1 -2 9223372036854775807 process(\"/a b\").end\n"
			      "global n - 5\nglobal a 2 [[[\"x y\"],1],[[\"\"],2]]\n"),
		       &snapshot);
	g_assert_cmpstr(snapshot.status.state, ==, "running");
	g_assert_cmpuint(snapshot.status.hits, ==, 7);
	g_assert_cmpuint(snapshot.probe_count, ==, 2);
	g_assert_cmpstr(snapshot.probes[0].point, ==, "begin");
	g_assert_cmpuint(snapshot.probes[1].index, ==, 4);
	g_assert_cmpstr(snapshot.probes[1].state, ==, "off");
	g_assert_cmpint(snapshot.probes[1].average, ==, -2);
	g_assert_cmpint(snapshot.probes[1].most, ==, INT64_MAX);
	g_assert_cmpstr(snapshot.probes[1].point, ==, "process(\"/a b\").end");
	g_assert_cmpuint(snapshot.global_count, ==, 2);
	g_assert_cmpstr(snapshot.globals[0].count, ==, "-");
	g_assert_cmpstr(snapshot.globals[0].value, ==, "5");
	g_assert_cmpstr(snapshot.globals[1].value, ==, "[[[\"x y\"],1],[[\"\"],2]]");
	snapshot_clear(&snapshot);
}

/* Truncated lines, and random bytes. */
static void test_snapshot_abuse(void)
{
	static const char *const texts[] = {
		"",
		"\n\n",
		"probe",
		"probe ",
		"probe 1 on 2",
		"probe 1 on 2 3 4 5",
		"global",
		"global n",
		"global n -",
		"state",
		"state an unreasonably long name of a state\nprobe x y z",
		"global  ",
		"probe      ",
	};

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		struct snapshot snapshot = {0};

		snapshot_parse(strdup(texts[i]), &snapshot);
		for (unsigned int j = 0; j < snapshot.probe_count; j++)
			g_assert_nonnull(snapshot.probes[j].point);
		for (unsigned int j = 0; j < snapshot.global_count; j++)
			g_assert_nonnull(snapshot.globals[j].value);
		snapshot_clear(&snapshot);
	}
}

/* Many lines from a file, which is then read again from its start. */
static void test_snapshot_file(void)
{
	g_autoptr(GString) text = g_string_new("state stopped\n");
	struct snapshot snapshot = {0};
	FILE *file = tmpfile();

	for (unsigned int i = 0; i < 5000; i++)
		g_string_append_printf(text, "probe %u on %u 0 0 0 timer.ms(%u)\nglobal g%u - %u\n", i, i, i, i, i);
	g_assert_cmpint(write(fileno(file), text->str, text->len), ==, text->len);
	for (unsigned int turn = 0; turn < 2; turn++) {
		must_succeed(snapshot_read(fileno(file), &snapshot));
		g_assert_cmpuint(snapshot.probe_count, ==, 5000);
		g_assert_cmpuint(snapshot.global_count, ==, 5000);
		g_assert_cmpint(snapshot.probes[4999].hits, ==, 4999);
		g_assert_cmpstr(snapshot.globals[4999].value, ==, "4999");
	}
	snapshot_clear(&snapshot);
	fclose(file);
}

/* ---- output ------------------------------------------------------------------------------------------------------ */

static void put(struct output *output, enum stp_record_type type, const char *text)
{
	struct stp_record record = {.magic = STP_RECORD_MAGIC, .type = type, .length = strlen(text)};

	output_record(output, &record, text);
}

static const struct output_limit no_limit;

static void test_output_file(void)
{
	g_autofree char *directory = g_dir_make_tmp("spile-test-XXXXXX", NULL);
	g_autofree char *format = g_build_filename(directory, "%%out", NULL),
			*path = g_build_filename(directory, "%out", NULL);
	g_autofree char *block = g_strnfill(STP_RECORD_LIMIT, 'x'), *text = NULL;
	static struct output *output; /* lives as long as the process */
	gsize size;

	must_succeed(output_open(format, &no_limit, COLOR_NEVER, true, &output));
	put(output, STP_RECORD_OUTPUT, "first ");
	put(output, STP_RECORD_OUTPUT, "second");
	/* Output is buffered until it must be written, and then in order. */
	g_assert_true(g_file_get_contents(path, &text, &size, NULL));
	g_assert_cmpuint(size, ==, 0);
	for (unsigned int i = 0; i < 20; i++)
		put(output, STP_RECORD_OUTPUT, block);
	output_close(output);
	must_succeed(output_take_error(output));
	g_free(text);
	g_assert_true(g_file_get_contents(path, &text, &size, NULL));
	g_assert_cmpuint(size, ==, 12 + 20 * STP_RECORD_LIMIT);
	g_assert_true(g_str_has_prefix(text, "first secondxxx"));
	g_remove(path);
	g_rmdir(directory);
}

static void test_output_errors(void)
{
	static struct output *output; /* lives as long as the process */

	must_report(output_open("/no/such/directory/x", &no_limit, COLOR_NEVER, true, &output),
		    "cannot write /no/such/directory/x");
	must_report(output_open("", &no_limit, COLOR_NEVER, true, &output), "invalid name for the output file");
	must_succeed(output_open("/dev/full", &no_limit, COLOR_NEVER, true, &output));
	put(output, STP_RECORD_OUTPUT, "lost");
	output_flush(output);
	must_report(output_take_error(output), "No space left");
	/* The error is reported once. */
	put(output, STP_RECORD_OUTPUT, "lost");
	output_close(output);
	must_succeed(output_take_error(output));
}

/* Run in a child process, whose streams g_test captures. */
static void put_one_of_each(enum color_when color, bool warnings)
{
	static struct output *output; /* lives as long as the process */

	must_succeed(output_open(NULL, &no_limit, color, warnings, &output));
	put(output, STP_RECORD_OUTPUT, "an output\n");
	put(output, STP_RECORD_WARNING, "a warning\n\n");
	put(output, STP_RECORD_ERROR, "an error");
	output_close(output);
	must_succeed(output_take_error(output));
}

static void test_output_streams(void)
{
	if (g_test_subprocess()) {
		put_one_of_each(COLOR_NEVER, true);
		return;
	}
	g_test_trap_subprocess(NULL, 0, 0);
	g_test_trap_assert_passed();
	g_test_trap_assert_stdout("*an output\n*");
	g_test_trap_assert_stderr("WARNING: a warning\nERROR: an error\n");
}

static void test_output_colors(void)
{
	if (g_test_subprocess()) {
		put_one_of_each(COLOR_ALWAYS, false);
		return;
	}
	/* Only valid parameters of escape sequences are accepted. */
	g_setenv("SYSTEMTAP_COLORS", "warning=1\033[2J:error=35;4:error", TRUE);
	g_test_trap_subprocess(NULL, 0, 0);
	g_unsetenv("SYSTEMTAP_COLORS");
	g_test_trap_assert_passed();
	g_test_trap_assert_stderr("?[35;4mERROR:?[m?[K an error\n");
}

/* At the end, the reason of an earlier failure may no longer be known. */
static void test_standard_output(void)
{
	if (g_test_subprocess()) {
		g_assert_nonnull(freopen("/dev/full", "w", stdout));
		g_assert_cmpint(fputs("lost\n", stdout), >=, 0);
		g_assert_cmpint(fflush(stdout), ==, EOF);
		g_assert_cmpint(standard_output_finish(0), ==, EXIT_FAILURE);
		errno = EISDIR;
		g_assert_cmpint(standard_output_finish(0), ==, EXIT_FAILURE);
		return;
	}
	g_test_trap_subprocess(NULL, 0, 0);
	g_test_trap_assert_passed();
	g_test_trap_assert_stderr("ERROR: cannot write the output: No space left on device\n"
				  "ERROR: cannot write the output\n");
}

/* ---- reading files ----------------------------------------------------------------------------------------------- */

static void test_module_read(void)
{
	g_autofree char *directory = g_dir_make_tmp("spile-test-XXXXXX", NULL),
			*path = g_build_filename(directory, "x.ko", NULL);
	g_autofree char *link = g_build_filename(directory, "y.ko", NULL);
	struct module_image image;

	must_report(module_read("", ACCESS_ALL, &image), "is not the name of a module");
	must_report(module_read("..", ACCESS_ALL, &image), "is not the name of a module");
	must_report(module_read("no_such_module", ACCESS_ALL, &image), "no_such_module");
	must_report(module_read("/etc/passwd", ACCESS_STAPUSR, &image), "you may only load modules that");
	must_report(module_read("x.ko", ACCESS_STAPUSR, &image), "you may only load modules that");
	if (geteuid()) {
		g_test_skip("only root can go back to being root");
		return;
	}
	must_report(module_read(path, ACCESS_ALL, &image), "No such file");
	must_report(module_read("/", ACCESS_ALL, &image), "is not a kernel module");
	must_report(module_read("/dev/zero", ACCESS_ALL, &image), "is not a kernel module");
	g_assert_true(g_file_set_contents(path, "", 0, NULL));
	must_report(module_read(path, ACCESS_ALL, &image), "is not a kernel module");
	g_assert_true(g_file_set_contents(path, "some\0bytes", 10, NULL));
	g_assert_cmpint(symlink(path, link), ==, 0);
	must_succeed(module_read(link, ACCESS_ALL, &image));
	g_assert_cmpmem(image.data, image.size, "some\0bytes", 10);
	free(image.data);
	g_remove(link);
	g_remove(path);
	g_rmdir(directory);
}

static void test_environment(void)
{
	char **before;

	if (!g_test_subprocess()) {
		g_test_trap_subprocess(NULL, 0, 0);
		g_test_trap_assert_passed();
		return;
	}
	g_setenv("LD_PRELOAD", "/x", TRUE);
	g_setenv("IFS", "x", TRUE);
	g_setenv("PATH", ".", TRUE);
	g_setenv("TERM", "vt100", TRUE);
	before = privilege_clean_environment();
	g_assert_null(getenv("LD_PRELOAD"));
	g_assert_null(getenv("IFS"));
	g_assert_cmpstr(getenv("PATH"), ==, "/usr/sbin:/usr/bin:/sbin:/bin");
	g_assert_cmpstr(getenv("TERM"), ==, "vt100");
	/* A command of the user gets the original values. */
	g_assert_cmpstr(g_environ_getenv(before, "PATH"), ==, ".");
	g_assert_cmpstr(g_environ_getenv(before, "IFS"), ==, "x");
	g_strfreev(before);
}

/* ---- numbers in arguments ---------------------------------------------------------------------------------------- */

static void test_numbers(void)
{
	static const struct {
		const char *text;
		int base;
		int64_t least, most, number;
		const char *rest; /* NULL: not a number in this range */
	} rows[] = {
		{"1", 10, 1, 9, 1, ""},
		{"9", 10, 1, 9, 9, ""},
		{"0", 10, 1, 9, 0, NULL},
		{"10", 10, 1, 9, 0, NULL},
		{"-3", 10, -5, 5, -3, ""},
		{"00000011", 10, 1, 99, 11, ""},
		{"0x10", 0, 0, 99, 16, ""},
		{"0x10", 10, 0, 99, 0, "x10"},
		{"5,json", 10, 1, 9, 5, ",json"},
		{"", 10, 0, 9, 0, NULL},
		{",5", 10, 0, 9, 0, NULL},
		{"x", 0, 0, 9, 0, NULL},
		{"9223372036854775807", 10, 0, INT64_MAX, INT64_MAX, ""},
		{"9223372036854775808", 10, 0, INT64_MAX, 0, NULL},
		{"-9223372036854775809", 10, INT64_MIN, 0, 0, NULL},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		int64_t number = 0, whole = 0;
		const char *rest = parse_number_at(rows[i].text, rows[i].base, rows[i].least, rows[i].most, &number);
		bool is_whole = parse_number(rows[i].text, rows[i].base, rows[i].least, rows[i].most, &whole);

		g_assert_cmpstr(rest, ==, rows[i].rest);
		g_assert_cmpint(number, ==, rows[i].number);
		g_assert_cmpint(is_whole, ==, rest && !*rest);
		g_assert_cmpint(whole, ==, number);
	}
}

int main(int argc, char **argv)
{
	static const struct {
		const char *path;
		void (*run)(struct merge_fixture *f, gconstpointer data);
	} merge_tests[] = {
		{"/staprun/merge/order", test_merge_order},
		{"/staprun/merge/new-file", test_merge_new_file},
		{"/staprun/merge/parts", test_merge_parts},
		{"/staprun/merge/lost-parts", test_merge_lost_parts},
		{"/staprun/merge/torn", test_merge_torn},
		{"/staprun/merge/gap", test_merge_gap},
		{"/staprun/merge/last-number", test_merge_last_number},
		{"/staprun/merge/corrupt", test_merge_corrupt},
		{"/staprun/merge/corrupt-later", test_merge_corrupt_later},
		{"/staprun/merge/same-number", test_merge_same_number},
		{"/staprun/merge/cut-end", test_merge_cut_end},
		{"/staprun/merge/random", test_merge_random},
		{"/staprun/merge/mutation", test_merge_mutation},
	};
	const char *roots = g_getenv("SPILE_TEST_KERNEL_ROOTS");
	g_auto(GStrv) kernels = g_strsplit(roots && g_getenv("STAP") ? roots : "", ":", -1);

	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(merge_tests); i++)
		g_test_add(merge_tests[i].path, struct merge_fixture, NULL, merge_set_up, merge_tests[i].run,
			   merge_tear_down);
	g_test_add_func("/staprun/info/privilege", test_info_privilege);
	g_test_add_func("/staprun/info/good", test_info_good);
	g_test_add_func("/staprun/info/bad-text", test_info_bad_text);
	g_test_add_func("/staprun/info/bad-sections", test_info_bad_sections);
	g_test_add_func("/staprun/info/no-module", test_info_no_module);
	g_test_add_func("/staprun/info/name", test_info_name);
	g_test_add_func("/staprun/info/rename", test_info_rename);
	g_test_add_func("/staprun/info/abuse", test_info_abuse);
	for (char **kernel = kernels; *kernel; kernel++) {
		g_autofree char *release = g_path_get_basename(*kernel);
		g_autofree char *path = g_strconcat("/staprun/info/real/", release, NULL);

		g_test_add_data_func_full(path, g_steal_pointer(&release), test_info_real, g_free);
	}
	g_test_add_func("/staprun/notes", test_notes);
	g_test_add_func("/staprun/notes/abuse", test_notes_abuse);
	g_test_add_func("/staprun/status", test_status);
	g_test_add_func("/staprun/snapshot", test_snapshot);
	g_test_add_func("/staprun/snapshot/abuse", test_snapshot_abuse);
	g_test_add_func("/staprun/snapshot/file", test_snapshot_file);
	g_test_add_func("/staprun/output/file", test_output_file);
	g_test_add_func("/staprun/output/errors", test_output_errors);
	g_test_add_func("/staprun/output/standard", test_standard_output);
	g_test_add_func("/staprun/output/streams", test_output_streams);
	g_test_add_func("/staprun/output/colors", test_output_colors);
	g_test_add_func("/staprun/numbers", test_numbers);
	g_test_add_func("/staprun/module-read", test_module_read);
	g_test_add_func("/staprun/environment", test_environment);
	return g_test_run();
}
