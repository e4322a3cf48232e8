// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Compare the instruction decoder of translator/abi with Zydis, for each
 * instruction of libc, of the kernels and of their modules, and for all
 * opcodes: the size, the successor, why uprobes refuse it, and its effect on
 * the stack pointer.
 *
 * Zydis rejects instructions that processors do not define. Our decoder may
 * accept these, because only their size matters to it; a processor that defines
 * them later must not stop it.
 */
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "testsuite/unit/part.h"
#include "translator/abi/abi.h"

#ifdef HAVE_ZYDIS

#include <Zydis/Zydis.h>
#include <fcntl.h>
#include <ftw.h>
#include <gelf.h>
#include <glob.h>
#include <stdlib.h>
#include <unistd.h>

enum { LONGEST_INSTRUCTION = 15 };

/* An instruction, as Zydis decodes it. */
struct reference {
	ZydisDecodedInstruction instruction;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	const uint8_t *bytes;
};

struct comparison {
	ZydisDecoder decoder;
	bool is_32_bit;
	uint64_t instructions;
	GHashTable *shown; /* a difference of each kind for each mnemonic */
};

static void comparison_begin(struct comparison *comparison, bool is_32_bit)
{
	*comparison = (struct comparison){.is_32_bit = is_32_bit,
					  .shown = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL)};
	g_assert_true(ZYAN_SUCCESS(ZydisDecoderInit(
		&comparison->decoder, is_32_bit ? ZYDIS_MACHINE_MODE_LEGACY_32 : ZYDIS_MACHINE_MODE_LONG_64,
		is_32_bit ? ZYDIS_STACK_WIDTH_32 : ZYDIS_STACK_WIDTH_64)));
}

/* Is it an instruction of the Xeon Phi coprocessors, which run no kernel of ours? */
static bool is_of_coprocessor(const ZydisDecodedInstruction *instruction)
{
	return instruction->meta.isa_ext == ZYDIS_ISA_EXT_KNC || instruction->meta.isa_ext == ZYDIS_ISA_EXT_KNCE ||
	       instruction->meta.isa_ext == ZYDIS_ISA_EXT_KNCV;
}

static bool read_reference(const struct comparison *comparison, const uint8_t *bytes, size_t size,
			   struct reference *reference)
{
	reference->bytes = bytes;
	return ZYAN_SUCCESS(ZydisDecoderDecodeFull(&comparison->decoder, bytes, size, &reference->instruction,
						   reference->operands)) &&
	       !is_of_coprocessor(&reference->instruction);
}

static bool is_relative(const struct reference *reference)
{
	return reference->instruction.raw.imm[0].is_relative;
}

/* Transactions do not count as control transfers: if one aborts, the CPU restores all registers. */
static bool is_transaction(const struct reference *reference)
{
	return reference->instruction.mnemonic == ZYDIS_MNEMONIC_XBEGIN ||
	       reference->instruction.mnemonic == ZYDIS_MNEMONIC_XABORT ||
	       reference->instruction.mnemonic == ZYDIS_MNEMONIC_XEND;
}

static enum abi_flow expected_flow(const struct reference *reference)
{
	if (is_transaction(reference))
		return ABI_FLOW_ON;
	switch (reference->instruction.meta.category) {
	case ZYDIS_CATEGORY_CALL:
		return ABI_FLOW_CALL;
	case ZYDIS_CATEGORY_RET:
		return ABI_FLOW_RETURN;
	case ZYDIS_CATEGORY_UNCOND_BR:
		return is_relative(reference) ? ABI_FLOW_JUMP : ABI_FLOW_INDIRECT;
	case ZYDIS_CATEGORY_COND_BR:
		return ABI_FLOW_BRANCH;
	default:
		return ABI_FLOW_ON;
	}
}

static bool has_prefix(const struct reference *reference, const char *values)
{
	for (unsigned int i = 0; i < reference->instruction.raw.prefix_count; i++)
		if (strchr(values, reference->instruction.raw.prefixes[i].value))
			return true;
	return false;
}

/* Is there a REX prefix that another prefix follows? Processors ignore it, but the kernel does not. */
static bool has_lost_prefix(const struct reference *reference)
{
	for (int i = 0; i + 1 < reference->instruction.raw.prefix_count; i++)
		if ((reference->instruction.raw.prefixes[i].value & 0xf0) == 0x40)
			return true;
	return false;
}

static bool is_segment(const ZydisDecodedOperand *operand)
{
	return operand->type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       ZydisRegisterGetClass(operand->reg.value) == ZYDIS_REGCLASS_SEGMENT;
}

/* The kernel's list of opcodes has no counterpart in Zydis for vector
 * instructions, whose bytes it misunderstands. */
static enum abi_refusal expected_refusal(const struct reference *reference)
{
	if (has_prefix(reference, "\x26\x2e\x36\x3e\xf0"))
		return ABI_REFUSED_PREFIX;
	if (has_lost_prefix(reference))
		return ABI_REFUSED_OPCODE;
	switch (reference->instruction.mnemonic) {
	case ZYDIS_MNEMONIC_INT3:
		return ABI_REFUSED_BREAKPOINT;
	case ZYDIS_MNEMONIC_SYSCALL:
	case ZYDIS_MNEMONIC_SYSENTER:
		return ABI_REFUSED_CALL;
	case ZYDIS_MNEMONIC_PUSHF:
	case ZYDIS_MNEMONIC_PUSHFD:
	case ZYDIS_MNEMONIC_PUSHFQ:
		return ABI_REFUSED_FLAGS;
	case ZYDIS_MNEMONIC_CLI:
	case ZYDIS_MNEMONIC_HLT:
	case ZYDIS_MNEMONIC_IN:
	case ZYDIS_MNEMONIC_INSB:
	case ZYDIS_MNEMONIC_INSD:
	case ZYDIS_MNEMONIC_INSW:
	case ZYDIS_MNEMONIC_INT:
	case ZYDIS_MNEMONIC_INT1:
	case ZYDIS_MNEMONIC_INTO:
	case ZYDIS_MNEMONIC_IRET:
	case ZYDIS_MNEMONIC_IRETD:
	case ZYDIS_MNEMONIC_IRETQ:
	case ZYDIS_MNEMONIC_OUT:
	case ZYDIS_MNEMONIC_OUTSB:
	case ZYDIS_MNEMONIC_OUTSD:
	case ZYDIS_MNEMONIC_OUTSW:
	case ZYDIS_MNEMONIC_STI:
		return ABI_REFUSED_OPCODE;
	case ZYDIS_MNEMONIC_MOV:
		return reference->operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
				       reference->operands[0].reg.value == ZYDIS_REGISTER_SS
			       ? ABI_REFUSED_MASKING
			       : ABI_PROBEABLE;
	case ZYDIS_MNEMONIC_POP:
		return is_segment(&reference->operands[0]) &&
				       reference->instruction.opcode_map == ZYDIS_OPCODE_MAP_DEFAULT
			       ? ABI_REFUSED_OPCODE
			       : ABI_PROBEABLE;
	case ZYDIS_MNEMONIC_PAUSE:
	case ZYDIS_MNEMONIC_XCHG:
		return reference->instruction.opcode == 0x90 && reference->instruction.raw.rex.B ? ABI_REFUSED_EXCHANGE
												 : ABI_PROBEABLE;
	default:
		return has_prefix(reference, "\x66") && is_relative(reference) &&
				       expected_flow(reference) != ABI_FLOW_ON &&
				       (reference->instruction.opcode & 0xfc) != 0xe0
			       ? ABI_REFUSED_BRANCH
			       : ABI_PROBEABLE;
	}
}

static bool is_register(const ZydisDecodedOperand *operand, ZydisRegister number)
{
	return operand->type == ZYDIS_OPERAND_TYPE_REGISTER && operand->reg.value == number;
}

static bool writes_stack_pointer(const struct reference *reference)
{
	for (unsigned int i = 0; i < reference->instruction.operand_count; i++) {
		const ZydisDecodedOperand *operand = &reference->operands[i];

		if (operand->type == ZYDIS_OPERAND_TYPE_REGISTER &&
		    operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE &&
		    ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, operand->reg.value) ==
			    ZYDIS_REGISTER_RSP)
			return true;
	}
	return false;
}

static int dwarf_number(const ZydisDecodedOperand *operand)
{
	static const int8_t low[] = {0, 2, 1, 3, 7, 6, 4, 5};
	int id;

	if (operand->type != ZYDIS_OPERAND_TYPE_REGISTER ||
	    ZydisRegisterGetClass(operand->reg.value) != ZYDIS_REGCLASS_GPR64)
		return -1;
	id = ZydisRegisterGetId(operand->reg.value);
	return id < 8 ? low[id] : id;
}

static struct abi_stack_effect effect(enum abi_stack_kind kind, int64_t distance, int pushed, int popped)
{
	return (struct abi_stack_effect){kind, (int32_t)distance, pushed, popped};
}

/* The effect of "lea …(%base), %rsp". */
static struct abi_stack_effect address_effect(const ZydisDecodedOperand *address)
{
	bool is_simple = address->mem.index == ZYDIS_REGISTER_NONE;

	if (is_simple && address->mem.base == ZYDIS_REGISTER_RSP && address->mem.disp.has_displacement)
		return effect(ABI_STACK_MOVED, address->mem.disp.value, -1, -1);
	if (is_simple && address->mem.base == ZYDIS_REGISTER_RBP)
		return effect(ABI_STACK_FRAME_USED, address->mem.disp.value, -1, -1);
	return effect(ABI_STACK_LOST, 0, -1, -1);
}

static struct abi_stack_effect expected_effect(const struct reference *reference)
{
	const ZydisDecodedOperand *to = &reference->operands[0], *from = &reference->operands[1];
	bool is_explicit = to->visibility != ZYDIS_OPERAND_VISIBILITY_HIDDEN;
	bool is_whole = is_explicit && is_register(to, ZYDIS_REGISTER_RSP);
	bool is_short = reference->instruction.operand_width == 16;

	if (reference->instruction.mnemonic == ZYDIS_MNEMONIC_MOV && is_register(to, ZYDIS_REGISTER_RBP) &&
	    is_register(from, ZYDIS_REGISTER_RSP))
		return effect(ABI_STACK_FRAME_SET, 0, -1, -1);
	if (!writes_stack_pointer(reference))
		return effect(ABI_STACK_KEPT, 0, -1, -1);
	switch (reference->instruction.mnemonic) {
	case ZYDIS_MNEMONIC_PUSH:
	case ZYDIS_MNEMONIC_PUSHFQ:
		return is_short ? effect(ABI_STACK_LOST, 0, -1, -1)
				: effect(ABI_STACK_MOVED, -8, is_explicit ? dwarf_number(to) : -1, -1);
	case ZYDIS_MNEMONIC_POP:
	case ZYDIS_MNEMONIC_POPFQ:
		return is_short || is_whole ? effect(ABI_STACK_LOST, 0, -1, -1)
					    : effect(ABI_STACK_MOVED, 8, -1, is_explicit ? dwarf_number(to) : -1);
	case ZYDIS_MNEMONIC_LEAVE:
		return is_short ? effect(ABI_STACK_LOST, 0, -1, -1) : effect(ABI_STACK_FRAME_USED, 8, -1, 6);
	case ZYDIS_MNEMONIC_ADD:
		if (is_whole && from->type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
			return effect(ABI_STACK_MOVED, from->imm.value.s, -1, -1);
		break;
	case ZYDIS_MNEMONIC_SUB:
		if (is_whole && from->type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
			return effect(ABI_STACK_MOVED, -from->imm.value.s, -1, -1);
		break;
	case ZYDIS_MNEMONIC_LEA:
		if (is_whole)
			return address_effect(from);
		break;
	case ZYDIS_MNEMONIC_MOV:
		if (is_whole && is_register(from, ZYDIS_REGISTER_RBP))
			return effect(ABI_STACK_FRAME_USED, 0, -1, -1);
		break;
	default:
		break;
	}
	return effect(ABI_STACK_LOST, 0, -1, -1);
}

static void differ(struct comparison *comparison, const struct reference *reference, const char *what, int64_t ours,
		   int64_t theirs)
{
	const char *name = ZydisMnemonicGetString(reference->instruction.mnemonic);
	g_autoptr(GString) bytes = g_string_new(NULL);

	if (!g_hash_table_add(comparison->shown, g_strdup_printf("%s %s", name, what)))
		return;
	for (unsigned int i = 0; i < reference->instruction.length; i++)
		g_string_append_printf(bytes, " %02x", reference->bytes[i]);
	g_test_message("%s:%s: %s is %" G_GINT64_FORMAT ", not %" G_GINT64_FORMAT, name, bytes->str, what, ours,
		       theirs);
}

/* Our decoder takes both repeat prefixes for one, and no compiler uses these instructions with %rsp. */
static bool depends_on_kind_of_repetition(const struct reference *reference)
{
	return reference->instruction.mnemonic == ZYDIS_MNEMONIC_SENDUIPI ||
	       (reference->instruction.mnemonic == ZYDIS_MNEMONIC_NOP && reference->instruction.opcode == 0x1e);
}

static void compare_effect(struct comparison *comparison, const struct reference *reference)
{
	const struct abi_stack_effect theirs = expected_effect(reference);
	struct abi_stack_effect ours =
		abi_by_machine(EM_X86_64)->stack_effect(reference->bytes, reference->instruction.length);

	if (ours.kind != theirs.kind)
		differ(comparison, reference, "the effect on the stack pointer", ours.kind, theirs.kind);
	else if (ours.distance != theirs.distance)
		differ(comparison, reference, "the distance of the stack pointer", ours.distance, theirs.distance);
	else if (ours.pushed != theirs.pushed || ours.popped != theirs.popped)
		differ(comparison, reference, "the register on the stack", ours.pushed + ours.popped,
		       theirs.pushed + theirs.popped);
}

static void compare_instruction(struct comparison *comparison, const struct reference *reference)
{
	bool is_legacy = reference->instruction.encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY;
	enum abi_flow flow = expected_flow(reference);
	struct abi_instruction ours;

	comparison->instructions++;
	if (!abi_by_machine(EM_X86_64)->read_instruction(reference->bytes, LONGEST_INSTRUCTION, comparison->is_32_bit,
							 &ours)) {
		differ(comparison, reference, "its validity", 0, 1);
		return;
	}
	if (ours.size != reference->instruction.length)
		differ(comparison, reference, "its size", ours.size, reference->instruction.length);
	if (ours.flow != flow)
		differ(comparison, reference, "its successor", ours.flow, flow);
	if (flow != ABI_FLOW_ON && is_relative(reference) && ours.distance != reference->instruction.raw.imm[0].value.s)
		differ(comparison, reference, "its distance", ours.distance, reference->instruction.raw.imm[0].value.s);
	if (is_legacy && ours.refusal != expected_refusal(reference))
		differ(comparison, reference, "its refusal", ours.refusal, expected_refusal(reference));
	if (!comparison->is_32_bit && flow != ABI_FLOW_CALL && flow != ABI_FLOW_RETURN && is_legacy &&
	    !depends_on_kind_of_repetition(reference))
		compare_effect(comparison, reference);
}

static void comparison_end(const struct comparison *comparison, uint64_t least)
{
	g_test_message("%" G_GUINT64_FORMAT " instructions", comparison->instructions);
	if (g_hash_table_size(comparison->shown))
		g_test_fail();
	g_hash_table_unref(comparison->shown);
	g_assert_cmpuint(comparison->instructions, >=, least);
}

/* Walk from one instruction to the next. After an invalid byte, continue with the next byte. */
static void compare_code(struct comparison *comparison, const uint8_t *bytes, size_t size)
{
	struct reference reference;

	for (size_t at = 0; at + LONGEST_INSTRUCTION <= size;) {
		if (read_reference(comparison, bytes + at, LONGEST_INSTRUCTION, &reference)) {
			compare_instruction(comparison, &reference);
			at += reference.instruction.length;
		} else {
			at++;
		}
	}
}

static void compare_elf(struct comparison *comparison, Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	g_assert_nonnull(elf);
	while ((section = elf_nextscn(elf, section))) {
		Elf_Data *data = elf_rawdata(section, NULL);

		g_assert_nonnull(gelf_getshdr(section, &header));
		if (header.sh_type == SHT_PROGBITS && header.sh_flags & SHF_EXECINSTR && data)
			compare_code(comparison, data->d_buf, data->d_size / part_step(8));
	}
	elf_end(elf);
}

static void compare_file(struct comparison *comparison, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	compare_elf(comparison, elf_begin(fd, ELF_C_READ_MMAP, NULL));
	close(fd);
}

static void compare_compressed(struct comparison *comparison, const char *path)
{
	g_autofree char *command = g_strdup_printf("exec xz -dc %s", path);
	g_autoptr(GByteArray) contents = g_byte_array_new();
	FILE *output = popen(command, "r");
	uint8_t part[0x10000];
	size_t size;

	while ((size = fread(part, 1, sizeof(part), output)) > 0)
		g_byte_array_append(contents, part, (guint)size);
	g_assert_cmpint(pclose(output), ==, 0);
	compare_elf(comparison, elf_memory((char *)contents->data, contents->len));
}

static void test_libc(void)
{
	static const char *const places[] = {"/lib/x86_64-linux-gnu/libc.so.6", "/lib64/libc.so.6", "/lib/libc.so.6"};
	struct comparison comparison;

	comparison_begin(&comparison, false);
	for (size_t i = 0; i < G_N_ELEMENTS(places) && !comparison.instructions; i++)
		if (access(places[i], R_OK) == 0)
			compare_file(&comparison, places[i]);
	comparison_end(&comparison, 100000 / part_step(8));
}

static void test_kernel(gconstpointer root)
{
	g_autofree char *image = g_strdup_printf("%s/usr/lib/debug/boot/vmlinux-*", (const char *)root);
	struct comparison comparison;
	glob_t files;

	comparison_begin(&comparison, false);
	g_assert_cmpint(glob(image, 0, NULL, &files), ==, 0);
	compare_file(&comparison, files.gl_pathv[0]);
	globfree(&files);
	comparison_end(&comparison, 1000000 / part_step(8));
}

static struct comparison of_modules;

static int compare_module(const char *path, const struct stat *status, int kind, struct FTW *at)
{
	if (kind == FTW_F && g_str_has_suffix(path, ".ko"))
		compare_file(&of_modules, path);
	else if (kind == FTW_F && g_str_has_suffix(path, ".ko.xz"))
		compare_compressed(&of_modules, path);
	return 0;
}

static void test_modules(gconstpointer root)
{
	g_autofree char *modules = g_strdup_printf("%s/lib/modules", (const char *)root);

	if (!getenv("SPILE_FULL")) {
		g_test_skip("only make check-full reads all modules");
		return;
	}
	comparison_begin(&of_modules, false);
	g_assert_cmpint(nftw(modules, compare_module, 16, FTW_PHYS), ==, 0);
	comparison_end(&of_modules, 1000000);
}

/* Each opcode of each map, with each ModRM byte and the prefixes that change what follows. */
static void compare_opcodes(bool is_32_bit)
{
	static const char *const prefixes[] = {"",     "\x66",	   "\x67", "\xf2", "\xf3", "\x48",
					       "\x41", "\x66\x48", "\x2e", "\xf0", "\x64", "\x49"};
	/* From the fifth on, they are prefixes of vector instructions, which accept few others. */
	static const char *const maps[] = {"",
					   "\x0f",
					   "\x0f\x38",
					   "\x0f\x3a",
					   "\xc5\xf8",
					   "\xc5\xf9",
					   "\xc4\xe1\x7b",
					   "\xc4\xe2\x78",
					   "\xc4\xe2\xfb",
					   "\xc4\xe2\x79",
					   "\xc4\xe3\x79",
					   "\xc4\xe3\xfd",
					   "\x62\xf1\x7c\x48",
					   "\x62\xf2\x7d\x48",
					   "\x62\xf3\xfd\x48",
					   "\x62\xf5\x7c\x48",
					   "\x62\xf6\x7d\x48",
					   "\x8f\xe8\x78",
					   "\x8f\xe9\x78",
					   "\x8f\xea\x78"};
	struct comparison comparison;
	struct reference reference;

	comparison_begin(&comparison, is_32_bit);
	for (size_t i = 0; i < G_N_ELEMENTS(prefixes) * G_N_ELEMENTS(maps) * 0x10000; i++) {
		uint8_t bytes[LONGEST_INSTRUCTION + 1] = {0};
		const char *prefix = prefixes[(i >> 16) % G_N_ELEMENTS(prefixes)];
		size_t map = (i >> 16) / G_N_ELEMENTS(prefixes);
		size_t length;

		if (map >= 4 && *prefix && *prefix != 0x67)
			continue;
		length = (size_t)(stpcpy(stpcpy((char *)bytes, prefix), maps[map]) - (char *)bytes);
		bytes[length++] = (uint8_t)(i >> 8);
		bytes[length++] = (uint8_t)i;
		memcpy(bytes + length, "\x24\x12\x34\x56\x78\x9a\xbc\xde", 8);
		if (read_reference(&comparison, bytes, LONGEST_INSTRUCTION, &reference))
			compare_instruction(&comparison, &reference);
	}
	comparison_end(&comparison, 100000);
}

static void test_opcodes(void)
{
	compare_opcodes(false);
}

static void test_opcodes_32(void)
{
	compare_opcodes(true);
}
static void add_tests(void)
{
	g_auto(GStrv) roots = g_strsplit(g_getenv("SPILE_TEST_KERNEL_ROOTS") ?: "", ":", -1);

	elf_version(EV_CURRENT);
	g_test_add_func("/instructions/opcodes", test_opcodes);
	g_test_add_func("/instructions/opcodes-32", test_opcodes_32);
	g_test_add_func("/instructions/libc", test_libc);
	for (char **root = roots; *root && **root; root++) {
		g_autofree char *release = g_path_get_basename(*root);
		g_autofree char *kernel = g_strdup_printf("/instructions/kernel/%s", release);
		g_autofree char *modules = g_strdup_printf("/instructions/modules/%s", release);

		g_test_add_data_func_full(kernel, g_strdup(*root), test_kernel, g_free);
		g_test_add_data_func_full(modules, g_strdup(*root), test_modules, g_free);
	}
}

#else

static void test_nothing(void)
{
	g_test_skip("built without Zydis: install libzydis-dev and run configure again");
}

static void add_tests(void)
{
	g_test_add_func("/instructions", test_nothing);
}

#endif

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	add_tests();
	return g_test_run();
}
