// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Arguments of system calls that need more than one register or a list of members: socket addresses, signal actions,
 * and calls whose first argument determines the others (futex, prctl, ptrace, keyctl...). For the latter, one item
 * prints all following arguments too; tables in this file describe them.
 */
#include <linux/time.h>

#include "runtime/abi/syscall_table.h"
#include "runtime/core/internal.h"
#include "runtime/syscall/formats.h"
#include "runtime/syscall/hit.h"
#include "runtime/syscall/special.h"
#include "runtime/text/quote.h"
#include "runtime/user/memory.h"

#define KIND(name)                                                                                                     \
	static void kind_##name(struct text *t, const struct syscall_hit *hit, const struct syscall_item *item,        \
				unsigned int place)

/* ---- files ------------------------------------------------------------------------------------------------------- */

bool open_creates(unsigned int flags)
{
	enum { CREATE = 0x40, TEMPORARY = 0x400000 };

	return flags & (CREATE | TEMPORARY);
}

KIND(node_mode)
{
	static const char *const types[] = {
		[1] = "S_IFIFO", [2] = "S_IFCHR", [6] = "S_IFBLK", [8] = "S_IFREG", [12] = "S_IFSOCK"};
	u32 mode = hit->arguments[place], type = mode >> 12;

	if (type < ARRAY_SIZE(types) && types[type])
		put_formatted(t, "%s|0%o", types[type], mode & 07777);
	else
		put_formatted(t, "0%o", mode);
}

/* Load two 32-bit numbers. */
static bool load_pair(unsigned long address, int pair[2])
{
	return address && read_user(pair, address, 2 * sizeof(*pair));
}

KIND(pipe)
{
	unsigned long address = hit->arguments[place];
	int fds[2];

	if (load_pair(address, fds))
		put_formatted(t, "[%d, %d]", fds[0], fds[1]);
	else
		put_address_or_null(t, address);
}

KIND(swap_flags)
{
	enum { PRIORITY = 0x7fff, PREFER = 0x8000 };
	u32 flags = hit->arguments[place];

	put_flags(t, SYSCALL_SET_swap, flags & ~PRIORITY);
	if (flags & (PREFER | PRIORITY))
		put_formatted(t, "|%u", flags & PRIORITY);
}

KIND(mount_data)
{
	enum { MOST = 50 };

	put_string(t, hit->arguments[place], MOST);
}

KIND(fcntl)
{
	put_value(t, SYSCALL_SET_fcntl, hit->arguments[place]);
	put_text(t, ", ");
	put_hex(t, hit->arguments[place + 1]);
}

KIND(sysfs)
{
	int option = hit->arguments[0];

	put_decimal(t, option);
	if (option == 3)
		return;
	put_text(t, ", ");
	if (option == 1)
		put_string(t, hit->arguments[1], U64_MAX);
	else if (option == 2)
		put_decimal(t, hit->arguments[1]);
	else
		put_hex(t, hit->arguments[1]);
	if (option == 1)
		return;
	put_text(t, ", ");
	put_hex(t, hit->arguments[2]);
}

/* ---- sockets ----------------------------------------------------------------------------------------------------- */

KIND(socket_type)
{
	enum { TYPE = 0xf };
	unsigned int value = hit->arguments[place];
	const char *name = name_of_value(SYSCALL_SET_sock_type, value & TYPE);

	if (!name) {
		put_flags(t, SYSCALL_SET_sock_flags, value);
		return;
	}
	put_text(t, name);
	if (value & ~TYPE) {
		put_character(t, '|');
		put_flags(t, SYSCALL_SET_sock_flags, value & ~TYPE);
	}
}

enum socket_family { FAMILY_LOCAL = 1, FAMILY_INET = 2, FAMILY_INET6 = 10, FAMILY_NETLINK = 16, FAMILY_PACKET = 17 };

KIND(protocol)
{
	int family = hit->arguments[0], protocol = hit->arguments[place];

	if (family == FAMILY_INET || family == FAMILY_INET6)
		put_value_or_decimal(t, SYSCALL_SET_protocol, protocol);
	else
		put_decimal(t, protocol);
}

/* Each level has its own options. */
KIND(option)
{
	static const struct {
		unsigned short level;
		unsigned char set;
	} levels[] = {
		{0, SYSCALL_SET_option_ip},	   {1, SYSCALL_SET_option_socket}, {6, SYSCALL_SET_option_tcp},
		{17, SYSCALL_SET_option_udp},	   {41, SYSCALL_SET_option_ipv6},  {58, SYSCALL_SET_option_icmpv6},
		{136, SYSCALL_SET_option_udp},	   {255, SYSCALL_SET_option_raw},  {263, SYSCALL_SET_option_packet},
		{270, SYSCALL_SET_option_netlink}, {279, SYSCALL_SET_option_alg},
	};
	unsigned int i, level = hit->arguments[place - 1];

	for (i = 0; i < ARRAY_SIZE(levels) && levels[i].level != level; i++)
		;
	put_value(t, i < ARRAY_SIZE(levels) ? levels[i].set : SYSCALL_SET_none, hit->arguments[place]);
}

/* The first bytes of a socket address, in the known formats (include/uapi/linux). */
struct socket_address {
	unsigned int length; /* truncated like in the kernel */
	bool is_readable;
	union {
		u16 family;
		struct {
			u16 family;
			__be16 port;
			u8 address[4];
		} inet;
		struct {
			u16 family;
			__be16 port;
			u32 flow;
			__be16 address[8];
			u32 scope;
		} inet6;
		struct {
			u16 family, padding;
			u32 process, groups;
		} netlink;
		struct {
			u16 family, protocol;
			int interface;
			u16 hardware;
			u8 type, length, address[8];
		} packet;
	};
};

static void read_socket_address(struct socket_address *a, unsigned long address, unsigned int length)
{
	enum { MOST = 128 };

	memset(a, 0, sizeof(*a));
	a->length = min_t(unsigned int, length, MOST);
	a->is_readable = read_user(&a->family, address,
				   min_t(unsigned int, a->length, sizeof(*a) - offsetof(typeof(*a), family)));
}

static bool is_inet(const struct socket_address *a)
{
	return a->family == FAMILY_INET && a->length == 16;
}

static bool is_inet6(const struct socket_address *a)
{
	return a->family == FAMILY_INET6 && a->length == sizeof(a->inet6);
}

static void put_inet_address(struct text *t, const struct socket_address *a)
{
	unsigned int i;

	if (is_inet(a))
		put_formatted(t, "%u.%u.%u.%u", a->inet.address[0], a->inet.address[1], a->inet.address[2],
			      a->inet.address[3]);
	for (i = 0; is_inet6(a) && i < ARRAY_SIZE(a->inet6.address); i++)
		put_formatted(t, i ? ":%04x" : "%04x", be16_to_cpu(a->inet6.address[i]));
}

/* Print the name of a local socket: a path, or all bytes if it begins with a NUL. */
static void put_local_address(struct text *t, unsigned long address, unsigned int length)
{
	enum { MOST = 108 };
	unsigned long path = address + sizeof(u16);
	unsigned int i, start = t->used, size = min_t(unsigned int, length - sizeof(u16), MOST);
	char sequence[4];
	u8 byte = 0;

	put_text(t, "{AF_UNIX, ");
	if (read_user(&byte, path, 1) && byte && put_quoted_string(t, path, size)) {
		put_character(t, '}');
		return;
	}
	put_character(t, '"');
	for (i = 0; !byte && i < size && read_user(&byte, path + i, 1); i++) {
		unsigned int j, used = stp_escape(sequence, byte);

		for (j = 0; j < used; j++)
			put_character(t, sequence[j]);
		byte = 0;
	}
	if (i < size) {
		t->used = start;
		put_text(t, "{...}");
		return;
	}
	put_text(t, "\"}");
}

static void put_socket_address(struct text *t, unsigned long address, unsigned int length)
{
	struct socket_address a;

	if (!address) {
		put_text(t, "NULL");
		return;
	}
	read_socket_address(&a, address, length);
	if (!a.is_readable) {
		put_text(t, "{...}");
	} else if (is_inet(&a) || is_inet6(&a)) {
		put_text(t, is_inet(&a) ? "{AF_INET, " : "{AF_INET6, ");
		put_inet_address(t, &a);
		put_formatted(t, ", %u}", be16_to_cpu(a.inet.port));
	} else if (a.family == FAMILY_LOCAL && a.length > sizeof(u16)) {
		put_local_address(t, address, a.length);
	} else if (a.family == FAMILY_NETLINK && a.length == sizeof(a.netlink)) {
		put_formatted(t, "{AF_NETLINK, pid=%u, groups=%08x}", a.netlink.process, a.netlink.groups);
	} else if (a.family == FAMILY_PACKET && a.length == sizeof(a.packet)) {
		u64 hardware;

		memcpy(&hardware, a.packet.address, sizeof(hardware));
		put_formatted(t, "{AF_PACKET, proto=%u, ind=%d, hatype=%u", a.packet.protocol, a.packet.interface,
			      a.packet.hardware);
		put_formatted(t, ", pkttype=%u, halen=%u, addr=0x%llx}", a.packet.type, a.packet.length, hardware);
	} else if (a.length < sizeof(u16)) {
		put_formatted(t, "{unknown sockaddr with salen=%u}", a.length);
	} else {
		put_formatted(t, "{unknown sockaddr with sa=%u, salen=%u}", a.family, a.length);
	}
}

KIND(socket_address)
{
	put_socket_address(t, hit->arguments[place], hit->arguments[item->detail]);
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

/* Print a part of the socket address in register @p place; the next register holds its length. */
static void put_address_part(struct text *t, const struct syscall_hit *hit, enum syscall_kind kind, unsigned int place)
{
	unsigned long address = hit->arguments[place];
	struct socket_address a = {0};

	if (address)
		read_socket_address(&a, address, hit->arguments[place + 1]);
	if (!a.is_readable)
		return;
	if (kind == SYSCALL_PART_FAMILY && a.length >= sizeof(u16)) {
		const char *name = name_of_value(SYSCALL_SET_family, a.family);

		if (a.family == FAMILY_LOCAL)
			put_text(t, "AF_UNIX");
		else if (name)
			put_formatted(t, "A%s", name + 1); /* AF_* for PF_* */
	} else if (kind == SYSCALL_PART_ADDRESS) {
		put_inet_address(t, &a);
	} else if (kind == SYSCALL_PART_PORT && (is_inet(&a) || is_inet6(&a))) {
		put_unsigned(t, be16_to_cpu(a.inet.port));
	} else if (is_inet6(&a) && kind == SYSCALL_PART_FLOW) {
		put_unsigned(t, a.inet6.flow);
	} else if (is_inet6(&a) && kind == SYSCALL_PART_SCOPE) {
		put_unsigned(t, a.inet6.scope);
	}
}

/* Print the status from wait4(): how a process ended, or why it stopped. */
static void put_status(struct text *t, unsigned long address)
{
	enum { STOPPED = 0x7f, CONTINUED = 0xffff };
	u32 status, number;

	if (!address || !read_user(&status, address, sizeof(status))) {
		put_address_or_null(t, address);
		return;
	}
	number = status >> 8 & 0xff;
	if (status == CONTINUED) {
		put_text(t, "WIFCONTINUED");
	} else if ((status & 0xff) == STOPPED) {
		put_text(t, "WIFSTOPPED,WSTOPSIG=");
		put_signal(t, number);
	} else if (status & 0x7f) {
		put_text(t, "WIFSIGNALED,WTERMSIG=");
		put_signal(t, status & 0x7f);
		put_text(t, status & 0x80 ? ",WCOREDUMP" : "");
	} else {
		put_formatted(t, "WIFEXITED,WEXITSTATUS=%u", number);
	}
}

void put_part(struct text *t, const struct syscall_hit *hit, const struct syscall_item *item)
{
	if (item->kind == SYSCALL_PART_STATUS)
		put_status(t, hit->arguments[item->detail]);
	else if (item->kind == SYSCALL_PART_NOTHING)
		put_hex(t, 0);
	else
		put_address_part(t, hit, item->kind, item->detail);
}

/* Return whether the requested ptrace() operation has written this part. */
static bool part_is_there(const struct syscall_hit *hit, const struct syscall_item *item)
{
	enum { ARCHITECTURE = 30, EVENT_MESSAGE = 0x4201 };

	switch (item->kind) {
	case SYSCALL_PART_NOTHING:
		return false;
	case SYSCALL_PART_EVENT:
		return hit->arguments[0] == EVENT_MESSAGE;
	case SYSCALL_PART_THREAD_BASE:
		return hit->arguments[0] == ARCHITECTURE;
	default:
		return true;
	}
}

long number_of_part(const struct syscall_hit *hit, const struct syscall_item *item)
{
	bool is_second = item->kind == SYSCALL_PART_SECOND_INT || item->kind == SYSCALL_PART_SECOND_LONG;
	bool is_int = item->kind == SYSCALL_PART_FIRST_INT || item->kind == SYSCALL_PART_SECOND_INT;
	unsigned long address = hit->arguments[item->detail];
	unsigned int size = is_int ? sizeof(u32) : word_size(hit);
	u64 value = 0;

	if (!address || !part_is_there(hit, item) || !read_user(&value, address + is_second * size, size))
		return 0;
	return size == sizeof(u32) ? (int)value : value;
}

/* ---- signals ----------------------------------------------------------------------------------------------------- */

/* Print the value of act_str, which has no braces. */
static void put_action(struct text *t, const struct syscall_hit *hit, unsigned long address, bool is_old)
{
	const unsigned int size = word_size(hit);
	unsigned long handler, flags, restorer;
	/* The old form has the mask, of one word, before the flags. */
	unsigned long flags_at = address + (is_old ? 2 * size : size), restorer_at = flags_at + size;
	unsigned long mask_at = is_old ? address + size : restorer_at + size;
	u64 mask = 0;

	if (!address) {
		put_text(t, "NULL");
		return;
	}
	if (!load_word(hit, address, &handler) || !load_word(hit, flags_at, &flags) ||
	    !load_word(hit, restorer_at, &restorer) ||
	    !read_user(&mask, mask_at, is_old ? sizeof(u32) : sizeof(mask))) {
		put_hex(t, address);
		return;
	}
	if (name_of_value(SYSCALL_SET_handler, handler) && handler <= 1) {
		put_value(t, SYSCALL_SET_handler, handler);
		return;
	}
	put_formatted(t, "0x%lx, ", handler);
	put_flags(t, SYSCALL_SET_sigaction, flags);
	put_formatted(t, ", 0x%lx, ", restorer);
	put_signals(t, mask);
}

KIND(action)
{
	put_character(t, '{');
	put_action(t, hit, hit->arguments[place], item->detail);
	put_character(t, '}');
}

/* Return the set of codes that are specific to a signal. */
static enum syscall_set codes_of_signal(int signal)
{
	static const unsigned char sets[] = {
		[4] = SYSCALL_SET_si_code_ill,	 [5] = SYSCALL_SET_si_code_trap,  [7] = SYSCALL_SET_si_code_bus,
		[8] = SYSCALL_SET_si_code_fpe,	 [11] = SYSCALL_SET_si_code_segv, [17] = SYSCALL_SET_si_code_child,
		[29] = SYSCALL_SET_si_code_poll, [31] = SYSCALL_SET_si_code_sys,
	};

	return signal >= 0 && signal < ARRAY_SIZE(sets) ? sets[signal] : SYSCALL_SET_none;
}

struct signal_info {
	int signal, error, code;
	union {
		u64 address;
		struct {
			int process, user, status;
		};
	};
};

static bool load_signal_info(const struct syscall_hit *hit, unsigned long address, struct signal_info *ret)
{
	unsigned int head = 3 * sizeof(int), union_at = hit->is_32_bit ? head : ALIGN(head, sizeof(u64));

	memset(ret, 0, sizeof(*ret));
	return read_user(ret, address, head) && read_user(&ret->process, address + union_at, head);
}

static void put_signal_details(struct text *t, const struct syscall_hit *hit, const struct signal_info *info)
{
	enum { TIMER = -2, CHILD = 17, POLL = 29 };
	enum syscall_set set = codes_of_signal(info->signal);
	bool is_fault = set == SYSCALL_SET_si_code_ill || set == SYSCALL_SET_si_code_bus ||
			set == SYSCALL_SET_si_code_fpe || set == SYSCALL_SET_si_code_segv;
	bool is_own = info->code > 0 && info->code < 0x80; /* the code is specific to this signal */

	if (is_fault && is_own)
		put_formatted(t, ", si_addr=0x%llx}", hit->is_32_bit ? (u32)info->address : info->address);
	else if (info->signal == POLL && is_own)
		put_formatted(t, ", si_band=%lld}", (s64)info->address);
	else if (info->code == TIMER)
		put_formatted(t, ", si_tid=0x%x, si_overrun=%d}", info->process, info->user);
	else if (info->signal == CHILD && is_own)
		put_formatted(t, ", si_pid=%d, si_uid=%u, si_status=0x%x}", info->process, info->user, info->status);
	else
		put_formatted(t, ", si_pid=%d, si_uid=%u}", info->process, info->user);
}

KIND(signal_info)
{
	unsigned long address = hit->arguments[place];
	struct signal_info info;
	const char *name;

	if (!address || !load_signal_info(hit, address, &info)) {
		put_address_or_null(t, address);
		return;
	}
	put_text(t, "{si_signo=");
	put_signal(t, info.signal);
	put_text(t, ", si_code=");
	name = info.code > 0 ? name_of_value(codes_of_signal(info.signal), info.code) : NULL;
	if (name)
		put_text(t, name);
	else
		put_value(t, SYSCALL_SET_si_code, info.code);
	put_signal_details(t, hit, &info);
}

KIND(signal_stack)
{
	unsigned long address = hit->arguments[place], size = word_size(hit), stack, length;
	int flags;
	const char *name;

	if (!address || !load_word(hit, address, &stack) || !read_user(&flags, address + size, sizeof(flags)) ||
	    !load_word(hit, address + 2 * size, &length)) {
		put_hex(t, address);
		return;
	}
	put_formatted(t, "{ss_sp=0x%lx, ss_flags=", stack);
	name = name_of_value(SYSCALL_SET_sigstack, flags);
	if (name)
		put_text(t, name);
	else
		put_hex(t, (long)flags);
	put_formatted(t, ", ss_size=%lu}", length);
}

/* ---- processes --------------------------------------------------------------------------------------------------- */

KIND(clone_flags)
{
	enum { SIGNAL = 0xff };
	unsigned long flags = hit->arguments[place];

	put_flags(t, SYSCALL_SET_clone, flags & ~(unsigned long)SIGNAL);
	if (flags & SIGNAL) {
		put_character(t, '|');
		put_signal(t, flags & SIGNAL);
	}
}

KIND(io_priority)
{
	enum { CLASS_SHIFT = 13, CLASS = 7, DATA = (1 << CLASS_SHIFT) - 1 };
	u32 value = hit->arguments[place];

	put_value(t, SYSCALL_SET_ioprio_class, value >> CLASS_SHIFT & CLASS);
	put_formatted(t, "|%u", value & DATA);
}

KIND(user_desc)
{
	struct {
		u32 entry, base, limit, bits;
	} d;
	unsigned long address = hit->arguments[place];

	if (!address || !read_user(&d, address, sizeof(d))) {
		put_address_or_null(t, address);
		return;
	}
	put_formatted(t, "{entry_number=%d, base_addr=%u, limit=%u, seg_32bit=%u", d.entry, d.base, d.limit,
		      d.bits & 1);
	put_formatted(t, ", contents=%u, read_exec_only=%u, limit_in_pages=%u", d.bits >> 1 & 3, d.bits >> 3 & 1,
		      d.bits >> 4 & 1);
	put_formatted(t, ", seg_not_present=%u, useable=%u, lm=%u}", d.bits >> 5 & 1, d.bits >> 6 & 1, d.bits >> 7 & 1);
}

/* ---- time -------------------------------------------------------------------------------------------------------- */

static void put_date(struct text *t, s64 seconds)
{
	static const char days[7][4] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
	static const char months[12][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
					   "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
	struct tm tm;

	time64_to_tm(seconds, 0, &tm);
	put_formatted(t, "%s %s %2d %02d:%02d:%02d %ld", days[tm.tm_wday], months[tm.tm_mon], tm.tm_mday, tm.tm_hour,
		      tm.tm_min, tm.tm_sec, tm.tm_year + 1900);
}

KIND(times_of_file)
{
	unsigned long address = hit->arguments[place], accessed = 0, modified = 0;

	if (address && (!load_word(hit, address, &accessed) || !load_word(hit, address + word_size(hit), &modified))) {
		put_hex(t, address);
		return;
	}
	put_character(t, '[');
	put_date(t, accessed);
	put_text(t, ", ");
	put_date(t, modified);
	put_character(t, ']');
}

/* If item->detail is 1, members have 64 bits even in 32-bit programs. */
KIND(timex)
{
	static const char *const names[] = {"constant",	 "esterror", "freq", "maxerror", "offset",
					    "precision", "status",   "tick", "tolerance"};
	/* Indexes of words: `modes` is word 0, padded to a whole word. */
	static const u8 places[] = {6, 4, 2, 3, 1, 7, 5, 11, 8};
	enum { STATUS = 6 };
	struct syscall_hit as = *hit;
	unsigned long address = hit->arguments[place], size;
	unsigned int i, start = t->used;
	u32 modes;

	as.is_32_bit &= !item->detail;
	size = word_size(&as);
	if (!address || !read_user(&modes, address, sizeof(modes))) {
		put_address_or_null(t, address);
		return;
	}
	put_character(t, '{');
	put_flags(t, SYSCALL_SET_timex, modes);
	for (i = 0; i < ARRAY_SIZE(places); i++) {
		unsigned long value;

		if (!load_word(&as, address + places[i] * size, &value)) {
			t->used = start;
			put_hex(t, address);
			return;
		}
		if (as.is_32_bit || i == STATUS)
			value = (int)value;
		put_formatted(t, ", %s=%lu", names[i], value);
	}
	put_character(t, '}');
}

/* ---- communication ----------------------------------------------------------------------------------------------- */

enum { PERMISSIONS = 0777 };

KIND(ipc_flags)
{
	int flags = hit->arguments[place];

	if (flags & ~PERMISSIONS)
		put_flags(t, SYSCALL_SET_ipc, (long)(flags & ~PERMISSIONS));
	if (flags & PERMISSIONS)
		put_formatted(t, flags & ~PERMISSIONS ? "|0%o" : "0%o", flags & PERMISSIONS);
	else if (!flags)
		put_character(t, '0');
}

KIND(ipc_flags_long)
{
	u32 flags = hit->arguments[place];

	put_flags(t, SYSCALL_SET_shmget, flags & ~PERMISSIONS);
	if (flags & PERMISSIONS)
		put_formatted(t, "|0%o", flags & PERMISSIONS);
}

static void put_futex_operation(struct text *t, u32 code)
{
	put_character(t, '{');
	put_value(t, SYSCALL_SET_futex_op, code >> 28);
	put_formatted(t, ", %u, ", code >> 12 & 0xfff);
	put_value(t, SYSCALL_SET_futex_cmp, code >> 24 & 0xf);
	put_formatted(t, ", %u}", code & 0xfff);
}

/*
 * For each operation, the arguments that follow the value. t: time in argument 4; n: number in argument 4; a: second
 * address; d, x, o: argument 6 in decimal, in hexadecimal, or as an encoded operation.
 */
static const char *const futex_arguments[] = {
	[0] = "t", [3] = "na", [4] = "nad", [5] = "nao", [6] = "t", [9] = "tx", [10] = "x", [11] = "ta", [12] = "nad",
};

static void put_futex_argument(struct text *t, const struct syscall_hit *hit, char form, bool is_time64)
{
	put_text(t, ", ");
	switch (form) {
	case 't':
		put_structure(t, hit, hit->arguments[3],
			      is_time64 ? SYSCALL_STRUCT_timespec64 : SYSCALL_STRUCT_timespec);
		return;
	case 'n':
		put_decimal(t, (int)hit->arguments[3]);
		return;
	case 'a':
		put_hex(t, hit->arguments[4]);
		return;
	case 'd':
		put_decimal(t, (int)hit->arguments[5]);
		return;
	case 'x':
		put_hex(t, (u32)hit->arguments[5]);
		return;
	case 'o':
		put_futex_operation(t, hit->arguments[5]);
	}
}

/* If item->detail is 1, the time has 64 bits even in 32-bit programs. */
KIND(futex)
{
	enum { PRIVATE = 0x80, REALTIME = 0x100, FD = 2 };
	u32 operation = hit->arguments[1], plain = operation & ~(PRIVATE | REALTIME);
	const char *name = plain == FD && plain != operation ? NULL : name_of_value(SYSCALL_SET_futex, plain);
	const char *form = name && plain < ARRAY_SIZE(futex_arguments) ? futex_arguments[plain] : NULL;

	if (name)
		put_formatted(t, "%s%s%s", name, operation & PRIVATE ? "_PRIVATE" : "",
			      operation & REALTIME ? "|FUTEX_CLOCK_REALTIME" : "");
	else
		put_hex(t, operation);
	put_text(t, ", ");
	put_decimal(t, (int)hit->arguments[2]);
	for (; form && *form; form++)
		put_futex_argument(t, hit, *form, item->detail);
}

/* ---- prctl(), ptrace(), keyctl(): an option determines the other arguments --------------------------------------- */

/*
 * x, d: hexadecimal, decimal; F: flags of the set; V, D: value of the set, or else hexadecimal or decimal; S: signal;
 * s: string; p: string whose length is in the next argument.
 */
struct option_arguments {
	u32 option;
	u8 set;
	const char *forms;
};

static void put_option_argument(struct text *t, const struct syscall_hit *hit, char form, u8 set, unsigned int place)
{
	unsigned long value = hit->arguments[place];

	put_text(t, ", ");
	switch (form) {
	case 'd':
		put_decimal(t, (int)value);
		return;
	case 'F':
		put_flags(t, set, (u32)value);
		return;
	case 'V':
		put_value(t, set, value);
		return;
	case 'D':
		put_value_or_decimal(t, set, value);
		return;
	case 's':
		put_string(t, value, U64_MAX);
		return;
	case 'p':
		put_string(t, value, hit->arguments[place + 1]);
		return;
	case 'S':
		put_signal(t, value);
		return;
	default:
		put_hex(t, value);
	}
}

/* Return the row of an option, or else the last row. */
static const struct option_arguments *find_option(const struct option_arguments *options, unsigned int count,
						  u32 option)
{
	unsigned int i;

	for (i = 0; i + 1 < count && options[i].option != option; i++)
		;
	return &options[i];
}

static void put_option_arguments(struct text *t, const struct syscall_hit *hit, const struct option_arguments *option,
				 unsigned int place)
{
	unsigned int i;

	for (i = 0; option->forms[i]; i++)
		put_option_argument(t, hit, option->forms[i], option->set, place + i);
}

KIND(prctl)
{
	static const struct option_arguments options[] = {
		{1, 0, "x"},
		{2, 0, "x"},
		{3, 0, ""},
		{4, 0, "d"},
		{5, 0, "x"},
		{7, 0, ""},
		{8, 0, "d"},
		{9, 0, "x"},
		{11, 0, "x"},
		{13, 0, ""},
		{15, 0, "x"},
		{16, 0, "x"},
		{19, 0, "x"},
		{21, 0, ""},
		{22, 0, "xx"},
		{25, 0, "x"},
		{27, 0, ""},
		{28, 0, "x"},
		{29, 0, "d"},
		{30, 0, ""},
		{31, 0, ""},
		{32, 0, ""},
		{34, 0, ""},
		{36, 0, "d"},
		{37, 0, "x"},
		{38, 0, "d"},
		{39, 0, ""},
		{40, 0, "x"},
		{41, 0, "x"},
		{42, 0, ""},
		{43, 0, ""},
		{44, 0, ""},
		{6, SYSCALL_SET_prctl_unalign, "F"},
		{10, SYSCALL_SET_prctl_fpemu, "F"},
		{12, SYSCALL_SET_prctl_fpexc, "F"},
		{14, SYSCALL_SET_prctl_timing, "V"},
		{20, SYSCALL_SET_prctl_endian, "V"},
		{23, SYSCALL_SET_capability, "V"},
		{24, SYSCALL_SET_capability, "V"},
		{26, SYSCALL_SET_prctl_tsc, "F"},
		{33, SYSCALL_SET_prctl_mce, "V"},
		{35, SYSCALL_SET_prctl_mm, "Vx"},
		{0x59616d61, 0, "d"},
		{0, 0, "xxxx"},
	};
	enum { MACHINE_CHECK = 33, SET = 1 };
	u32 option = hit->arguments[0];

	put_value(t, SYSCALL_SET_prctl, option);
	put_option_arguments(t, hit, find_option(options, ARRAY_SIZE(options), option), 1);
	if (option == MACHINE_CHECK && hit->arguments[1] == SET)
		put_option_argument(t, hit, 'V', SYSCALL_SET_prctl_mce_policy, 2);
}

KIND(ptrace)
{
	static const struct option_arguments options[] = {
		{7, 0, "dxS"},
		{9, 0, "dxS"},
		{17, 0, "dxS"},
		{24, 0, "dxS"},
		{31, 0, "dxS"},
		{32, 0, "dxS"},
#ifdef PTRACE_SINGLEBLOCK
		{PTRACE_SINGLEBLOCK, 0, "dxS"},
		{PTRACE_GET_THREAD_AREA, 0, "ddx"},
		{PTRACE_SET_THREAD_AREA, 0, "ddx"},
#endif
		{0x4200, SYSCALL_SET_ptrace_options, "dxF"},
		{0x4204, SYSCALL_SET_note, "dVx"},
		{0x4205, SYSCALL_SET_note, "dVx"},
		{0, 0, "dxx"},
	};
	enum { PEEK_TEXT = 1, PEEK_USER = 3 };
	unsigned long request = hit->arguments[0];
	const char *name = request == (u32)request ? name_of_value(SYSCALL_SET_ptrace, request) : NULL;

	if (name)
		put_text(t, name);
	else
		put_hex(t, request);
	if (request < PEEK_TEXT || request > PEEK_USER) {
		put_option_arguments(t, hit, find_option(options, ARRAY_SIZE(options), request), 1);
		return;
	}
	put_formatted(t, ", %d, 0x%lx, [0x%lx]", (int)hit->arguments[1], hit->arguments[2], hit->arguments[3]);
}

KIND(keyctl)
{
	static const struct option_arguments options[] = {
		{0, SYSCALL_SET_key_ring, "Dd"},
		{1, 0, "x"},
		{2, 0, "dpd"},
		{3, 0, "d"},
		{4, 0, "ddd"},
		{5, SYSCALL_SET_key_permissions, "dF"},
		{6, 0, "dxd"},
		{7, 0, "d"},
		{8, 0, "dd"},
		{9, 0, "dd"},
		{10, 0, "dssd"},
		{11, 0, "dxd"},
		{12, 0, "dpdd"},
		{13, 0, "ddd"},
		{14, SYSCALL_SET_key_default, "D"},
		{15, 0, "dd"},
		{16, 0, "d"},
		{17, 0, "dxd"},
		{18, 0, ""},
		{19, 0, "dddd"},
		{20, 0, "dxdd"},
		{21, 0, "d"},
		{22, 0, "dd"},
		{~0u, 0, "dddd"},
	};

	put_value_or_decimal(t, SYSCALL_SET_keyctl, hit->arguments[0]);
	put_option_arguments(t, hit, find_option(options, ARRAY_SIZE(options), hit->arguments[0]), 1);
}

/* ---- quotas ------------------------------------------------------------------------------------------------------ */

enum { QUOTA_ON = 0x800002, QUOTA_GET_INFO = 0x800005, QUOTA_SET_INFO, QUOTA_GET, QUOTA_SET };

static void put_quota_command(struct text *t, u32 command)
{
	put_value(t, SYSCALL_SET_quotactl, command >> 8);
	put_character(t, '|');
	put_value(t, SYSCALL_SET_quota_type, command & 0xff);
}

KIND(quotactl)
{
	enum { FIRST_WITH_DEVICE = 0x800001 };
	u32 command = (u32)hit->arguments[0] >> 8;
	int id = hit->arguments[2];
	const char *format = name_of_value(SYSCALL_SET_quota_format, id);

	put_quota_command(t, hit->arguments[0]);
	put_text(t, ", ");
	if (command >= FIRST_WITH_DEVICE && command <= QUOTA_SET)
		put_string(t, hit->arguments[1], U64_MAX);
	else
		put_hex(t, hit->arguments[1]);
	put_text(t, ", ");
	if (command != QUOTA_ON)
		put_decimal(t, id);
	else if (format)
		put_text(t, format);
	else
		put_hex(t, (long)id);
	put_text(t, ", ");
	if (command == QUOTA_ON)
		put_string(t, hit->arguments[3], U64_MAX);
	else if (command == QUOTA_GET_INFO || command == QUOTA_SET_INFO)
		put_structure(t, hit, hit->arguments[3], SYSCALL_STRUCT_dqinfo);
	else if (command == QUOTA_GET || command == QUOTA_SET)
		put_structure(t, hit, hit->arguments[3], SYSCALL_STRUCT_dqblk);
	else
		put_hex(t, hit->arguments[3]);
}

#undef KIND

/* ---- table ------------------------------------------------------------------------------------------------------- */

put_kind *const put_special_kinds[SYSCALL_PART] = {
	[SYSCALL_SIGACTION] = kind_action,
	[SYSCALL_SIGINFO] = kind_signal_info,
	[SYSCALL_SIGSTACK] = kind_signal_stack,
	[SYSCALL_SOCKADDR] = kind_socket_address,
	[SYSCALL_SOCKTYPE] = kind_socket_type,
	[SYSCALL_PROTOCOL] = kind_protocol,
	[SYSCALL_OPTION] = kind_option,
	[SYSCALL_CLONE_FLAGS] = kind_clone_flags,
	[SYSCALL_IPC_FLAGS] = kind_ipc_flags,
	[SYSCALL_IPC_FLAGS_LONG] = kind_ipc_flags_long,
	[SYSCALL_NODE_MODE] = kind_node_mode,
	[SYSCALL_PIPE] = kind_pipe,
	[SYSCALL_TIMEX] = kind_timex,
	[SYSCALL_USER_DESC] = kind_user_desc,
	[SYSCALL_UTIMBUF] = kind_times_of_file,
	[SYSCALL_SWAP_FLAGS] = kind_swap_flags,
	[SYSCALL_IO_PRIORITY] = kind_io_priority,
	[SYSCALL_FUTEX] = kind_futex,
	[SYSCALL_FCNTL] = kind_fcntl,
	[SYSCALL_PRCTL] = kind_prctl,
	[SYSCALL_PTRACE] = kind_ptrace,
	[SYSCALL_KEYCTL] = kind_keyctl,
	[SYSCALL_QUOTACTL] = kind_quotactl,
	[SYSCALL_SYSFS] = kind_sysfs,
	[SYSCALL_MOUNT_DATA] = kind_mount_data,
};

bool put_special_alone(struct text *t, const struct syscall_hit *hit, const struct syscall_item *item,
		       unsigned int place)
{
	unsigned long value = hit->arguments[place];

	if (item->kind == SYSCALL_SIGACTION)
		put_action(t, hit, value, item->detail);
	else if (item->kind == SYSCALL_FCNTL)
		put_value(t, SYSCALL_SET_fcntl, value);
	else if (item->kind == SYSCALL_QUOTACTL)
		put_quota_command(t, value);
	else if (item->kind == SYSCALL_UNSHOWN)
		put_string(t, value, U64_MAX);
	else
		return false;
	return true;
}
