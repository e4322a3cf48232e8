/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers of the registers of x86-64, for uregs[]: the words of the kernel's struct pt_regs. */
inline int R_R15 = 0;
inline int R_R14 = 1;
inline int R_R13 = 2;
inline int R_R12 = 3;
inline int R_RBP = 4;
inline int R_RBX = 5;
inline int R_R11 = 6;
inline int R_R10 = 7;
inline int R_R9 = 8;
inline int R_R8 = 9;
inline int R_RAX = 10;
inline int R_RCX = 11;
inline int R_RDX = 12;
inline int R_RSI = 13;
inline int R_RDI = 14;
inline int R_ORIG_RAX = 15;
inline int R_RIP = 16;
inline int R_CS = 17;
inline int R_RFL = 18;
inline int R_EFL = 18;
inline int R_RSP = 19;
inline int R_SS = 20;
inline int R_PC = 16;
inline int R_SP = 19;
inline int R_FP = 4;
inline int R_R0 = 10;
inline int R_R1 = 12;

/* The bit for 32-bit programs in the flags of struct thread_info. */
inline int __TIF_32BIT = 29;

/* Flags of open() with another value for each architecture. */
inline int O_DIRECT = 0x4000;
inline int O_LARGEFILE = 0x8000;
inline int O_DIRECTORY = 0x10000;
inline int O_NOFOLLOW = 0x20000;
