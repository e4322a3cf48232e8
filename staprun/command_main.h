/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Run a command until its main(), before the script starts; see command_main.c. */
#ifndef SPILE_STAPRUN_COMMAND_MAIN_H
#define SPILE_STAPRUN_COMMAND_MAIN_H

#include <stdbool.h>
#include <sys/types.h>

/**
 * Ask the kernel to stop this process at its execve(), for the parent. A set-uid program then gets no rights by it.
 * Return false with errno on failure.
 */
bool command_main_wait(void);

/**
 * Run the child that has called command_main_wait() until its program is about to call main(), and keep it there. A
 * program without a main() stays near its first instruction, and a 32-bit one at its execve(), with a warning. If the
 * child ends, its status is left for waitpid(). Call this and command_main_release() in one thread.
 */
void command_main_reach(pid_t pid);

/** Let the program continue, no longer traced. */
void command_main_release(pid_t pid);

#endif
