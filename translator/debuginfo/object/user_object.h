/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The process view of a program or library, from its file: segments and struct user_object. */
#ifndef SPILE_DEBUGINFO_OBJECT_USER_OBJECT_H
#define SPILE_DEBUGINFO_OBJECT_USER_OBJECT_H

#include "translator/debuginfo/object/object.h"

/** Return the kind of a file that does not belong to the kernel. */
enum object_kind user_object_kind(struct debuginfo *debuginfo);
/** Is it a file of debug symbols, with the headers of a program or library but without its code? */
bool user_object_has_debug_symbols_alone(struct debuginfo *debuginfo);
/** Read struct user_object from the file with the object's code. */
const struct user_object *user_object_read(struct debuginfo *debuginfo);
/** Is the address in an executable segment? */
bool user_object_has_code(const struct debuginfo *debuginfo, uint64_t address);
/** Return the bytes of the file from an address to the end of its segment; empty if the file has nothing there. */
struct span user_object_bytes(const struct debuginfo *debuginfo, uint64_t address);
/** Decode the instruction at an address. Return false if the bytes are not a known instruction. */
bool user_object_read_instruction(const struct debuginfo *debuginfo, uint64_t address, struct abi_instruction *ret);
/** Is the instruction at an address a no-op that the kernel replaces by a call (struct abi_kernel.call_nop)? */
bool user_object_becomes_call(const struct debuginfo *debuginfo, uint64_t address);
/** Return why uprobes refuse the instruction at an address, assuming that one begins there; NULL if they do not. */
const char *user_object_refusal(const struct debuginfo *debuginfo, uint64_t address);
/** Is the address in a restartable sequence (rseq(2)), or in the signature before its abort handler? */
bool user_object_restarts(struct debuginfo *debuginfo, uint64_t address);
/** A range of code [start, end). */
struct code_part {
	uint64_t start, end;
};

/** Find the range of code around an address that one description (FDE) of .eh_frame covers. */
bool user_object_description(struct debuginfo *debuginfo, uint64_t address, struct code_part *ret);
/** What a slot of a library's global offset table holds, in the order in which they are preferred. */
enum thread_slot_kind {
	THREAD_SLOT_DISTANCE, /* the distance of the block's byte `offset` from the thread pointer */
	THREAD_SLOT_LIBRARY, /* the library's number */
	/*
	 * As of the first kind if the block is among those that a thread begins with; else the address of the library's
	 * number
	 */
	THREAD_SLOT_DESCRIPTOR,
	THREAD_SLOT_COUNT_
};

/** A slot of a library's global offset table that leads to its thread-local block. */
struct thread_slot {
	enum thread_slot_kind kind;
	uint64_t address; /* link-time */
	uint64_t offset;
};

/** Find such a slot. Return false if the library's code uses none. */
bool user_object_thread_slot(struct debuginfo *debuginfo, struct thread_slot *ret);
/**
 * Convert the place of a thread-local variable in DWARF to its offset in the thread's block. gcc with -gsplit-dwarf
 * writes the address in the segment that initializes the block instead. Return false if it is neither.
 */
bool user_object_thread_offset(struct debuginfo *debuginfo, uint64_t number, uint64_t *ret);
/**
 * Find a thread-local variable in the symbol tables.
 *
 * @param[out] offset Its offset in the thread's block.
 * @return Whether there is one such symbol. Static variables of several files may have the same name.
 */
bool user_object_thread_symbol(struct debuginfo *debuginfo, const char *name, uint64_t *offset);
/** Return a key for a file without a build-id: a hash of its contents. The caller frees it. */
char *user_object_hash(Elf *elf);

#endif
