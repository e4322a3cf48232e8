// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * MiniDebugInfo: the section .gnu_debugdata of a program or library, an xz-compressed ELF file with the symbols that
 * .dynsym lacks. Fedora and related distributions ship it.
 */
#include "translator/debuginfo/object/mini.h"

#include <lzma.h>

/* Reject sections that expand to more than this. For comparison, a library of 200 MB has 5 MB of symbols. */
#define MOST_BYTES (512u << 20)
#define MOST_DECODER_BYTES (256u << 20)

struct mini {
	Elf *elf; /* NULL if there is no usable section */
	GByteArray *bytes;
};

static GByteArray *uncompress(struct span section)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	GByteArray *bytes = g_byte_array_new();
	lzma_ret result = lzma_stream_decoder(&stream, MOST_DECODER_BYTES, 0);

	stream.next_in = section.data;
	stream.avail_in = section.size;
	while (result == LZMA_OK && bytes->len < MOST_BYTES) {
		uint8_t block[65536];

		stream.next_out = block;
		stream.avail_out = sizeof(block);
		result = lzma_code(&stream, LZMA_FINISH);
		g_byte_array_append(bytes, block, (guint)(sizeof(block) - stream.avail_out));
	}
	lzma_end(&stream);
	if (result != LZMA_STREAM_END)
		g_clear_pointer(&bytes, g_byte_array_unref);
	return bytes;
}

static void open_mini(struct debuginfo *debuginfo, struct mini *mini)
{
	struct span section = elf_section_span(debuginfo_code(debuginfo), ".gnu_debugdata");

	mini->bytes = section.size ? uncompress(section) : NULL;
	if (mini->bytes)
		mini->elf = elf_memory((char *)mini->bytes->data, mini->bytes->len);
	if (mini->elf && (elf_kind(mini->elf) != ELF_K_ELF || elf_check_sections(mini->elf)))
		g_clear_pointer(&mini->elf, elf_end);
}

Elf *debuginfo_mini(struct debuginfo *debuginfo)
{
	if (!debuginfo->mini) {
		debuginfo->mini = g_new0(struct mini, 1);
		open_mini(debuginfo, debuginfo->mini);
	}
	return debuginfo->mini->elf;
}

void mini_close(struct debuginfo *debuginfo)
{
	struct mini *mini = debuginfo->mini;

	if (!mini)
		return;
	elf_end(mini->elf);
	if (mini->bytes)
		g_byte_array_unref(mini->bytes);
	g_free(mini);
	debuginfo->mini = NULL;
}
