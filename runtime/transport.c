// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Records to user space through relayfs.
 *
 * One relay channel, a buffer per CPU: relay makes the buffers and their files, also for processors that come later.
 * What is in them is for us to know. Relay's own account of sub-buffers is changed in several steps by
 * relay_switch_subbuf(), and a reader on another CPU that comes in between (relay_file_read()) takes what was there a
 * lap before for new, or leaves out a sub-buffer, when the buffer is full or just read to its end. So a buffer is one
 * ring here: the writer alone moves its head, the reader alone its tail.
 *
 * A record is written with interrupts off into the buffer of the CPU it is made on: look for room, take the next number
 * of the session's single count, copy, and only then move the head, so that a reader never sees half a record.
 *
 * If the writer interrupted another writer on this CPU (an NMI, or a probe in what it calls), the record is put
 * aside in a small per-CPU queue that irq_work empties as soon as interrupts are possible.
 *
 * A full buffer loses the record, except in begin, end and error probes: those wait for the reader as long as it
 * lives. They run in a thread of the reader, which a SIGKILL must be able to end.
 *
 * While a session was left to itself, a full buffer loses its oldest records instead: the writer then moves the tail as
 * well, and nobody reads. Which numbers are missing then is nobody's to tell, so whoever reads next is told a number
 * from which on there are no gaps.
 */
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/relay.h>
#include <linux/sched/signal.h>
#include <linux/vmalloc.h>

#include "internal.h"
#include "compat/compat.h"

enum {
	SUBBUFFER_SIZE = 128 * 1024,
	SUBBUFFER_COUNT = 8, /* 1 MiB per CPU, as users of the language know it */
	ASIDE_SIZE = 2 * (STP_RECORD_LIMIT + sizeof(struct stp_record)),
	WAIT_MILLISECONDS = 5,
};

struct cpu_transport {
	int writing;
	/* Bytes ever written and ever read; what is between them is in the buffer. */
	u64 head, tail;
	bool overwrites; /* since the session was left, and until somebody reads here */
	u64 overwritten; /* records */
	u64 first_whole; /* behind the highest number among them */
	unsigned int aside_used;
	char *aside; /* records put aside, one after the other */
	struct irq_work work;
};

static struct rchan *channel;
static struct cpu_transport __percpu *transports;
static atomic64_t sequence;
static atomic64_t lost;
static struct file_operations trace_operations;
static bool reader_gone;
static bool nobody_reads; /* changed with read_access taken for writing */
static DECLARE_RWSEM(read_access);
static u64 number_when_left;

static struct dentry *create_trace_file(const char *name, struct dentry *parent, umode_t mode, struct rchan_buf *buf,
					int *is_global)
{
	return debugfs_create_file(name, mode, parent, buf, &trace_operations);
}

static int remove_trace_file(struct dentry *dentry)
{
	debugfs_remove(dentry);
	return 0;
}

static COMPAT_RELAY_CONST struct rchan_callbacks callbacks = {
	.create_buf_file = create_trace_file,
	.remove_buf_file = remove_trace_file,
};

u64 transport_lost(void)
{
	return atomic64_read(&lost);
}

/* Relay has a buffer for each processor that is or was online. */
size_t transport_memory(void)
{
	size_t size = num_possible_cpus() * ASIDE_SIZE;
	int cpu;

	for_each_possible_cpu(cpu) if (*per_cpu_ptr(channel->buf, cpu)) size += channel->alloc_size;
	return size;
}

void transport_reader_gone(void)
{
	WRITE_ONCE(reader_gone, true);
}

u64 transport_gaps_end(void)
{
	u64 end = number_when_left;
	int cpu;

	for_each_possible_cpu(cpu) end = max(end, READ_ONCE(per_cpu_ptr(transports, cpu)->first_whole));
	return end;
}

u64 transport_overwritten(void)
{
	u64 count = 0;
	int cpu;

	for_each_possible_cpu(cpu) count += READ_ONCE(per_cpu_ptr(transports, cpu)->overwritten);
	return count;
}

/* Waits for those who read; from then on nobody does. */
void transport_leave(void)
{
	int cpu;

	down_write(&read_access);
	nobody_reads = true;
	/* What was read and what was not has a gap anywhere below. */
	number_when_left = atomic64_read(&sequence);
	for_each_possible_cpu(cpu) WRITE_ONCE(per_cpu_ptr(transports, cpu)->overwrites, true);
	up_write(&read_access);
}

/* A buffer that is full goes on to overwrite until it is read: nothing is lost in between. */
void transport_return(void)
{
	down_write(&read_access);
	nobody_reads = false;
	up_write(&read_access);
}

/* What is at a place of the ring, which may end within it. */
static void copy_out(const char *ring, u64 at, void *to, size_t count)
{
	size_t size = channel->alloc_size, from = at % size, first = min(count, size - from);

	memcpy(to, ring + from, first);
	memcpy(to + first, ring, count - first);
}

/* Interrupts off, on the transport's own CPU, nobody reads: the oldest records make room for one of @size. */
static void drop_oldest(struct cpu_transport *cpu, const char *ring, size_t size)
{
	struct stp_record oldest;

	while (cpu->head + size - cpu->tail > channel->alloc_size) {
		copy_out(ring, cpu->tail, &oldest, sizeof(oldest));
		cpu->tail += sizeof(oldest) + oldest.length;
		cpu->overwritten++;
		cpu->first_whole = oldest.sequence + 1;
	}
}

/* Interrupts off, on the transport's own CPU: what comes until the first read is over has room, too. */
static void stop_overwriting(void *data)
{
	struct cpu_transport *cpu = data;

	cpu->writing++; /* an NMI puts its records aside */
	barrier();
	drop_oldest(cpu, (*this_cpu_ptr(channel->buf))->start, channel->alloc_size / SUBBUFFER_COUNT);
	WRITE_ONCE(cpu->overwrites, false);
	barrier();
	cpu->writing--;
}

/* Interrupts off, on the transport's own CPU. False: no room. */
static bool write_record(struct cpu_transport *cpu, struct stp_record *header)
{
	char *ring = (*this_cpu_ptr(channel->buf))->start;
	size_t size = sizeof(*header) + header->length, first;
	size_t at = cpu->head % channel->alloc_size;

	if (unlikely(READ_ONCE(cpu->overwrites)))
		drop_oldest(cpu, ring, size);
	/* Pairs with the release in read_trace(): what was there is copied out before it is written over. */
	if (unlikely(cpu->head + size - smp_load_acquire(&cpu->tail) > channel->alloc_size))
		return false;
	header->sequence = atomic64_inc_return(&sequence) - 1;
	first = min(size, channel->alloc_size - at);
	memcpy(ring + at, header, first);
	memcpy(ring, (char *)header + first, size - first);
	smp_store_release(&cpu->head, cpu->head + size); /* the reader sees it only after the bytes */
	return true;
}

/* The length in the header of the record at a position in the ring, which may end within it. */
static u16 length_at(const u8 *ring, size_t position)
{
	size_t size = channel->alloc_size, low = position + offsetof(struct stp_record, length), high;

	low -= low >= size ? size : 0;
	high = low + 1 == size ? 0 : low + 1;
	return ring[low] | ring[high] << 8;
}

/* How many of the @count bytes behind @tail are whole records. */
static size_t whole_records(const u8 *ring, u64 tail, size_t count)
{
	size_t position = tail % channel->alloc_size, whole = 0, record;

	while (count - whole >= sizeof(struct stp_record)) {
		record = sizeof(struct stp_record) + length_at(ring, position);
		if (record > count - whole)
			break;
		whole += record;
		position += record;
		position -= position >= channel->alloc_size ? channel->alloc_size : 0;
	}
	return whole;
}

/* A stream of whole records. A reader that takes less than one at a time gets none. */
static ssize_t read_trace(struct file *file, char __user *to, size_t count, loff_t *position)
{
	struct rchan_buf *buf = file->private_data;
	struct cpu_transport *cpu = per_cpu_ptr(transports, buf->cpu);
	size_t size = buf->chan->alloc_size, done = 0, part;
	bool faulted = false;
	u64 tail, head;

	inode_lock(file_inode(file)); /* one reader at a time */
	down_read(&read_access);
	/* On a processor that is offline, nobody writes. */
	if (!nobody_reads && cpu->overwrites && smp_call_function_single(buf->cpu, stop_overwriting, cpu, true))
		cpu->overwrites = false;
	tail = cpu->tail;
	head = nobody_reads ? tail : smp_load_acquire(&cpu->head);
	if (count < head - tail)
		count = whole_records(buf->start, tail, count);
	else
		count = head - tail;
	for (; done < count && !faulted; done += part) {
		size_t at = (tail + done) % size;

		part = min(count - done, size - at);
		faulted = copy_to_user(to + done, (char *)buf->start + at, part);
		if (faulted)
			part = 0;
	}
	/* All or nothing: who reads next begins with a whole record. */
	if (!faulted && done)
		smp_store_release(&cpu->tail, tail + done);
	up_read(&read_access);
	inode_unlock(file_inode(file));
	return faulted ? -EFAULT : done;
}

/*
 * Interrupts off, or NMI: this CPU's transport is in use below us. An NMI may come at any point, so the room is taken
 * in one step before it is filled; what reads it (write_aside()) runs on this CPU as well, so never in between.
 */
static bool put_aside(struct cpu_transport *cpu, const struct stp_record *header)
{
	size_t size = sizeof(*header) + header->length;
	unsigned int room = ALIGN(size, sizeof(u64));
	unsigned int at = READ_ONCE(cpu->aside_used);

	do {
		if (at + room > ASIDE_SIZE)
			return false;
	} while (!try_cmpxchg(&cpu->aside_used, &at, at + room));
	memcpy(cpu->aside + at, header, size);
	((struct stp_record *)(cpu->aside + at))->writer |= STP_WRITER_ASIDE;
	irq_work_queue(&cpu->work);
	return true;
}

/* irq_work: hardirq context, or a thread on PREEMPT_RT. */
static void write_aside(struct irq_work *work)
{
	struct cpu_transport *cpu = container_of(work, struct cpu_transport, work);
	unsigned int at = 0, end;
	unsigned long flags;

	local_irq_save(flags);
	cpu->writing++;
	barrier();
	/* An NMI may add while this runs: the queue is emptied only if nothing has come since the last look. */
	do {
		while (at < (end = READ_ONCE(cpu->aside_used))) {
			struct stp_record *header = (struct stp_record *)(cpu->aside + at);

			if (!write_record(cpu, header))
				atomic64_inc(&lost);
			at += ALIGN(sizeof(*header) + header->length, sizeof(u64));
		}
	} while (!try_cmpxchg(&cpu->aside_used, &end, 0));
	barrier();
	cpu->writing--;
	local_irq_restore(flags);
	session_wake();
}

static bool try_record(struct stp_record *header)
{
	struct cpu_transport *cpu;
	unsigned long flags;
	bool done;

	local_irq_save(flags);
	cpu = this_cpu_ptr(transports);
	if (unlikely(cpu->writing)) {
		done = put_aside(cpu, header);
	} else {
		cpu->writing++;
		barrier();
		done = write_record(cpu, header);
		barrier();
		cpu->writing--;
	}
	local_irq_restore(flags);
	return done;
}

void transport_count_lost(void)
{
	atomic64_inc(&lost);
}

bool transport_write(struct stp_record *header, bool may_wait)
{
	bool done;

	while (!(done = try_record(header))) {
		if (!may_wait || READ_ONCE(reader_gone) || fatal_signal_pending(current)) {
			transport_count_lost();
			break;
		}
		session_wake();
		msleep(WAIT_MILLISECONDS);
	}
	session_wake();
	return done;
}

void transport_message(enum stp_record_type type, bool may_wait, const char *format, ...)
{
	struct {
		struct stp_record header;
		char text[2 * STP_ERROR_SIZE + 256];
	} message = {.header = {.magic = STP_RECORD_MAGIC, .type = type}};
	va_list args;

	va_start(args, format);
	message.header.length = vscnprintf(message.text, sizeof(message.text), format, args);
	va_end(args);
	transport_write(&message.header, may_wait);
}

void transport_error(const char *text)
{
	struct {
		struct stp_record header;
		char text[128];
	} message = {.header = {.magic = STP_RECORD_MAGIC, .type = STP_RECORD_ERROR}};

	message.header.length = strscpy(message.text, text, sizeof(message.text));
	transport_write(&message.header, false);
}

/* staprun -b: per processor, instead of what the script was made with. */
static unsigned int buffer_megabytes;
module_param(buffer_megabytes, uint, 0);

int transport_create(struct dentry *folder)
{
	size_t subbuffer = SUBBUFFER_SIZE, size;
	int cpu;

	if (buffer_megabytes)
		subbuffer = ((size_t)buffer_megabytes << 20) / SUBBUFFER_COUNT;
	else if (stp_script.buffer_bytes)
		subbuffer = max_t(size_t, stp_script.buffer_bytes / SUBBUFFER_COUNT, 2 * STP_RECORD_LIMIT);
	size = ASIDE_SIZE + (size_t)PAGE_ALIGN(subbuffer) * SUBBUFFER_COUNT;
	if (!memory_take(array_size(size, num_possible_cpus())))
		return -ENOMEM;
	transports = checked(alloc_percpu(struct cpu_transport));
	if (!transports)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
	{
		struct cpu_transport *t = per_cpu_ptr(transports, cpu);

		init_irq_work(&t->work, write_aside);
		t->aside = checked(kvmalloc_node(ASIDE_SIZE, GFP_KERNEL, cpu_to_node(cpu)));
		if (!t->aside)
			return -ENOMEM;
	}
	/* An open file keeps this module loaded, and relay's buffer. */
	trace_operations.owner = THIS_MODULE;
	trace_operations.open = relay_file_operations.open;
	trace_operations.release = relay_file_operations.release;
	trace_operations.read = read_trace;
	channel = checked(relay_open("trace", folder, PAGE_ALIGN(subbuffer), SUBBUFFER_COUNT, &callbacks, NULL));
	return channel ? 0 : -ENOMEM;
}

void transport_destroy(void)
{
	int cpu;

	if (transports) {
		for_each_possible_cpu(cpu) irq_work_sync(&per_cpu_ptr(transports, cpu)->work);
	}
	if (channel)
		relay_close(channel);
	channel = NULL;
	if (!transports)
		return;
	for_each_possible_cpu(cpu) kvfree(per_cpu_ptr(transports, cpu)->aside);
	free_percpu(transports);
	transports = NULL;
}
