// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reading pages in the page cache, even if no process maps them. For handlers that interrupt nothing: it never waits.
 *
 * While a page is read it needs a reference, and may be removed from its file in between. Dropping the last reference
 * then frees the page, which may sleep on PREEMPT_RT. There, a work item drops it, and a slot for the page is reserved
 * beforehand.
 */
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>

#include "runtime/compat/compat.h"
#include "runtime/core/internal.h"
#include "runtime/user/cached_page.h"

static bool copy_from_page(struct page *page, void *to, unsigned int offset, unsigned int size)
{
	const char *content = page_address(page);

	/* Memory of memfd_secret() is not mapped in the kernel. */
	return content && !copy_from_kernel_nofault(to, content + offset, size);
}

#if IS_ENABLED(CONFIG_PREEMPT_RT)

enum { MOST_LEFT = 64 };

static DEFINE_RAW_SPINLOCK(left_lock);
static struct COMPAT_CACHED *left_cached[MOST_LEFT];
static unsigned int left_count;
static atomic_t places_taken = ATOMIC_INIT(0);

static struct COMPAT_CACHED *next_left(void)
{
	struct COMPAT_CACHED *cached;

	raw_spin_lock(&left_lock);
	cached = left_count ? left_cached[--left_count] : NULL;
	raw_spin_unlock(&left_lock);
	return cached;
}

static void put_left(struct work_struct *work)
{
	struct COMPAT_CACHED *cached;

	while ((cached = next_left())) {
		atomic_dec(&places_taken);
		compat_cached_put(cached);
	}
}

static DECLARE_WORK(putting_work, put_left);

/* Drop a reference, using the reserved slot if it is the last. */
static void put_or_leave(struct COMPAT_CACHED *cached)
{
	if (atomic_add_unless(&cached->_refcount, -1, 1)) {
		atomic_dec(&places_taken);
		return;
	}
	raw_spin_lock(&left_lock);
	left_cached[left_count++] = cached;
	raw_spin_unlock(&left_lock);
	schedule_work(&putting_work);
}

/* Return the page with a reference, or NULL. Under RCU. The kernel's own function may drop a last reference. */
static struct COMPAT_CACHED *look_up(struct address_space *mapping, pgoff_t index)
{
	struct COMPAT_CACHED *cached = xa_load(&mapping->i_pages, index);

	return cached && !xa_is_value(cached) && compat_cached_try_get(cached) ? cached : NULL;
}

bool cached_page_read(struct address_space *mapping, pgoff_t index, void *to, unsigned int offset, unsigned int size)
{
	bool has_place = atomic_inc_return(&places_taken) <= MOST_LEFT;
	struct COMPAT_CACHED *cached;
	bool done = false;

	rcu_read_lock();
	cached = has_place ? look_up(mapping, index) : NULL;
	if (cached) {
		/* Without a reference, it might have been reused for another file. */
		done = xa_load(&mapping->i_pages, index) == cached && compat_cached_is_uptodate(cached) &&
		       copy_from_page(compat_cached_page(cached, index), to, offset, size);
		put_or_leave(cached);
	} else {
		atomic_dec(&places_taken);
	}
	rcu_read_unlock();
	return done;
}

void cached_pages_finish(void)
{
	flush_work(&putting_work);
}

#else

bool cached_page_read(struct address_space *mapping, pgoff_t index, void *to, unsigned int offset, unsigned int size)
{
	struct COMPAT_CACHED *cached = compat_cached_get(mapping, index);
	bool done;

	if (!cached)
		return false;
	done = compat_cached_is_uptodate(cached) && copy_from_page(compat_cached_page(cached, index), to, offset, size);
	compat_cached_put(cached);
	return done;
}

void cached_pages_finish(void)
{
}

#endif
