/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks of programs' stacks (user/stacks/walk.c). For each architecture:
 *
 * - registers_of_64bit, registers_of_32bit: the DWARF numbers of registers that a walk names.
 * - program_can_be_walked(regs): whether the walk supports this kind of program.
 * - take_program_registers(state, regs): begin a walk at the registers of a program.
 * - program_address(address): a return address as the processor would use it.
 * - leaf_return(state, names, load, data, ret): the return address in a function that has not set up a frame. Return 0
 *   if it cannot be read.
 * - FRAME_RECORD_ENDS_FRAME: whether the caller's stack pointer is behind the saved frame pointer and return address.
 * - frame_return_place(frame, word): where the return address is, if @p frame is a frame pointer.
 * - load_signal_frame(state, names, load, data): if the frame's code is what a signal handler returns to, restore the
 *   registers that the signal has interrupted, and return 1.
 * - brief_return(frame_pointer): where a brief step finds the return address, as an offset from the CFA. The caller's
 *   frame pointer is at @p frame_pointer, or 0 if that is not saved.
 * - user_access_open(), user_access_close(): between them unsafe_get_user() may be called. The addresses are a
 *   program's.
 */
#ifndef SPILE_RUNTIME_ARCH_USER_STACK_H
#define SPILE_RUNTIME_ARCH_USER_STACK_H

#include <linux/types.h>

#include "runtime/abi/object_table.h"

/* DWARF numbers of registers, and the word size. */
struct user_registers {
	u8 frame, stack, address, word;
	u8 link; /* where a rule puts the return address: `address`, or a register that also exists in the processor */
};

#if defined(__x86_64__)
#include "runtime/arch/x86/user_stack.h"
#elif defined(__aarch64__)
#include "runtime/arch/arm64/user_stack.h"
#endif

#endif
