/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Registers for handlers of callbacks, that is functions of ours that the kernel calls (tracepoints, netfilter). They
 * are made up as if the handler ran at the entry of a function with the callback's arguments. For each architecture:
 *
 * - struct callback_registers, with a member `regs` of type struct pt_regs.
 * - CALLBACK_REGISTERS(name, a0, ...): declare one with arguments in registers. Used in the callback itself, whose
 *   caller and frame it contains.
 * - callback_stack_arguments(room, count, a6, ..., a12): set the arguments that are not in registers, of @p count after
 *   the first (a0).
 */
#ifndef SPILE_RUNTIME_ARCH_CALLBACK_H
#define SPILE_RUNTIME_ARCH_CALLBACK_H

#if defined(__x86_64__)
#include "runtime/arch/x86/callback.h"
#elif defined(__aarch64__)
#include "runtime/arch/arm64/callback.h"
#endif

#endif
