/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the file of a program or library says about the processes that have it: its segments, and struct user_object. */
#ifndef SPILE_DEBUGINFO_OBJECT_USER_OBJECT_H
#define SPILE_DEBUGINFO_OBJECT_USER_OBJECT_H

#include "translator/debuginfo/object/object.h"

/** What kind of object a file is that is no part of the kernel. */
enum object_kind user_object_kind(struct debuginfo *debuginfo);
/** Is it a file of debug symbols, which has the headers of a program or library and none of its code? */
bool user_object_has_debug_symbols_alone(struct debuginfo *debuginfo);
/** Read it from the file that has the object's code. */
const struct user_object *user_object_read(struct debuginfo *debuginfo);
/** Do processes execute what is at this address? */
bool user_object_has_code(const struct debuginfo *debuginfo, uint64_t address);
/** What the file has at an address and behind it, as far as its segment goes; empty if the file has nothing there. */
struct span user_object_bytes(const struct debuginfo *debuginfo, uint64_t address);
/** The instruction at an address. False: there is none that anybody knows. */
bool user_object_read_instruction(const struct debuginfo *debuginfo, uint64_t address, struct abi_instruction *ret);
/**
 * Why the kernel's uprobes refuse what the file has at an address, taken for the first byte of an instruction; NULL:
 * they do not.
 */
const char *user_object_refusal(const struct debuginfo *debuginfo, uint64_t address);
/** Is it in a restartable sequence (rseq(2)), or in the signature in front of where one is given up? */
bool user_object_restarts(struct debuginfo *debuginfo, uint64_t address);
/** A slot of a library's global offset table that tells where a thread has the library's block of its own variables. */
struct thread_slot {
	uint64_t address; /* as linked */
	/* it has the distance of the block's byte `offset` from the thread pointer; else the library's number */
	bool has_distance;
	uint64_t offset;
};

/** Find one; false: the library's code uses none. */
bool user_object_thread_slot(struct debuginfo *debuginfo, struct thread_slot *ret);
/** A key for a file that has no build-id: a hash of all that is in it. The caller frees. */
char *user_object_hash(Elf *elf);

#endif
