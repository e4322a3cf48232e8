// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Cause events that are rare in a kernel. With the argument "network", in its own network namespace: connections that
 * are refused, reset, or one too many; packets of an unknown protocol, in fragments, without the last fragment, and for
 * other hosts. With "file PATH": operations on a file. With "terminal": a terminal that is opened, written, read,
 * polled and resized. For aliases-mib.stp, aliases-nfs-file.stp and aliases-tty.stp.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <netinet/ip.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

static void check(int worked, const char *what)
{
	if (worked)
		return;
	perror(what);
	exit(1);
}

static void run(const char *command)
{
	check(!system(command), command);
}

static struct sockaddr_in here(int port)
{
	return (struct sockaddr_in){
		.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static int connected_to(int port, int flags)
{
	struct sockaddr_in to = here(port);
	int fd = socket(AF_INET, SOCK_STREAM | flags, 0);

	check(fd >= 0, "socket");
	connect(fd, (struct sockaddr *)&to, sizeof(to));
	return fd;
}

static int listening_on(int port, int backlog)
{
	struct sockaddr_in at = here(port);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	check(fd >= 0 && !bind(fd, (struct sockaddr *)&at, sizeof(at)) && !listen(fd, backlog), "listen");
	return fd;
}

/* Acknowledge data late, because nothing is sent in return; then reset the connection. */
static void one_connection(void)
{
	struct linger at_once = {.l_onoff = 1};
	int server = listening_on(7100, 1), client = connected_to(7100, 0), accepted = accept(server, NULL, NULL),
	    off = 0;
	char got[10];

	check(accepted >= 0, "accept");
	setsockopt(accepted, IPPROTO_TCP, TCP_QUICKACK, &off, sizeof(off));
	for (int i = 0; i < 3; i++) {
		check(write(client, "x", 1) == 1 && read(accepted, got, sizeof(got)) == 1, "a byte");
		usleep(300000);
	}
	setsockopt(client, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
	close(client);
	close(accepted);
	close(server);
}

/* Open two connections that nobody accepts. The second one gets no answer and is retried. */
static void too_many_connections(void)
{
	int server = listening_on(7101, 0), first = connected_to(7101, 0), second = connected_to(7101, SOCK_NONBLOCK);
	struct pollfd events = {.fd = second, .events = POLLOUT};

	poll(&events, 1, 2500);
	close(second);
	close(first);
	close(server);
}

static int memory_limits(void)
{
	int fd = open("/proc/sys/net/ipv4/tcp_mem", O_RDWR);

	check(fd >= 0, "tcp_mem");
	return fd;
}

/*
 * Exceed the limit of TCP memory, which is one file for all network namespaces. Each CPU has some memory in reserve, so
 * this takes more than the limit.
 */
static void little_memory(int limits)
{
	enum { CONNECTIONS = 8, LARGE = 4000000 };
	static const char none[] = "0 0 1000000\n";
	static char data[50000];
	char before[100] = "";
	int server, clients[CONNECTIONS], large = LARGE;

	check(read(limits, before, sizeof(before) - 1) > 0 && pwrite(limits, none, strlen(none), 0) > 0, "tcp_mem");
	server = listening_on(7102, CONNECTIONS);
	for (int i = 0; i < CONNECTIONS; i++) {
		clients[i] = connected_to(7102, 0);
		setsockopt(clients[i], SOL_SOCKET, SO_SNDBUFFORCE, &large, sizeof(large));
		for (int sent = 0; sent < 1000000; sent += sizeof(data))
			send(clients[i], data, sizeof(data), MSG_DONTWAIT);
	}
	for (int i = 0; i < CONNECTIONS; i++)
		close(clients[i]);
	close(server);
	check(pwrite(limits, before, strlen(before), 0) > 0, "tcp_mem");
}

static unsigned short sum_of(const void *data, size_t size)
{
	const unsigned short *words = data;
	unsigned int sum = 0;

	for (size_t i = 0; i < size / 2; i++)
		sum += words[i];
	sum = (sum >> 16) + (sum & 0xffff);
	return ~(sum + (sum >> 16));
}

static struct iphdr header(const char *from, const char *to, int protocol, int piece)
{
	struct iphdr ip = {.ihl = 5, .version = 4, .ttl = 9, .protocol = protocol, .id = htons(77)};

	ip.tot_len = htons(sizeof(ip) + 8);
	ip.frag_off = htons(piece);
	ip.saddr = inet_addr(from);
	ip.daddr = inet_addr(to);
	ip.check = sum_of(&ip, sizeof(ip));
	return ip;
}

static void odd_packets(void)
{
	enum { MORE_PIECES = 0x2000 };
	struct sockaddr_in to = here(7103);
	int raw = socket(AF_INET, SOCK_RAW, IPPROTO_RAW), datagrams = socket(AF_INET, SOCK_DGRAM, 0);
	struct {
		struct iphdr ip;
		char data[8];
	} packet = {header("127.0.0.1", "127.0.0.1", 253, 0), ""};
	static char large[4000];

	check(raw >= 0 && datagrams >= 0, "socket");
	check(sendto(raw, &packet, sizeof(packet), 0, (struct sockaddr *)&to, sizeof(to)) > 0, "unknown protocol");
	packet.ip = header("127.0.0.1", "127.0.0.1", IPPROTO_UDP, MORE_PIECES);
	check(sendto(raw, &packet, sizeof(packet), 0, (struct sockaddr *)&to, sizeof(to)) > 0, "one piece");
	check(sendto(datagrams, large, sizeof(large), 0, (struct sockaddr *)&to, sizeof(to)) > 0, "pieces");
	close(raw);
	close(datagrams);
}

/* Send a packet that arrives at the other end of a pair of devices. */
static void arrives_for(const char *address)
{
	struct ifreq request = {.ifr_name = "other-end"};
	struct {
		struct ether_header ether;
		struct iphdr ip;
		char data[8];
	} __attribute__((packed)) frame = {.ip = header("10.202.0.9", address, 253, 0)};
	struct sockaddr_ll at = {.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_IP), .sll_halen = ETH_ALEN};
	int fd = socket(AF_PACKET, SOCK_RAW, htons(ETH_P_IP));

	check(fd >= 0 && !ioctl(fd, SIOCGIFHWADDR, &request), "other-end");
	memcpy(frame.ether.ether_dhost, request.ifr_hwaddr.sa_data, ETH_ALEN);
	memcpy(at.sll_addr, request.ifr_hwaddr.sa_data, ETH_ALEN);
	frame.ether.ether_shost[0] = 2;
	frame.ether.ether_type = htons(ETH_P_IP);
	at.sll_ifindex = if_nametoindex("one-end");
	check(sendto(fd, &frame, sizeof(frame), 0, (struct sockaddr *)&at, sizeof(at)) > 0, "a packet");
	close(fd);
}

static void for_others(void)
{
	run("ip link add one-end type veth && ip link set veth0 name other-end");
	run("ifconfig one-end 10.201.0.1 netmask 255.255.255.0 up && ifconfig other-end 10.202.0.1 netmask "
	    "255.255.255.0 up");
	run("ifconfig one-end promisc && ifconfig one-end -promisc");
	run("for file in /proc/sys/net/ipv4/conf/*/rp_filter; do echo 0 >$file; done");
	arrives_for("10.77.0.1");
	run("echo 1 >/proc/sys/net/ipv4/ip_forward");
	arrives_for("10.77.0.1");
	arrives_for("10.201.0.7");
}

static void use_network(void)
{
	int limits = memory_limits();

	check(!unshare(CLONE_NEWNET), "unshare");
	run("ifconfig lo 127.0.0.1 mtu 1500 up");
	run("echo 1 >/proc/sys/net/ipv4/ipfrag_time");
	odd_packets();
	close(connected_to(7099, 0));
	one_connection();
	for_others();
	little_memory(limits);
	too_many_connections();
}

/* Write more than fits into one call, so that the data must be committed. */
static void use_file(const char *path)
{
	enum { SIZE = 3000000 };
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 10};
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
	static char data[SIZE];
	char *mapped;

	check(fd >= 0 && write(fd, data, SIZE) == SIZE && lseek(fd, 0, SEEK_END) == SIZE && !fsync(fd), path);
	check(!fcntl(fd, F_SETLK, &lock), "lock");
	lock.l_type = F_UNLCK;
	check(!fcntl(fd, F_SETLK, &lock), "unlock");
	check(!posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED), "drop");
	mapped = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	check(mapped != MAP_FAILED, "map");
	mapped[5000] = 'x';
	check(!msync(mapped, 8192, MS_SYNC) && !munmap(mapped, 8192) && !close(fd), "write back");
}

static void use_terminal(void)
{
	int many = open("/dev/ptmx", O_RDWR | O_NOCTTY), one, console, zero = 0;
	struct winsize size;
	struct pollfd events;
	char got[20];

	if (many < 0) {
		mkdir("/dev/pts", 0755);
		check(!mount("devpts", "/dev/pts", "devpts", 0, "ptmxmode=0666"), "mount");
		many = open("/dev/pts/ptmx", O_RDWR | O_NOCTTY);
	}
	check(many >= 0 && !ioctl(many, TIOCSPTLCK, &zero), "ptmx");
	one = ioctl(many, TIOCGPTPEER, O_RDWR | O_NOCTTY);
	check(one >= 0, "the other side");
	check(write(many, "a line\n", 7) == 7, "write");
	events = (struct pollfd){.fd = one, .events = POLLIN};
	check(poll(&events, 1, -1) == 1 && read(one, got, sizeof(got)) == 7, "read");
	close(one);
	close(many);
	console = open("/dev/ttyS0", O_RDWR | O_NOCTTY);
	check(console >= 0 && !ioctl(console, TIOCGWINSZ, &size), "ttyS0");
	size.ws_row += 3;
	check(!ioctl(console, TIOCSWINSZ, &size), "resize");
	size.ws_row -= 3;
	check(!ioctl(console, TIOCSWINSZ, &size), "resize back");
	close(console);
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "network"))
		use_network();
	else if (argc > 2 && !strcmp(argv[1], "file"))
		use_file(argv[2]);
	else
		use_terminal();
	return 0;
}
