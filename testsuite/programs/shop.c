// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A shop for the suite `pictures`: "shop SCENE [SECONDS]" runs one scene, in functions whose names explain a flame
 * graph. The table at the end lists the scenes.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The function keeps its name and its own frame. The barrier at the end of callers prevents tail calls. */
#define NAMED __attribute__((noinline, noclone))
#define KEEP_FRAME() __asm__ volatile("" ::: "memory")

static volatile double total;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

static void pause_us(int us)
{
	struct timespec time = {us / 1000000, us % 1000000 * 1000};

	nanosleep(&time, NULL);
}

/* ---- requests: processor time in the program, in libraries and in the kernel ------------------------------------- */

enum {
	ARTICLES = 400,
};

static struct article {
	char name[24];
	double price;
} articles[ARTICLES];
static char page[8192];

static NAMED int compare_prices(const void *left, const void *right)
{
	double a = ((const struct article *)left)->price, b = ((const struct article *)right)->price;

	return (a > b) - (a < b);
}

static NAMED void load_catalog(void)
{
	for (int i = 0; i < ARTICLES; i++) {
		snprintf(articles[i].name, sizeof(articles[i].name), "article %d", i);
		articles[i].price = i * 7919 % 4001 / 10.0;
	}
	KEEP_FRAME();
}

static NAMED void parse_order(void)
{
	char name[24];
	double price;
	int count;

	for (int i = 0; i < 40; i++)
		if (sscanf("socks 12.50 3", "%23s %lf %d", name, &price, &count) == 3)
			total += price * count;
}

static NAMED void sort_articles(void)
{
	load_catalog();
	qsort(articles, ARTICLES, sizeof(articles[0]), compare_prices);
	KEEP_FRAME();
}

static NAMED double best_discount(int coupons)
{
	double with = 0, without = 0;

	if (coupons <= 0)
		return total > 1e12 ? 1 : 0.5;
	with = best_discount(coupons - 1);
	without = best_discount(coupons - 2);
	return with > without ? with * 0.9 : without;
}

static NAMED void compute_price(void)
{
	for (int order = 0; order < 25; order++)
		total += best_discount(12);
	KEEP_FRAME();
}

static NAMED void open_session(void)
{
	size_t size = 64 << 10;
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		die("mmap");
	memset(memory, 1, size);
	munmap(memory, size);
	KEEP_FRAME();
}

static NAMED void read_template(void)
{
	char text[4096];

	for (int i = 0; i < 6; i++) {
		int fd = open("/bin/busybox", O_RDONLY);

		if (fd < 0 || read(fd, text, sizeof(text)) < 0)
			die("/bin/busybox");
		close(fd);
	}
	KEEP_FRAME();
}

static NAMED void render_page(void)
{
	int length = 0;

	read_template();
	for (int i = 0; i < 60; i++)
		length += snprintf(page + length, sizeof(page) - length, "<li>%s: %.2f EUR</li>\n", articles[i].name,
				   articles[i].price);
	KEEP_FRAME();
}

static NAMED void send_answer(int fd)
{
	for (int i = 0; i < 8; i++)
		if (write(fd, page, sizeof(page)) < 0)
			die("write");
	lseek(fd, 0, SEEK_SET);
	KEEP_FRAME();
}

static NAMED void serve_request(int fd)
{
	open_session();
	parse_order();
	sort_articles();
	compute_price();
	render_page();
	send_answer(fd);
	KEEP_FRAME();
}

static void serve_requests(double seconds)
{
	double end = now() + seconds;
	int fd = open("/tmp/answers", O_RDWR | O_CREAT | O_TRUNC, 0600);

	if (fd < 0)
		die("/tmp/answers");
	while (now() < end)
		serve_request(fd);
	close(fd);
}

/* ---- orders: threads that wait for a lock, for a disk and for each other ----------------------------------------- */

static pthread_mutex_t stock = PTHREAD_MUTEX_INITIALIZER;
static int payment[2];
static double closing_time;

static NAMED void call_warehouse(void)
{
	pause_us(12000);
	KEEP_FRAME();
}

static NAMED void reserve_stock(void)
{
	pthread_mutex_lock(&stock);
	call_warehouse();
	pthread_mutex_unlock(&stock);
	KEEP_FRAME();
}

static NAMED void await_payment(void)
{
	char answer;

	if (write(payment[0], "?", 1) != 1 || read(payment[0], &answer, 1) != 1)
		die("payment");
	KEEP_FRAME();
}

static NAMED void write_journal(int fd)
{
	char record[2000] = "order";

	if (write(fd, record, sizeof(record)) < 0 || fsync(fd))
		die("journal");
	KEEP_FRAME();
}

static NAMED void take_order(int fd)
{
	reserve_stock();
	await_payment();
	write_journal(fd);
	KEEP_FRAME();
}

static void *take_orders(void *unused)
{
	int fd = open("/mnt/disk/journal", O_RDWR | O_CREAT | O_APPEND, 0600);

	if (fd < 0)
		die("/mnt/disk/journal");
	while (now() < closing_time)
		take_order(fd);
	close(fd);
	return NULL;
}

/* The bank answers one question at a time. */
static NAMED void *bank(void *unused)
{
	char question;

	while (read(payment[1], &question, 1) == 1) {
		pause_us(7000);
		if (write(payment[1], "!", 1) != 1)
			die("bank");
	}
	return NULL;
}

static void sell(double seconds)
{
	pthread_t clerks[3], banker;

	closing_time = now() + seconds;
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, payment) || pthread_create(&banker, NULL, bank, NULL))
		die("payment");
	for (int i = 0; i < 3; i++)
		if (pthread_create(&clerks[i], NULL, take_orders, NULL))
			die("pthread_create");
	for (int i = 0; i < 3; i++)
		pthread_join(clerks[i], NULL);
	shutdown(payment[0], SHUT_RDWR);
	pthread_join(banker, NULL);
}

/* ---- a disk whose requests become slow --------------------------------------------------------------------------- */

/* Set how long a request of scsi_debug takes from now on. scsi_debug refuses this while a request is running. */
static void set_delay(int ns)
{
	char text[16];
	int fd = open("/sys/bus/pseudo/drivers/scsi_debug/ndelay", O_WRONLY);

	snprintf(text, sizeof(text), "%d", ns);
	if (fd < 0)
		die("scsi_debug/ndelay");
	while (write(fd, text, strlen(text)) < 0)
		if (errno == EBUSY)
			pause_us(100);
		else
			die("scsi_debug/ndelay");
	close(fd);
}

/* In the second third, one request in four is a hundred times slower; in the last, the disk recovers slowly. */
static int delay_at(double share)
{
	int us = 150 + rand() % 200;

	if (share > 0.33 && share < 0.66)
		return us * (rand() % 4 ? 1 : 100) * 1000;
	if (share >= 0.66)
		us *= 1 + (int)((1 - share) * 24);
	return us * (rand() % 200 ? 1 : 10) * 1000;
}

static void read_disk(double seconds)
{
	double begin = now(), passed;
	char *buffer;
	int fd = open("/dev/sda", O_RDONLY | O_DIRECT);

	if (fd < 0 || posix_memalign((void **)&buffer, 4096, 4096))
		die("/dev/sda");
	while ((passed = now() - begin) < seconds) {
		set_delay(delay_at(passed / seconds));
		if (pread(fd, buffer, 4096, rand() % 1024 * 4096L) != 4096)
			die("read");
		pause_us(1500);
	}
	set_delay(300000);
	close(fd);
}

/* ---- orders that are written one by one, or together ------------------------------------------------------------- */

/* Each order is written to the disk at once, or they are synchronized in batches. */
static void write_orders(double seconds, int flags, int batch)
{
	double end = now() + seconds;
	char order[512] = "order";
	int fd = open("/mnt/disk/orders", O_RDWR | O_CREAT | O_TRUNC | flags, 0600);

	if (fd < 0)
		die("/mnt/disk/orders");
	for (int i = 1; now() < end; i++) {
		if (pwrite(fd, order, sizeof(order), i % 64 * sizeof(order)) < 0)
			die("pwrite");
		if (batch && i % batch == 0 && fdatasync(fd))
			die("fdatasync");
		pause_us(30000);
	}
	close(fd);
}

static void write_each(double seconds)
{
	write_orders(seconds, O_DSYNC, 0);
}

static void write_batches(double seconds)
{
	write_orders(seconds, 0, 64);
}

/* ---- memory that is never freed ---------------------------------------------------------------------------------- */

static void *volatile kept;

static NAMED void keep_session(void)
{
	kept = malloc(1800);
	KEEP_FRAME();
}

static NAMED void cache_picture(void)
{
	kept = malloc(6000);
	KEEP_FRAME();
}

static NAMED void log_visit(void)
{
	char *line;

	if (asprintf(&line, "%600d: a visitor looked at an article", 1) < 0)
		die("asprintf");
	kept = line;
	KEEP_FRAME();
}

static NAMED void show_article(void)
{
	void *scratch = malloc(3000);

	cache_picture();
	log_visit();
	free(scratch);
	KEEP_FRAME();
}

static NAMED void welcome_visitor(void)
{
	keep_session();
	log_visit();
	KEEP_FRAME();
}

static NAMED void handle_visit(int number)
{
	welcome_visitor();
	if (number % 3 == 0)
		show_article();
	KEEP_FRAME();
}

static void leak_memory(double seconds)
{
	double end = now() + seconds;

	for (int i = 0; now() < end; i++) {
		handle_visit(i);
		pause_us(8000);
	}
}

/* ---- the kernel's memory that is never freed --------------------------------------------------------------------- */

static NAMED void open_pipe(void)
{
	int ends[2];

	if (pipe(ends))
		die("pipe");
}

static NAMED void open_socket(void)
{
	if (socket(AF_INET, SOCK_STREAM, 0) < 0 || socket(AF_UNIX, SOCK_DGRAM, 0) < 0)
		die("socket");
}

static NAMED void leave_files(int number)
{
	char name[64];

	snprintf(name, sizeof(name), "/tmp/left-%d", number);
	if (open(name, O_RDWR | O_CREAT, 0600) < 0)
		die(name);
}

static void grow_slabs(double seconds)
{
	double end = now() + seconds;

	for (int i = 0; now() < end && i < 180; i++) {
		open_pipe();
		open_socket();
		leave_files(i);
		pause_us(10000);
	}
}

/* ---- files that fit into memory, and files that do not ----------------------------------------------------------- */

static void read_file(const char *path)
{
	char buffer[65536];
	int fd = open(path, O_RDONLY);

	if (fd < 0)
		die(path);
	while (read(fd, buffer, sizeof(buffer)) > 0)
		pause_us(100);
	close(fd);
}

static void drop_caches(void)
{
	int fd = open("/proc/sys/vm/drop_caches", O_WRONLY);

	if (fd < 0 || write(fd, "3", 1) != 1)
		die("drop_caches");
	close(fd);
}

/* In the middle, something else needs the memory all the time. */
static void read_files(double seconds)
{
	double begin = now(), passed;

	while ((passed = now() - begin) < seconds) {
		double share = passed / seconds;

		if ((share > 0.4 && share < 0.65) || rand() % 25 == 0)
			drop_caches();
		read_file("/mnt/disk/catalog");
		pause_us(20000);
	}
}

/* ---- programs that want one processor ---------------------------------------------------------------------------- */

static void compute_on(int cpu, double begin, double end)
{
	cpu_set_t set;

	if (fork())
		return;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
	while (now() < begin)
		pause_us(20000);
	for (int i = 0; now() < end; i++) {
		compute_price();
		if (i % 40 == 0)
			pause_us(2000);
	}
	_exit(0);
}

/* With two CPUs, run two programs on one of them, and more after a third of the time. */
static void crowd(double seconds)
{
	double begin = now(), end = begin + seconds;

	compute_on(0, begin, end);
	compute_on(1, begin, end);
	for (int i = 0; i < 4; i++)
		compute_on(1, begin + seconds / 3, begin + seconds * 3 / 4);
	while (wait(NULL) > 0)
		;
}

/* ---- locks of the kernel ----------------------------------------------------------------------------------------- */

static void rename_until(const char *program, const char *directory, double end, int us)
{
	char from[64], to[64];

	if (fork())
		return;
	pthread_setname_np(pthread_self(), program);
	snprintf(from, sizeof(from), "%s/%s.a", directory, program);
	snprintf(to, sizeof(to), "%s/%s.b", directory, program);
	close(open(from, O_RDWR | O_CREAT, 0600));
	while (now() < end)
		if (rename(from, to) || rename(to, from))
			die(from);
		else
			pause_us(us);
	_exit(0);
}

static void fill_pipe(const char *program, int ends[2], double end)
{
	static char data[65536];

	if (fork())
		return;
	pthread_setname_np(pthread_self(), program);
	close(ends[0]);
	while (now() < end)
		if (write(ends[1], data, sizeof(data)) < 0)
			break;
	_exit(0);
}

static void append_until(const char *program, const char *path, double end, size_t size)
{
	static char data[1 << 20];
	int fd;

	if (fork())
		return;
	pthread_setname_np(pthread_self(), program);
	fd = open(path, O_RDWR | O_CREAT, 0600);
	while (now() < end)
		if (pwrite(fd, data, size, 0) < 0)
			die(path);
	_exit(0);
}

static void contend(double seconds)
{
	double end = now() + seconds;
	int ends[2];

	append_until("importer", "/tmp/orders", end, 1 << 20);
	append_until("cashier", "/tmp/orders", end, 4096);
	append_until("auditor", "/tmp/orders", end, 4096);
	rename_until("rotator", "/tmp", end, 50);
	rename_until("mailer", "/tmp", end, 50);
	if (pipe(ends))
		die("pipe");
	fill_pipe("logger", ends, end);
	fill_pipe("metrics", ends, end);
	while (now() < end) {
		char buffer[65536];

		if (read(ends[0], buffer, sizeof(buffer)) <= 0)
			break;
	}
	close(ends[0]);
	while (wait(NULL) > 0)
		;
}

/* ---- a network that loses packets -------------------------------------------------------------------------------- */

static int tcp_socket(bool is_server)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(8080)};
	int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (is_server ? bind(fd, (void *)&address, sizeof(address)) || listen(fd, 8)
		      : connect(fd, (void *)&address, sizeof(address)))
		die("port 8080");
	return fd;
}

static void lose(const char *share)
{
	char command[100];

	snprintf(command, sizeof(command), "/tmp/tc qdisc replace dev lo root netem delay 2ms loss %s", share);
	if (system(command))
		die("tc");
}

/* In the third quarter, the network is bad. */
static void send_packets(double seconds)
{
	double begin = now(), end = begin + seconds;
	static char data[4000];
	int listener, fd, phase = 0, one = 1;

	lose("0.3%");
	listener = tcp_socket(true);
	if (!fork()) {
		fd = tcp_socket(false);
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
		while (now() < end)
			if (write(fd, data, sizeof(data)) < 0)
				break;
			else
				pause_us(2000);
		_exit(0);
	}
	fd = accept(listener, NULL, NULL);
	while (read(fd, data, sizeof(data)) > 0) {
		double share = (now() - begin) / seconds;

		if (phase == 0 && share > 0.5)
			phase = 1, lose("8%");
		if (phase == 1 && share > 0.75)
			phase = 2, lose("0.3%");
	}
	while (wait(NULL) > 0)
		;
	if (system("/tmp/tc qdisc del dev lo root"))
		die("tc");
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	void (*run)(double seconds);
} scenes[] = {
	{"requests", serve_requests},
	{"orders", sell},
	{"disk", read_disk},
	{"write-each", write_each},
	{"write-batches", write_batches},
	{"memory", leak_memory},
	{"slabs", grow_slabs},
	{"files", read_files},
	{"processors", crowd},
	{"locks", contend},
	{"packets", send_packets},
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof(scenes) / sizeof(scenes[0]); i++)
		if (!strcmp(scenes[i].name, argv[1])) {
			scenes[i].run(argc > 2 ? atof(argv[2]) : 5);
			return 0;
		}
	fprintf(stderr, "usage: shop SCENE [SECONDS]\n");
	return 2;
}
