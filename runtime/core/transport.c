// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Records to user space through relayfs.
 *
 * Relay makes one buffer per CPU, with its file, also for CPUs that come online later. We use each buffer as one ring:
 * only the writer moves its head, and only the reader its tail. Relay's own sub-buffers cannot be used, because
 * relay_switch_subbuf() updates their state in several steps. If relay_file_read() runs on another CPU in between, it
 * may return old data as new or skip a sub-buffer.
 *
 * A record is written with interrupts off to the buffer of the current CPU: check for space, take the next sequence
 * number, copy, and only then move the head. Thus a reader never sees a partial record.
 *
 * If the writer has interrupted another writer on this CPU (in an NMI, or in a probe on a function that it calls), the
 * record is put aside in a small per-CPU queue. irq_work empties the queue as soon as interrupts are enabled.
 *
 * If the buffer is full, the record is lost, except in begin, end and error probes. These wait for space while there is
 * a reader. They run in the reader's thread, so SIGKILL must end the wait.
 *
 * While the session is left (no reader), a full buffer overwrites its oldest records instead: the writer then also
 * moves the tail. The missing numbers are not recorded. The next reader gets a number from which on there are no gaps
 * (transport_gaps_end()).
 *
 * A script with a buffer policy (enum stp_buffer_policy) holds its output: nothing is read between the begin and the
 * end probes.
 */
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/relay.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/utsname.h>
#include <linux/vmalloc.h>

#include "runtime/abi/crash_log.h"
#include "runtime/abi/protocol.h"
#include "runtime/compat/compat.h"
#include "runtime/core/allocation.h"
#include "runtime/core/internal.h"
#include "runtime/core/session.h"
#include "runtime/core/transport.h"

enum {
	SUBBUFFER_SIZE = 128 * 1024,
	SUBBUFFER_COUNT = 8, /* 1 MiB per CPU, as in SystemTap */
	ASIDE_SIZE = 2 * (STP_RECORD_LIMIT + sizeof(struct stp_record)),
	WAIT_MILLISECONDS = 5,
};

struct cpu_transport {
	int writing;
	/* Total bytes written and read; the bytes between them are in the buffer. As in struct stp_log_counters. */
	u64 head, tail;
	bool overwrites; /* since transport_leave(), until the first read after transport_return() */
	u64 overwritten; /* records */
	u64 first_whole; /* the highest overwritten sequence number, plus 1 */
	unsigned int aside_used;
	char *aside; /* queue of records put aside */
	struct irq_work work;
};

static struct rchan *channel;
static struct cpu_transport __percpu *transports;
static atomic64_t sequence;
static atomic64_t lost;
static struct file_operations trace_operations;
static bool reader_gone;
static bool nobody_reads; /* written under read_access, held for writing */
static bool is_filled; /* STP_BUFFER_FILL: a record did not fit, so that no other is stored */
static size_t room_for_new; /* bytes that the first read of a buffer frees for records that arrive during it */
static DECLARE_RWSEM(read_access);
static u64 number_when_left;
static struct stp_log *crash_log;
static struct stp_log_buffer *crash_log_buffers;

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

/* Relay has a buffer for each CPU that is or was online. */
size_t transport_memory(void)
{
	size_t size = num_possible_cpus() * ASIDE_SIZE;
	int cpu;

	for_each_possible_cpu(cpu)
		if (*per_cpu_ptr(channel->buf, cpu))
			size += channel->alloc_size;
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

	for_each_possible_cpu(cpu)
		end = max(end, READ_ONCE(per_cpu_ptr(transports, cpu)->first_whole));
	return end;
}

u64 transport_overwritten(void)
{
	u64 count = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		count += READ_ONCE(per_cpu_ptr(transports, cpu)->overwritten);
	return count;
}

/* Wait for running reads and prevent new ones. */
void transport_leave(void)
{
	int cpu;

	down_write(&read_access);
	nobody_reads = true;
	/* Gaps may be anywhere below this number. */
	number_when_left = atomic64_read(&sequence);
	/* Pairs with the acquire in write_record(): the writer sees the tail of the last read. */
	for_each_possible_cpu(cpu)
		smp_store_release(&per_cpu_ptr(transports, cpu)->overwrites,
				  stp_script.buffer_policy != STP_BUFFER_FILL);
	up_write(&read_access);
}

/* Allow reads. A full buffer continues to overwrite until it is read, so that no new record is lost. */
void transport_return(bool is_running)
{
	if (is_running && stp_script.buffer_policy)
		return;
	down_write(&read_access);
	nobody_reads = false;
	is_filled = false;
	room_for_new = is_running ? channel->alloc_size / SUBBUFFER_COUNT : 0;
	up_write(&read_access);
	session_wake();
}

static bool has_records(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		const struct cpu_transport *t = per_cpu_ptr(transports, cpu);

		if (READ_ONCE(t->head) != READ_ONCE(t->tail) || READ_ONCE(t->aside_used))
			return true;
	}
	return false;
}

/* Can the caller wait for the reader? */
static bool is_hopeful(void)
{
	return !READ_ONCE(reader_gone) && !fatal_signal_pending(current);
}

void transport_hold(void)
{
	while (has_records() && is_hopeful()) {
		session_wake();
		msleep(WAIT_MILLISECONDS);
	}
	transport_leave();
}

/* Copy bytes from a position of the ring, across its end if necessary. */
static void copy_out(const char *ring, u64 at, void *to, size_t count)
{
	size_t size = channel->alloc_size, from = at % size, first = min(count, size - from);

	memcpy(to, ring + from, first);
	memcpy(to + first, ring, count - first);
}

/* Drop the oldest records until @p size bytes are free. Interrupts off, on the transport's own CPU, no reader. */
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

/* Stop overwriting, and free room_for_new bytes. Interrupts off, on the transport's own CPU. */
static void stop_overwriting(void *data)
{
	struct cpu_transport *cpu = data;

	cpu->writing++; /* NMIs put their records aside */
	barrier();
	drop_oldest(cpu, (*this_cpu_ptr(channel->buf))->start, room_for_new);
	WRITE_ONCE(cpu->overwrites, false);
	barrier();
	cpu->writing--;
}

/* Write a record; return false if there is no space. Interrupts off, on the transport's own CPU. */
static bool write_record(struct cpu_transport *cpu, struct stp_record *header)
{
	char *ring = (*this_cpu_ptr(channel->buf))->start;
	size_t size = sizeof(*header) + header->length, first;
	size_t at = cpu->head % channel->alloc_size;

	if (unlikely(READ_ONCE(is_filled)))
		return false;
	/* Pairs with the release in transport_leave(). */
	if (unlikely(smp_load_acquire(&cpu->overwrites)))
		drop_oldest(cpu, ring, size);
	/* Pairs with the release in read_trace(): bytes are overwritten only after they have been copied out. */
	if (unlikely(cpu->head + size - smp_load_acquire(&cpu->tail) > channel->alloc_size))
		return false;
	header->sequence = atomic64_inc_return(&sequence) - 1;
	first = min(size, channel->alloc_size - at);
	memcpy(ring + at, header, first);
	memcpy(ring, (char *)header + first, size - first);
	smp_store_release(&cpu->head, cpu->head + size); /* pairs with the acquire in read_trace() */
	return true;
}

/* Return the length field of the record at a position of the ring; the header may wrap around. */
static u16 length_at(const u8 *ring, size_t position)
{
	size_t size = channel->alloc_size, low = position + offsetof(struct stp_record, length), high;

	low -= low >= size ? size : 0;
	high = low + 1 == size ? 0 : low + 1;
	return ring[low] | ring[high] << 8;
}

/* Return how many of the @p count bytes after @p tail are whole records. */
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

/* Read whole records. If @p count is less than the first record, return 0. */
static ssize_t read_trace(struct file *file, char __user *to, size_t count, loff_t *position)
{
	struct rchan_buf *buf = file->private_data;
	struct cpu_transport *cpu = per_cpu_ptr(transports, buf->cpu);
	size_t size = buf->chan->alloc_size, done = 0, part;
	bool faulted = false;
	u64 tail, head;

	inode_lock(file_inode(file)); /* one reader at a time */
	down_read(&read_access);
	/* If the CPU is offline, the call fails, but then there is no writer either. */
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
	/* Consume all or nothing, so that the next read begins with a whole record. */
	if (!faulted && done)
		smp_store_release(&cpu->tail, tail + done);
	up_read(&read_access);
	inode_unlock(file_inode(file));
	return faulted ? -EFAULT : done;
}

/*
 * Put a record aside because an interrupted writer uses the transport of this CPU. Interrupts off, or NMI. Reserve the
 * space in one atomic step before it is filled, because an NMI may arrive at any point. write_aside() runs on the same
 * CPU, so it never sees space that is reserved but not filled.
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

void transport_count_lost(void)
{
	atomic64_inc(&lost);
}

/* A record was not stored. If that ends the session, it is not counted as lost. Any context. */
static void give_up_record(void)
{
	if (stp_script.buffer_policy == STP_BUFFER_FILL && READ_ONCE(nobody_reads)) {
		WRITE_ONCE(is_filled, true);
		session_request_exit();
	} else {
		transport_count_lost();
	}
}

/* Write the records that were put aside. Runs as irq_work: in hardirq context, or in a thread on PREEMPT_RT. */
static void write_aside(struct irq_work *work)
{
	struct cpu_transport *cpu = container_of(work, struct cpu_transport, work);
	unsigned int at = 0, end;
	unsigned long flags;

	local_irq_save(flags);
	cpu->writing++;
	barrier();
	/* An NMI may add records here: empty the queue only if there are no new ones. */
	do {
		while (at < (end = READ_ONCE(cpu->aside_used))) {
			struct stp_record *header = (struct stp_record *)(cpu->aside + at);

			if (!write_record(cpu, header))
				give_up_record();
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

bool transport_write(struct stp_record *header, bool may_wait)
{
	bool done;

	while (!(done = try_record(header))) {
		if (!may_wait || READ_ONCE(nobody_reads) || !is_hopeful()) {
			give_up_record();
			break;
		}
		session_wake();
		msleep(WAIT_MILLISECONDS);
	}
	if (!READ_ONCE(nobody_reads))
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

/* Let staplog find the buffers in a dump of this machine. */
static int describe_for_dumps(void)
{
	size_t size = array_size(nr_cpu_ids, sizeof(*crash_log_buffers));
	int cpu;

	static_assert(offsetof(struct cpu_transport, tail) - offsetof(struct cpu_transport, head) ==
		      offsetof(struct stp_log_counters, tail));
	if (!memory_take(size) || !memory_take(PAGE_SIZE))
		return -ENOMEM;
	crash_log_buffers = checked(kvzalloc(size, GFP_KERNEL));
	crash_log = checked((struct stp_log *)get_zeroed_page(GFP_KERNEL));
	if (!crash_log_buffers || !crash_log)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		crash_log_buffers[cpu] = (struct stp_log_buffer){
			.relay_buffer = (unsigned long)per_cpu_ptr(channel->buf, cpu),
			.counters = (unsigned long)&per_cpu_ptr(transports, cpu)->head,
		};
	*crash_log = (struct stp_log){
		.self = (unsigned long)crash_log,
		.buffers = (unsigned long)crash_log_buffers,
		.buffer_count = nr_cpu_ids,
		.ring_offset = offsetof(struct rchan_buf, start),
		.ring_size = channel->alloc_size,
	};
	strscpy(crash_log->module, THIS_MODULE->name, sizeof(crash_log->module));
	strscpy(crash_log->machine, init_utsname()->machine, sizeof(crash_log->machine));
	memcpy(crash_log->magic, STP_LOG_MAGIC, sizeof(crash_log->magic));
	return 0;
}

/* Dumps that are made after this must not find freed memory. */
static void forget_for_dumps(void)
{
	if (crash_log)
		memzero_explicit(crash_log, sizeof(*crash_log));
	free_page((unsigned long)crash_log);
	crash_log = NULL;
	kvfree(crash_log_buffers);
	crash_log_buffers = NULL;
}

/* staprun -b: size per CPU, overrides the script's */
static unsigned int buffer_megabytes;
module_param(buffer_megabytes, uint, 0);

int transport_create(struct dentry *directory)
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
	for_each_possible_cpu(cpu) {
		struct cpu_transport *t = per_cpu_ptr(transports, cpu);

		init_irq_work(&t->work, write_aside);
		t->aside = checked(kvmalloc_node(ASIDE_SIZE, GFP_KERNEL, cpu_to_node(cpu)));
		if (!t->aside)
			return -ENOMEM;
	}
	/* An open file holds references to this module and to relay's buffer. */
	trace_operations.owner = THIS_MODULE;
	trace_operations.open = relay_file_operations.open;
	trace_operations.release = relay_file_operations.release;
	trace_operations.read = read_trace;
	channel = checked(relay_open("trace", directory, PAGE_ALIGN(subbuffer), SUBBUFFER_COUNT, &callbacks, NULL));
	return channel ? describe_for_dumps() : -ENOMEM;
}

void transport_destroy(void)
{
	int cpu;

	forget_for_dumps();
	if (transports) {
		for_each_possible_cpu(cpu)
			irq_work_sync(&per_cpu_ptr(transports, cpu)->work);
	}
	if (channel)
		relay_close(channel);
	channel = NULL;
	if (!transports)
		return;
	for_each_possible_cpu(cpu)
		kvfree(per_cpu_ptr(transports, cpu)->aside);
	free_percpu(transports);
	transports = NULL;
}
