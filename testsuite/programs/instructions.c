/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instructions of x86-64 of every kind that uprobes take, each at a symbol i_NAME of its own. Each is executed in a
 * known state of registers, flags, memory and stack. The state afterwards is printed as a number, which must be the
 * same with a probe on the instruction. Instructions that uprobes would harm or refuse have symbols r_NAME, and are
 * executed, too. Addresses are the same in each run, so that they may be a part of the state (-no-pie).
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FLAGS = 15, STACK_WORDS = 64 };

/* The code below depends on this order. */
struct state {
	uint64_t registers[15]; /* rax rbx rcx rdx rsi rdi rbp r8 … r15 */
	uint64_t flags;
	uint64_t stack_pointer;
	uint64_t unused;
	uint8_t vectors[4][16];
	uint64_t memory[32];
};

struct state state __attribute__((aligned(64)));
uint64_t room[STACK_WORDS] __attribute__((aligned(64)));
uint64_t saved_stack, saved_argument;
uint64_t pointer; /* the target of indirect calls and jumps */

/* clang-format off */
__asm__(
	".text\n"
	"load_state:\n"
	" pop saved_return(%rip)\n"
	" movdqu state+144(%rip), %xmm0\n movdqu state+160(%rip), %xmm1\n"
	" movdqu state+176(%rip), %xmm2\n movdqu state+192(%rip), %xmm3\n"
	" mov %rsp, saved_stack(%rip)\n"
	" lea room+256(%rip), %rsp\n"
	" pushq state+120(%rip)\n popfq\n"
	" mov state(%rip), %rax\n mov state+8(%rip), %rbx\n"
	" mov state+16(%rip), %rcx\n mov state+24(%rip), %rdx\n"
	" mov state+32(%rip), %rsi\n mov state+40(%rip), %rdi\n mov state+48(%rip), %rbp\n mov state+56(%rip), %r8\n"
	" mov state+64(%rip), %r9\n mov state+72(%rip), %r10\n mov state+80(%rip), %r11\n mov state+88(%rip), %r12\n"
	" mov state+96(%rip), %r13\n mov state+104(%rip), %r14\n mov state+112(%rip), %r15\n"
	" jmp *saved_return(%rip)\n"
	"store_state:\n" /* also a target of jumps */
	" mov %rsp, state+128(%rip)\n"
	" mov %rax, state(%rip)\n mov %rbx, state+8(%rip)\n mov %rcx, state+16(%rip)\n mov %rdx, state+24(%rip)\n"
	" mov %rsi, state+32(%rip)\n mov %rdi, state+40(%rip)\n mov %rbp, state+48(%rip)\n mov %r8, state+56(%rip)\n"
	" mov %r9, state+64(%rip)\n mov %r10, state+72(%rip)\n mov %r11, state+80(%rip)\n mov %r12, state+88(%rip)\n"
	" mov %r13, state+96(%rip)\n mov %r14, state+104(%rip)\n mov %r15, state+112(%rip)\n"
	" mov saved_stack(%rip), %rsp\n"
	" pushfq\n popq state+120(%rip)\n cld\n"
	" movdqu %xmm0, state+144(%rip)\n movdqu %xmm1, state+160(%rip)\n"
	" movdqu %xmm2, state+176(%rip)\n movdqu %xmm3, state+192(%rip)\n"
	" pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbp\n pop %rbx\n"
	" ret\n"
	".bss\n saved_return: .skip 8\n.text\n");

#define KEEP_CALLEES " push %rbx\n push %rbp\n push %r12\n push %r13\n push %r14\n push %r15\n"

/* @symbol is the symbol of the instruction and has its length. @after is the code needed to continue after it. */
#define RUNNER(symbol, instruction, after) \
	extern void run_##symbol(void); \
	__asm__(".text\n run_" #symbol ":\n" KEEP_CALLEES " call load_state\n" \
		".globl " #symbol "\n.type " #symbol ", @function\n" \
		#symbol ":\n" instruction "\n.size " #symbol ", . - " #symbol "\n" \
		after "\n jmp store_state\n")

#define INSTRUCTIONS(I) \
	I(i_push_rax, "push %rax", "") I(i_push_r12, "push %r12", "") I(i_push_rsp, "push %rsp", "") \
	I(i_push_small, "push $0x7f", "") I(i_push_word, "pushw %bx", "") I(i_push_large, "push $0x12345678", "") \
	I(i_push_memory, "pushq state+216(%rip)", "") I(i_pop_rbx, "pop %rbx", "") I(i_pop_r9, "pop %r9", "") \
	I(i_pop_memory, "popq state+224(%rip)", "") I(i_pop_rsp, "pop %rsp", "") \
	I(i_leave, "leave", "") I(i_enter, "enter $16, $0", "") I(i_enter_1, "enter $32, $1", "") \
	I(i_popf, "popfq", "") I(i_lahf, "lahf", "") I(i_sahf, "sahf", "") \
	I(i_nop, "nop", "") I(i_long_nop, "nopw 0x0(%rax,%rax,1)", "") I(i_endbr, "endbr64", "") \
	I(i_pause, "pause", "") \
	I(i_mov, "mov %rbx, %rax", "") I(i_mov_32, "mov %ebx, %eax", "") I(i_mov_8, "mov %bl, %ah", "") \
	I(i_mov_long, "movabs $0x123456789abcdef0, %r10", "") \
	I(i_load, "mov 16(%rsi), %rax", "") I(i_store, "mov %rax, 16(%rsi)", "") \
	I(i_load_index, "mov (%rsi,%rbp,4), %rax", "") I(i_load_offset, "movabs state, %rax", "") \
	I(i_rip_load, "mov state+216(%rip), %rax", "") I(i_rip_load_rcx, "mov state+216(%rip), %rcx", "") \
	I(i_rip_load_rsi, "mov state+216(%rip), %rsi", "") I(i_rip_load_r15, "mov state+216(%rip), %r15", "") \
	I(i_rip_store, "mov %rdi, state+224(%rip)", "") I(i_rip_store_imm, "movq $-5, state+224(%rip)", "") \
	I(i_rip_compare, "cmpl $3, state+216(%rip)", "") I(i_rip_compare_byte, "cmpb $3, state+217(%rip)", "") \
	I(i_rip_add, "add %rax, state+216(%rip)", "") I(i_rip_inc, "incl state+216(%rip)", "") \
	I(i_rip_lea, "lea state+8(%rip), %rdx", "") I(i_rip_exchange, "cmpxchg %rbx, state+216(%rip)", "") \
	I(i_rip_exchange_wide, "cmpxchg8b state+224(%rip)", "") I(i_rip_mul, "mulq state+216(%rip)", "") \
	I(i_rip_imul, "imul $7, state+216(%rip), %rdi", "") I(i_rip_cmov, "cmovz state+216(%rip), %rax", "") \
	I(i_rip_sse, "movdqu state+208(%rip), %xmm1", "") I(i_rip_sse_store, "movups %xmm2, state+240(%rip)", "") \
	I(i_rip_pxor, "pxor state+208(%rip), %xmm1", "") I(i_rip_bts, "btsq $7, state+216(%rip)", "") \
	I(i_rip_shld, "shld %cl, %rax, state+216(%rip)", "") I(i_rip_test, "testb $1, state+216(%rip)", "") \
	I(i_xadd, "xadd %rax, 16(%rsi)", "") I(i_xchg, "xchg %rax, 16(%rsi)", "") \
	I(i_cmpxchg, "cmpxchg %rbx, 16(%rsi)", "") \
	I(i_bswap, "bswap %rbx", "") I(i_bt, "bt %rcx, %rax", "") \
	I(i_add, "add $100, %rax", "") I(i_adc, "adc %rbx, %rax", "") I(i_sbb, "sbb %rbx, %rax", "") \
	I(i_neg, "neg %rdi", "") \
	I(i_div, "div %r13", "") I(i_idiv, "idiv %r13", "") I(i_mul, "mul %rbx", "") I(i_shl, "shl %cl, %rax", "") \
	I(i_rol, "rolq $9, 16(%rsi)", "") I(i_cqo, "cqo", "") I(i_cwde, "cwtl", "") \
	I(i_movsx, "movsbq 16(%rsi), %rax", "") \
	I(i_movsxd, "movslq 16(%rsi), %rax", "") I(i_movzx, "movzwl %bx, %eax", "") I(i_setc, "setc %al", "") \
	I(i_cmc, "cmc", "") I(i_std, "std", "") I(i_popcnt, "popcnt %rbx, %rax", "") I(i_bsr, "bsr %rbx, %rax", "") \
	I(i_crc32, "crc32q %rbx, %rax", "") I(i_xlat, "xlat", "") I(i_lods, "lodsq", "") I(i_stos, "stosb", "") \
	I(i_movs, "movsq", "") I(i_cmps, "cmpsb", "") I(i_scas, "scasl", "") \
	I(i_mfence, "mfence", "") I(i_prefetch, "prefetcht0 (%rsi)", "") I(i_clflush, "clflush (%rsi)", "") \
	I(i_fld, "fldl 16(%rsi)", "fstpl 24(%rsi)") I(i_fninit, "fninit", "") I(i_fwait, "fwait", "") \
	I(i_sse_add, "addps %xmm1, %xmm0", "") I(i_sse_shuffle, "pshufd $0x1b, %xmm1, %xmm2", "") \
	I(i_sse_move, "movaps (%rsi), %xmm3", "") I(i_movq, "movq %xmm1, %rax", "") \
	I(i_cvt, "cvtsi2sd %rax, %xmm0", "") \
	I(i_sse4, "pblendw $0x55, %xmm1, %xmm2", "") I(i_aes, "pshufb %xmm1, %xmm2", "") \
	I(i_vzeroupper, "vzeroupper", "") I(i_vaddps, "vaddps %xmm1, %xmm2, %xmm3", "") \
	I(i_vmovaps, "vmovaps (%rsi), %xmm3", "") I(i_rip_vmovups, "vmovups state+208(%rip), %xmm3", "") \
	I(i_andn, "andn %rbx, %rax, %rcx", "") I(i_rip_andn, "andn state+216(%rip), %rax, %rcx", "") \
	I(i_fs, "mov %fs:0, %rdx", "sub %fs:0, %rdx") I(i_fs_cmp, "cmpb $0, %fs:0", "") \
	I(i_jump_short, "jmp 1f", "inc %rax\n 1:") \
	I(i_jump_near, "jmp 1f", ".skip 200, 0x90\n inc %rax\n 1:") \
	I(i_jump_back, "jmp 2f", "1: inc %rbx\n jmp 3f\n .skip 300, 0x90\n 2: jmp 1b\n 3:") \
	I(i_jump_register, "jmp *%r14", "inc %rax\n.globl landing\nlanding:") \
	I(i_jump_memory, "jmp *pointer(%rip)", "inc %rax\n.globl landing_2\nlanding_2:") \
	I(i_jo, "jo 1f", "inc %rax\n 1:") I(i_jno, "jno 1f", "inc %rax\n 1:") I(i_jb, "jb 1f", "inc %rax\n 1:") \
	I(i_jae, "jae 1f", "inc %rax\n 1:") I(i_je, "je 1f", "inc %rax\n 1:") I(i_jne, "jne 1f", "inc %rax\n 1:") \
	I(i_jbe, "jbe 1f", "inc %rax\n 1:") I(i_ja, "ja 1f", "inc %rax\n 1:") I(i_js, "js 1f", "inc %rax\n 1:") \
	I(i_jns, "jns 1f", "inc %rax\n 1:") I(i_jp, "jp 1f", "inc %rax\n 1:") I(i_jnp, "jnp 1f", "inc %rax\n 1:") \
	I(i_jl, "jl 1f", "inc %rax\n 1:") I(i_jge, "jge 1f", "inc %rax\n 1:") I(i_jle, "jle 1f", "inc %rax\n 1:") \
	I(i_jg, "jg 1f", "inc %rax\n 1:") I(i_je_near, "je 1f", ".skip 200, 0x90\n inc %rax\n 1:") \
	I(i_jne_near, "jne 1f", ".skip 200, 0x90\n inc %rax\n 1:") \
	I(i_loop, "loop 1f", "inc %rax\n 1:") I(i_loope, "loope 1f", "inc %rax\n 1:") \
	I(i_jrcxz, "jrcxz 1f", "inc %rax\n 1:") \
	I(i_call, "call 1f", "jmp 2f\n 1: inc %rax\n ret\n 2:") I(i_call_back, "call function", "") \
	I(i_call_register, "call *%r15", "") I(i_call_memory, "call *function_pointer(%rip)", "") \
	I(i_return, "ret", "inc %rax\n.globl landing_3\nlanding_3:") \
	I(i_return_more, "ret $16", "inc %rax\n.globl landing_4\nlanding_4:") \
	I(i_rep_movs, "rep movsb", "") I(i_rep_stos, "rep stosq", "") I(i_repe_cmps, "repe cmpsb", "") \
	I(i_repne_scas, "repne scasb", "") I(i_rep_nothing, "rep movsq", "")
#define REFUSED(I) \
	I(r_pushf, "pushfq", "popfq") I(r_exchange, "xchg %rax, %r8", "") I(r_lock, "lock incl 16(%rsi)", "") \
	I(r_lock_cmpxchg, "lock cmpxchg %rbx, 16(%rsi)", "") \
	I(r_data16_jump, "data16 jmp 1f", "1:") I(r_vpxor, "vpxor %xmm1, %xmm2, %xmm3", "") \
	I(r_segment, "mov %cs:(%rsi), %rax", "")
/* clang-format on */

__asm__(".text\n function: inc %rbx\n ret\n.data\n function_pointer: .quad function\n.text\n");
extern char landing[], landing_2[], landing_3[], landing_4[], function[];
__asm__(".globl function\n");
#define ONE_RUNNER(symbol, instruction, after) RUNNER(symbol, instruction, after);
INSTRUCTIONS(ONE_RUNNER)
REFUSED(ONE_RUNNER)

static const struct {
	const char *name;
	void (*run)(void);
} all[] = {
#define ROW(symbol, instruction, after) {#symbol, run_##symbol},
	INSTRUCTIONS(ROW) REFUSED(ROW)};

static void make_state(const char *name, unsigned int round)
{
	uint64_t number = 88172645463325252ull + round;

	memset(room, 0, sizeof(room));
	for (size_t i = 0; i < sizeof(state) / sizeof(uint64_t); i++) {
		number ^= number << 13;
		number ^= number >> 7;
		number ^= number << 17;
		((uint64_t *)&state)[i] = number;
	}
	for (size_t i = 0; i < sizeof(state.vectors) / sizeof(float); i++)
		((float *)state.vectors)[i] = (float)i * 1.5f + round;
	state.registers[2] = round * 2; /* rcx: a counter */
	state.registers[3] = 3; /* rdx: the upper half of a dividend */
	state.registers[4] = (uint64_t)state.memory; /* rsi */
	state.registers[5] = (uint64_t)(state.memory + 16); /* rdi */
	state.registers[6] = strstr(name, "leave") || strstr(name, "enter") ? (uint64_t)(room + 40) : round * 2;
	state.registers[12] = 1000003; /* r13 */
	state.registers[13] = (uint64_t)landing; /* r14 */
	state.registers[14] = (uint64_t)function; /* r15 */
	if (strstr(name, "xlat"))
		state.registers[1] = (uint64_t)state.memory;
	if (strstr(name, "repe"))
		memcpy(state.memory + 16, state.memory, 24);
	state.flags = (round & 1 ? 0x8d5 : 0x202) | (round & 2 ? 0x41 : 0);
	pointer = (uint64_t)landing_2;
	/* The word that the instruction finds on the stack. */
	room[32] = strstr(name, "popf")	       ? 0x0ed7 & ~0x200u
		   : strstr(name, "pop_rsp")   ? (uint64_t)(room + 20)
		   : !strcmp(name, "i_return") ? (uint64_t)landing_3
		   : strstr(name, "i_return")  ? (uint64_t)landing_4
					       : 77;
	if (strstr(name, "popf"))
		room[32] = 0x202 | (round & 1 ? 0x8d5 : 0);
}

static uint32_t add_bytes(uint32_t sum, const void *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		sum = (sum ^ ((const uint8_t *)bytes)[i]) * 16777619u;
	return sum;
}

/* ---- system calls, whose instruction no probe may be at ---------------------------------------------------------- */

extern long raw_call(long number, long a, long b, long c);
__asm__(".text\nraw_call: mov %rdi, %rax\n mov %rsi, %rdi\n mov %rdx, %rsi\n mov %rcx, %rdx\n"
	".globl r_syscall\n.type r_syscall, @function\n"
	"r_syscall: syscall\n.size r_syscall, . - r_syscall\n ret\n");

static void make_calls(void)
{
	int status = -1;
	pid_t child;

	printf("getppid %d\n", raw_call(110, 0, 0, 0) == getppid());
	fflush(stdout);
	child = (pid_t)raw_call(57, 0, 0, 0);
	if (!child) {
		raw_call(60, 7, 0, 0);
		abort();
	}
	waitpid(child, &status, 0);
	printf("fork %d\n", status);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		uint32_t sum = 2166136261u;

		for (unsigned int round = 0; round < 4; round++) {
			make_state(all[i].name, round);
			all[i].run();
			sum = add_bytes(sum, &state, sizeof(state));
			sum = add_bytes(sum, room, sizeof(room));
		}
		printf("%s %08x\n", all[i].name, sum);
		fflush(stdout);
	}
	make_calls();
	return 0;
}
