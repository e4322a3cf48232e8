/*
 * Declarations for every program in D: the types of args[], and translators from structures of the kernel. They are
 * parsed before the program. What a program does not use costs nothing later.
 */
inline int B_READ = 0x40;
inline int B_WRITE = 0x100;
inline int B_ASYNC = 0x400;
inline int B_DONE = 0x2;
inline int B_ERROR = 0x4;
inline int B_PAGEIO = 0x10;
inline int B_PHYS = 0x20;
inline int CLD_EXITED = 1;
inline int CLD_KILLED = 2;
inline int CLD_DUMPED = 3;
inline int CLD_TRAPPED = 4;
inline int CLD_STOPPED = 5;
inline int CLD_CONTINUED = 6;
inline int SIGHUP = 1;
inline int SIGINT = 2;
inline int SIGQUIT = 3;
inline int SIGILL = 4;
inline int SIGTRAP = 5;
inline int SIGABRT = 6;
inline int SIGIOT = 6;
inline int SIGBUS = 7;
inline int SIGFPE = 8;
inline int SIGKILL = 9;
inline int SIGUSR1 = 10;
inline int SIGSEGV = 11;
inline int SIGUSR2 = 12;
inline int SIGPIPE = 13;
inline int SIGALRM = 14;
inline int SIGTERM = 15;
inline int SIGSTKFLT = 16;
inline int SIGCHLD = 17;
inline int SIGCONT = 18;
inline int SIGSTOP = 19;
inline int SIGTSTP = 20;
inline int SIGTTIN = 21;
inline int SIGTTOU = 22;
inline int SIGURG = 23;
inline int SIGXCPU = 24;
inline int SIGXFSZ = 25;
inline int SIGVTALRM = 26;
inline int SIGPROF = 27;
inline int SIGWINCH = 28;
inline int SIGIO = 29;
inline int SIGPOLL = 29;
inline int SIGPWR = 30;
inline int SIGSYS = 31;
inline int SIGRTMIN = 32;
inline int EPERM = 1;
inline int ENOENT = 2;
inline int ESRCH = 3;
inline int EINTR = 4;
inline int EIO = 5;
inline int ENXIO = 6;
inline int E2BIG = 7;
inline int ENOEXEC = 8;
inline int EBADF = 9;
inline int ECHILD = 10;
inline int EAGAIN = 11;
inline int EWOULDBLOCK = 11;
inline int ENOMEM = 12;
inline int EACCES = 13;
inline int EFAULT = 14;
inline int ENOTBLK = 15;
inline int EBUSY = 16;
inline int EEXIST = 17;
inline int EXDEV = 18;
inline int ENODEV = 19;
inline int ENOTDIR = 20;
inline int EISDIR = 21;
inline int EINVAL = 22;
inline int ENFILE = 23;
inline int EMFILE = 24;
inline int ENOTTY = 25;
inline int ETXTBSY = 26;
inline int EFBIG = 27;
inline int ENOSPC = 28;
inline int ESPIPE = 29;
inline int EROFS = 30;
inline int EMLINK = 31;
inline int EPIPE = 32;
inline int EDOM = 33;
inline int ERANGE = 34;
inline int EDEADLK = 35;
inline int EDEADLOCK = 35;
inline int ENAMETOOLONG = 36;
inline int ENOLCK = 37;
inline int ENOSYS = 38;
inline int ENOTEMPTY = 39;
inline int ELOOP = 40;
inline int ENOMSG = 42;
inline int EIDRM = 43;
inline int ECHRNG = 44;
inline int EL2NSYNC = 45;
inline int EL3HLT = 46;
inline int EL3RST = 47;
inline int ELNRNG = 48;
inline int EUNATCH = 49;
inline int ENOCSI = 50;
inline int EL2HLT = 51;
inline int EBADE = 52;
inline int EBADR = 53;
inline int EXFULL = 54;
inline int ENOANO = 55;
inline int EBADRQC = 56;
inline int EBADSLT = 57;
inline int EBFONT = 59;
inline int ENOSTR = 60;
inline int ENODATA = 61;
inline int ETIME = 62;
inline int ENOSR = 63;
inline int ENONET = 64;
inline int ENOPKG = 65;
inline int EREMOTE = 66;
inline int ENOLINK = 67;
inline int EADV = 68;
inline int ESRMNT = 69;
inline int ECOMM = 70;
inline int EPROTO = 71;
inline int EMULTIHOP = 72;
inline int EDOTDOT = 73;
inline int EBADMSG = 74;
inline int EOVERFLOW = 75;
inline int ENOTUNIQ = 76;
inline int EBADFD = 77;
inline int EREMCHG = 78;
inline int ELIBACC = 79;
inline int ELIBBAD = 80;
inline int ELIBSCN = 81;
inline int ELIBMAX = 82;
inline int ELIBEXEC = 83;
inline int EILSEQ = 84;
inline int ERESTART = 85;
inline int ESTRPIPE = 86;
inline int EUSERS = 87;
inline int ENOTSOCK = 88;
inline int EDESTADDRREQ = 89;
inline int EMSGSIZE = 90;
inline int EPROTOTYPE = 91;
inline int ENOPROTOOPT = 92;
inline int EPROTONOSUPPORT = 93;
inline int ESOCKTNOSUPPORT = 94;
inline int ENOTSUP = 95;
inline int EOPNOTSUPP = 95;
inline int EPFNOSUPPORT = 96;
inline int EAFNOSUPPORT = 97;
inline int EADDRINUSE = 98;
inline int EADDRNOTAVAIL = 99;
inline int ENETDOWN = 100;
inline int ENETUNREACH = 101;
inline int ENETRESET = 102;
inline int ECONNABORTED = 103;
inline int ECONNRESET = 104;
inline int ENOBUFS = 105;
inline int EISCONN = 106;
inline int ENOTCONN = 107;
inline int ESHUTDOWN = 108;
inline int ETOOMANYREFS = 109;
inline int ETIMEDOUT = 110;
inline int ECONNREFUSED = 111;
inline int EHOSTDOWN = 112;
inline int EHOSTUNREACH = 113;
inline int EALREADY = 114;
inline int EINPROGRESS = 115;
inline int ESTALE = 116;
inline int EUCLEAN = 117;
inline int ENOTNAM = 118;
inline int ENAVAIL = 119;
inline int EISNAM = 120;
inline int EREMOTEIO = 121;
inline int EDQUOT = 122;
inline int ENOMEDIUM = 123;
inline int EMEDIUMTYPE = 124;
inline int ECANCELED = 125;
inline int ENOKEY = 126;
inline int EKEYEXPIRED = 127;
inline int EKEYREVOKED = 128;
inline int EKEYREJECTED = 129;
inline int EOWNERDEAD = 130;
inline int ENOTRECOVERABLE = 131;
inline int ERFKILL = 132;
inline int O_RDONLY = 0;
inline int O_WRONLY = 1;
inline int O_RDWR = 2;
inline int O_ACCMODE = 3;
inline int O_CREAT = 0x40;
inline int O_EXCL = 0x80;
inline int O_NOCTTY = 0x100;
inline int O_TRUNC = 0x200;
inline int O_APPEND = 0x400;
inline int O_NONBLOCK = 0x800;
inline int O_NDELAY = 0x800;
inline int O_SYNC = 0x101000;
inline int O_DSYNC = 0x1000;
inline int O_RSYNC = 0x101000;
inline int O_CLOEXEC = 0x80000;
inline int NULL = 0;
inline int AF_UNIX = 1;
inline int AF_INET = 2;
inline int AF_INET6 = 10;
inline int ARPHRD_ETHER = 1;
inline int ARPHRD_INFINIBAND = 32;

/* Limits of types. */
inline char CHAR_MAX = 127;
inline char CHAR_MIN = -128;
inline short SHRT_MAX = 32767;
inline short SHRT_MIN = -32768;
inline unsigned short USHRT_MAX = 65535;
inline int INT_MAX = 2147483647;
inline int INT_MIN = -2147483647 - 1;
inline unsigned int UINT_MAX = 4294967295;
inline long LONG_MAX = 9223372036854775807;
inline long LONG_MIN = -9223372036854775807 - 1;
inline unsigned long ULONG_MAX = 18446744073709551615;

/* States of TCP connections. */
inline int TCP_STATE_ESTABLISHED = 1;
inline int TCP_STATE_SYN_SENT = 2;
inline int TCP_STATE_SYN_RECEIVED = 3;
inline int TCP_STATE_FIN_WAIT_1 = 4;
inline int TCP_STATE_FIN_WAIT_2 = 5;
inline int TCP_STATE_TIME_WAIT = 6;
inline int TCP_STATE_CLOSED = 7;
inline int TCP_STATE_CLOSE_WAIT = 8;
inline int TCP_STATE_LAST_ACK = 9;
inline int TCP_STATE_LISTEN = 10;
inline int TCP_STATE_CLOSING = 11;
inline string tcp_state_string[int STATE] =
	STATE == TCP_STATE_CLOSED ? "state-closed" :
	STATE == TCP_STATE_LISTEN ? "state-listen" :
	STATE == TCP_STATE_SYN_SENT ? "state-syn-sent" :
	STATE == TCP_STATE_SYN_RECEIVED ? "state-syn-received" :
	STATE == TCP_STATE_ESTABLISHED ? "state-established" :
	STATE == TCP_STATE_CLOSE_WAIT ? "state-close-wait" :
	STATE == TCP_STATE_FIN_WAIT_1 ? "state-fin-wait-1" :
	STATE == TCP_STATE_CLOSING ? "state-closing" :
	STATE == TCP_STATE_LAST_ACK ? "state-last-ack" :
	STATE == TCP_STATE_FIN_WAIT_2 ? "state-fin-wait-2" :
	STATE == TCP_STATE_TIME_WAIT ? "state-time-wait" : "<unknown>";

/* Values of pr_state, pr_flag and pr_dmodel. */
inline int SSLEEP = 1;
inline int SRUN = 2;
inline int SZOMB = 3;
inline int SSTOP = 4;
inline int SIDL = 5;
inline int SONPROC = 6;
inline int SWAIT = 7;
inline int PR_MODEL_UNKNOWN = 0;
inline int PR_MODEL_ILP32 = 1;
inline int PR_MODEL_LP64 = 2;

/* Values of arg4 in clauses of ERROR. */
inline int DTRACEFLT_UNKNOWN = 0;
inline int DTRACEFLT_BADADDR = 1;
inline int DTRACEFLT_BADALIGN = 2;
inline int DTRACEFLT_ILLOP = 3;
inline int DTRACEFLT_DIVZERO = 4;
inline int DTRACEFLT_NOSCRATCH = 5;
inline int DTRACEFLT_KPRIV = 6;
inline int DTRACEFLT_UPRIV = 7;
inline int DTRACEFLT_TUPOFLOW = 8;
inline int DTRACEFLT_BADSTACK = 9;
inline int DTRACEFLT_LIBRARY = 10;

typedef struct psinfo {
	int pr_nlwp;
	pid_t pr_pid;
	pid_t pr_ppid;
	pid_t pr_pgid;
	pid_t pr_sid;
	uid_t pr_uid;
	uid_t pr_euid;
	gid_t pr_gid;
	gid_t pr_egid;
	uintptr_t pr_addr;
	string pr_fname;
	string pr_psargs;
	int pr_wstat;
	int pr_argc;
	uintptr_t pr_argv;
	uintptr_t pr_envp;
	char pr_dmodel;
	dev_t pr_ttydev;
	size_t pr_size;
	taskid_t pr_taskid;
	projid_t pr_projid;
	poolid_t pr_poolid;
	zoneid_t pr_zoneid;
	ctid_t pr_contract;
} psinfo_t;

typedef struct lwpsinfo {
	int pr_flag;
	id_t pr_lwpid;
	uintptr_t pr_addr;
	uintptr_t pr_wchan;
	char pr_stype;
	char pr_state;
	char pr_sname;
	short pr_syscall;
	int pr_pri;
	int pr_nice;
	string pr_clname;
	string pr_name;
	processorid_t pr_onpro;
	processorid_t pr_bindpro;
	int pr_bindpset;
	lgrp_id_t pr_lgrp;
	uint64_t pr_start;
	uint64_t pr_time;
} lwpsinfo_t;

typedef struct cpuinfo {
	processorid_t cpu_id;
	int cpu_pset;
	chipid_t cpu_chip;
	lgrp_id_t cpu_lgrp;
} cpuinfo_t;

typedef struct bufinfo {
	int b_flags;
	size_t b_bcount;
	caddr_t b_addr;
	uint64_t b_blkno;
	uint64_t b_lblkno;
	size_t b_resid;
	size_t b_bufsize;
	int b_error;
	dev_t b_edev;
	uintptr_t b_iodone;
} bufinfo_t;

typedef struct devinfo {
	int dev_major;
	int dev_minor;
	int dev_instance;
	string dev_name;
	string dev_statname;
	string dev_pathname;
} devinfo_t;

typedef struct fileinfo {
	string fi_name;
	string fi_dirname;
	string fi_pathname;
	int64_t fi_offset;
	string fi_fs;
	string fi_mount;
	int fi_oflags;
} fileinfo_t;

/* Addresses of headers have no type here: a program that has none of these probes would pay for finding it. */
typedef struct pktinfo {
	uintptr_t pkt_addr;
} pktinfo_t;

typedef struct csinfo {
	uintptr_t cs_addr;
} csinfo_t;

typedef struct ipinfo {
	uint8_t ip_ver;
	uint32_t ip_plength;
	string ip_saddr;
	string ip_daddr;
} ipinfo_t;

typedef struct ifinfo {
	string if_name;
	int8_t if_local;
	netstackid_t if_ipstack;
	uintptr_t if_addr;
} ifinfo_t;

typedef struct ipv4info {
	uint8_t ipv4_ver;
	uint8_t ipv4_ihl;
	uint8_t ipv4_tos;
	uint16_t ipv4_length;
	uint16_t ipv4_ident;
	uint8_t ipv4_flags;
	uint16_t ipv4_offset;
	uint8_t ipv4_ttl;
	uint8_t ipv4_protocol;
	string ipv4_protostr;
	uint16_t ipv4_checksum;
	ipaddr_t ipv4_src;
	ipaddr_t ipv4_dst;
	string ipv4_saddr;
	string ipv4_daddr;
	uintptr_t ipv4_hdr;
} ipv4info_t;

typedef struct ipv6info {
	uint8_t ipv6_ver;
	uint8_t ipv6_tclass;
	uint32_t ipv6_flow;
	uint16_t ipv6_plen;
	uint8_t ipv6_nexthdr;
	string ipv6_nextstr;
	uint8_t ipv6_hlim;
	uintptr_t ipv6_src;
	uintptr_t ipv6_dst;
	string ipv6_saddr;
	string ipv6_daddr;
	uintptr_t ipv6_hdr;
} ipv6info_t;

typedef struct tcpinfo {
	uint16_t tcp_sport;
	uint16_t tcp_dport;
	uint32_t tcp_seq;
	uint32_t tcp_ack;
	uint8_t tcp_offset;
	uint8_t tcp_flags;
	uint16_t tcp_window;
	uint16_t tcp_checksum;
	uint16_t tcp_urgent;
	uintptr_t tcp_hdr;
} tcpinfo_t;

typedef struct tcpsinfo {
	uintptr_t tcps_addr;
	int tcps_local;
	uint16_t tcps_lport;
	uint16_t tcps_rport;
	string tcps_laddr;
	string tcps_raddr;
	int tcps_state;
	uint32_t tcps_iss;
	uint32_t tcps_suna;
	uint32_t tcps_snxt;
	uint32_t tcps_rack;
	uint32_t tcps_rnxt;
	uint32_t tcps_swnd;
	int32_t tcps_snd_ws;
	uint32_t tcps_rwnd;
	int32_t tcps_rcv_ws;
	uint32_t tcps_cwnd;
	uint32_t tcps_cwnd_ssthresh;
	uint32_t tcps_sack_fack;
	uint32_t tcps_sack_snxt;
	uint32_t tcps_rto;
	uint32_t tcps_mss;
	int tcps_retransmit;
} tcpsinfo_t;

typedef struct tcplsinfo {
	int tcps_state;
} tcplsinfo_t;

typedef struct udpinfo {
	uint16_t udp_sport;
	uint16_t udp_dport;
	uint16_t udp_length;
	uint16_t udp_checksum;
	uintptr_t udp_hdr;
} udpinfo_t;

typedef struct udpsinfo {
	uintptr_t udps_addr;
	uint16_t udps_lport;
	uint16_t udps_rport;
	string udps_laddr;
	string udps_raddr;
} udpsinfo_t;

/* The headers of a packet. */
inline struct iphdr *__ip[struct sk_buff *S] = (struct iphdr *)(S->head + S->network_header);
inline struct ipv6hdr *__ip6[struct sk_buff *S] = (struct ipv6hdr *)(S->head + S->network_header);
inline uintptr_t __transport[struct sk_buff *S] = (uintptr_t)(S->head + S->transport_header);
inline string __protocol[int P] = P == 1 ? "ICMP" : P == 6 ? "TCP" : P == 17 ? "UDP" : P == 58 ? "ICMPV6" : lltostr(P);

/* The addresses of a socket; AF_INET6 is 10. */
inline string __local[struct sock *S] = S->__sk_common.skc_family == 10 ?
	inet_ntoa6((uintptr_t)&S->__sk_common.skc_v6_rcv_saddr) : inet_ntoa((uintptr_t)&S->__sk_common.skc_rcv_saddr);
inline string __remote[struct sock *S] = S->__sk_common.skc_family == 10 ?
	inet_ntoa6((uintptr_t)&S->__sk_common.skc_v6_daddr) : inet_ntoa((uintptr_t)&S->__sk_common.skc_daddr);

translator pktinfo_t < struct sk_buff *S > {
	pkt_addr = (uintptr_t)S;
};

translator csinfo_t < struct sock *S > {
	cs_addr = (uintptr_t)S;
};

translator ipinfo_t < struct sk_buff *S > {
	ip_ver = __ip[S]->version;
	ip_plength = __ip[S]->version == 4 ? ntohs(__ip[S]->tot_len) - __ip[S]->ihl * 4 : ntohs(__ip6[S]->payload_len);
	ip_saddr = __ip[S]->version == 4 ? inet_ntoa((uintptr_t)&__ip[S]->saddr) :
		   inet_ntoa6((uintptr_t)&__ip6[S]->saddr);
	ip_daddr = __ip[S]->version == 4 ? inet_ntoa((uintptr_t)&__ip[S]->daddr) :
		   inet_ntoa6((uintptr_t)&__ip6[S]->daddr);
};

/* A packet that is sent has a route; one that is received has a device. IFF_LOOPBACK is 8. */
inline struct net_device *__device[struct sk_buff *S] = S->dev != NULL ? S->dev :
	((struct dst_entry *)(S->_skb_refdst & ~1L))->dev;

translator ifinfo_t < struct sk_buff *S > {
	if_name = __device[S]->name;
	if_local = (__device[S]->flags & 8) != 0;
	if_ipstack = __device[S]->nd_net.net->ns.inum;
	if_addr = (uintptr_t)__device[S];
};

translator ipv4info_t < struct sk_buff *S > {
	ipv4_ver = __ip[S]->version;
	ipv4_ihl = __ip[S]->ihl * 4;
	ipv4_tos = __ip[S]->tos;
	ipv4_length = ntohs(__ip[S]->tot_len);
	ipv4_ident = ntohs(__ip[S]->id);
	ipv4_flags = ntohs(__ip[S]->frag_off) >> 13;
	ipv4_offset = ntohs(__ip[S]->frag_off) & 0x1fff;
	ipv4_ttl = __ip[S]->ttl;
	ipv4_protocol = __ip[S]->protocol;
	ipv4_protostr = __protocol[__ip[S]->protocol];
	ipv4_checksum = ntohs(__ip[S]->check);
	ipv4_src = __ip[S]->saddr;
	ipv4_dst = __ip[S]->daddr;
	ipv4_saddr = inet_ntoa((uintptr_t)&__ip[S]->saddr);
	ipv4_daddr = inet_ntoa((uintptr_t)&__ip[S]->daddr);
	ipv4_hdr = __ip[S]->version == 4 ? (uintptr_t)__ip[S] : 0;
};

translator ipv6info_t < struct sk_buff *S > {
	ipv6_ver = __ip6[S]->version;
	ipv6_tclass = ntohl(*(uint32_t *)__ip6[S]) >> 20 & 0xff;
	ipv6_flow = ntohl(*(uint32_t *)__ip6[S]) & 0xfffff;
	ipv6_plen = ntohs(__ip6[S]->payload_len);
	ipv6_nexthdr = __ip6[S]->nexthdr;
	ipv6_nextstr = __protocol[__ip6[S]->nexthdr];
	ipv6_hlim = __ip6[S]->hop_limit;
	ipv6_src = (uintptr_t)&__ip6[S]->saddr;
	ipv6_dst = (uintptr_t)&__ip6[S]->daddr;
	ipv6_saddr = inet_ntoa6((uintptr_t)&__ip6[S]->saddr);
	ipv6_daddr = inet_ntoa6((uintptr_t)&__ip6[S]->daddr);
	ipv6_hdr = __ip6[S]->version == 6 ? (uintptr_t)__ip6[S] : 0;
};

inline struct tcphdr *__tcp[struct sk_buff *S] = (struct tcphdr *)__transport[S];

translator tcpinfo_t < struct sk_buff *S > {
	tcp_sport = ntohs(__tcp[S]->source);
	tcp_dport = ntohs(__tcp[S]->dest);
	tcp_seq = ntohl(__tcp[S]->seq);
	tcp_ack = ntohl(__tcp[S]->ack_seq);
	tcp_offset = __tcp[S]->doff * 4;
	tcp_flags = *(uint8_t *)(__transport[S] + 13);
	tcp_window = ntohs(__tcp[S]->window);
	tcp_checksum = ntohs(__tcp[S]->check);
	tcp_urgent = ntohs(__tcp[S]->urg_ptr);
	tcp_hdr = (uintptr_t)__tcp[S];
};

inline struct tcp_sock *__connection[struct sock *S] = (struct tcp_sock *)S;
/* The first sequence number of a packet, or OTHERWISE if there is no packet. */
inline uint32_t __sequence[struct sk_buff *B, uint32_t OTHERWISE] =
	B == NULL ? OTHERWISE : ((struct tcp_skb_cb *)B->cb)->seq;

translator tcpsinfo_t < struct sock *S > {
	tcps_addr = (uintptr_t)S;
	tcps_local = S->__sk_common.skc_daddr == S->__sk_common.skc_rcv_saddr;
	tcps_lport = S->__sk_common.skc_num;
	tcps_rport = ntohs(S->__sk_common.skc_dport);
	tcps_laddr = __local[S];
	tcps_raddr = __remote[S];
	tcps_state = S->__sk_common.skc_state;
	tcps_iss = __connection[S]->snd_una - __connection[S]->bytes_acked;
	tcps_suna = __connection[S]->snd_una;
	tcps_snxt = __connection[S]->snd_nxt;
	tcps_rack = __connection[S]->rcv_wup;
	tcps_rnxt = __connection[S]->rcv_nxt;
	tcps_swnd = __connection[S]->snd_wnd;
	tcps_snd_ws = __connection[S]->rx_opt.snd_wscale;
	tcps_rwnd = __connection[S]->rcv_wnd;
	tcps_rcv_ws = __connection[S]->rx_opt.rcv_wscale;
	tcps_cwnd = __connection[S]->snd_cwnd;
	tcps_cwnd_ssthresh = __connection[S]->snd_ssthresh;
	tcps_sack_fack = __connection[S]->sacked_out == 0 ? __connection[S]->snd_una :
		__sequence[__connection[S]->highest_sack, __connection[S]->snd_nxt];
	tcps_sack_snxt = __sequence[__connection[S]->retransmit_skb_hint, __connection[S]->snd_una];
	tcps_rto = ((struct inet_connection_sock *)S)->icsk_rto * 1000 / __hz();
	tcps_mss = __connection[S]->mss_cache;
	tcps_retransmit = __connection[S]->retrans_out != 0;
};

translator tcplsinfo_t < int I > {
	tcps_state = I;
};

inline struct udphdr *__udp[struct sk_buff *S] = (struct udphdr *)__transport[S];

translator udpinfo_t < struct sk_buff *S > {
	udp_sport = ntohs(__udp[S]->source);
	udp_dport = ntohs(__udp[S]->dest);
	udp_length = ntohs(__udp[S]->len);
	udp_checksum = ntohs(__udp[S]->check);
	udp_hdr = (uintptr_t)__udp[S];
};

translator udpsinfo_t < struct sock *S > {
	udps_addr = (uintptr_t)S;
	udps_lport = S->__sk_common.skc_num;
	udps_rport = ntohs(S->__sk_common.skc_dport);
	udps_laddr = __local[S];
	udps_raddr = __remote[S];
};

/* Flags of TCP. */
inline int TH_FIN = 0x01;
inline int TH_SYN = 0x02;
inline int TH_RST = 0x04;
inline int TH_PUSH = 0x08;
inline int TH_ACK = 0x10;
inline int TH_URG = 0x20;
inline int TH_ECE = 0x40;
inline int TH_CWR = 0x80;
inline int IPPROTO_IP = 0;
inline int IPPROTO_ICMP = 1;
inline int IPPROTO_IGMP = 2;
inline int IPPROTO_TCP = 6;
inline int IPPROTO_UDP = 17;
inline int IPPROTO_IPV6 = 41;
inline int IPPROTO_ROUTING = 43;
inline int IPPROTO_FRAGMENT = 44;
inline int IPPROTO_ESP = 50;
inline int IPPROTO_AH = 51;
inline int IPPROTO_ICMPV6 = 58;
inline int IPPROTO_SCTP = 132;

translator psinfo_t < struct task_struct *T > {
	pr_nlwp = T->signal->nr_threads;
	pr_pid = T->tgid;
	pr_ppid = T->real_parent->tgid;
	pr_pgid = T->signal->pids[2]->numbers[0].nr;
	pr_sid = T->signal->pids[3]->numbers[0].nr;
	pr_uid = T->cred->uid.val;
	pr_euid = T->cred->euid.val;
	pr_gid = T->cred->gid.val;
	pr_egid = T->cred->egid.val;
	pr_addr = (uintptr_t)T;
	pr_fname = T->comm;
	pr_psargs = T == curthread ? execargs : stringof(T->comm);
	pr_wstat = T->exit_code;
	/* It is the first word on the stack of a new process. */
	pr_argc = T == curthread && T->mm != NULL && T->mm->start_stack != 0 ?
		*(int *)copyin(T->mm->start_stack, sizeof (int)) : 0;
	pr_argv = T->mm == NULL ? 0 : T->mm->arg_start;
	pr_envp = T->mm == NULL ? 0 : T->mm->env_start;
	pr_dmodel = T->thread_info.flags & 1 << __TIF_32BIT ? PR_MODEL_ILP32 : PR_MODEL_LP64;
	pr_size = T->mm == NULL ? 0 : T->mm->total_vm * (__page_size() / 1024);
	/* Linux has no tasks, projects, pools, zones and contracts: all processes are in number 0. */
	pr_taskid = 0;
	pr_projid = 0;
	pr_poolid = 0;
	pr_zoneid = 0;
	pr_contract = 0;
	pr_ttydev = T->signal->tty == NULL ? 0 : T->signal->tty->driver->major << 20 | T->signal->tty->index;
};

translator lwpsinfo_t < struct task_struct *T > {
	pr_flag = T->flags;
	pr_lwpid = T->pid;
	pr_addr = (uintptr_t)T;
	pr_wchan = 0;
	pr_stype = 0;
	pr_syscall = T == curthread ? __system_call() : 0;
	pr_state = T->__state == 0 ? 2 : T->exit_state ? 3 : T->__state & 4 ? 4 : 1;
	pr_sname = T->__state == 0 ? 'O' : T->exit_state ? 'Z' : T->__state & 4 ? 'T' : 'S';
	pr_pri = T->prio;
	pr_nice = T->static_prio - 120;
	/* As ps(1) shows them: SCHED_OTHER, SCHED_FIFO, SCHED_RR, SCHED_BATCH, SCHED_IDLE, SCHED_DEADLINE. */
	pr_clname = T->policy == 0 ? "TS" : T->policy == 1 ? "FF" : T->policy == 2 ? "RR" : T->policy == 3 ? "B" :
		    T->policy == 5 ? "IDL" : T->policy == 6 ? "DLN" : "?";
	pr_name = T->comm;
	pr_bindpro = T->nr_cpus_allowed == 1 ? T->thread_info.cpu : -1;
	pr_bindpset = -1;
	pr_lgrp = 0;
	pr_start = T->start_time;
	pr_time = T->utime + T->stime;
	pr_onpro = T->thread_info.cpu;
};

translator cpuinfo_t < int C > {
	cpu_id = C;
	cpu_pset = 0;
	cpu_chip = __chip(C);
	cpu_lgrp = 0;
};

translator bufinfo_t < struct request *R > {
	b_flags = (R->cmd_flags & 1 ? B_WRITE : B_READ);
	b_bcount = R->__data_len;
	/* The pages of a request have no address in common. */
	b_addr = 0;
	b_blkno = R->__sector;
	b_lblkno = R->__sector;
	b_resid = 0;
	b_bufsize = R->__data_len;
	b_error = 0;
	b_iodone = (uintptr_t)R->end_io;
	b_edev = R->q->disk->major << 20 | R->q->disk->first_minor;
};

translator devinfo_t < struct request *R > {
	dev_major = R->q->disk->major;
	dev_minor = R->q->disk->first_minor;
	dev_instance = 0;
	dev_name = R->q->disk->disk_name;
	dev_statname = R->q->disk->disk_name;
	dev_pathname = strjoin("/dev/", stringof(R->q->disk->disk_name));
};

translator fileinfo_t < struct request *R > {
	fi_name = "<unknown>";
	fi_dirname = "<unknown>";
	fi_pathname = "<unknown>";
	fi_fs = "<unknown>";
	fi_mount = "<unknown>";
	fi_offset = 0;
	fi_oflags = 0;
};

translator fileinfo_t < struct file *F > {
	fi_name = F == NULL ? "<none>" : stringof(F->f_path.dentry->d_name.name);
	fi_dirname = F == NULL ? "<none>" : dirname(d_path((uintptr_t)&F->f_path));
	fi_pathname = F == NULL ? "<none>" : d_path((uintptr_t)&F->f_path);
	fi_mount = "<unknown>";
	fi_fs = F == NULL ? "<none>" : stringof(F->f_inode->i_sb->s_type->name);
	fi_offset = F == NULL ? 0 : F->f_pos;
	fi_oflags = F == NULL ? 0 : F->f_flags;
};

inline psinfo_t *curpsinfo = xlate <psinfo_t *> (curthread);
inline lwpsinfo_t *curlwpsinfo = xlate <lwpsinfo_t *> (curthread);
inline cpuinfo_t *curcpu = xlate <cpuinfo_t *> (cpu);
