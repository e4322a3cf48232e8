// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pages of files that are in memory, whether or not a process has them mapped, for handlers that have interrupted
 * nothing: nothing is waited for.
 *
 * A page that is looked at is in use, and may have left its file meanwhile: who gives its last reference back frees it,
 * and that may sleep on PREEMPT_RT. There, it is left to a work item, and a place for it is reserved before.
 */
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>

#include "internal.h"
#include "compat/compat.h"

static bool copy_from_page(struct page *page, void *to, unsigned int offset, unsigned int size)
{
	const char *content = page_address(page);

	/* Memory of memfd_secret() is not mapped in the kernel. */
	return content && !copy_from_kernel_nofault(to, content + offset, size);
}

#if IS_ENABLED(CONFIG_PREEMPT_RT) && defined(HAS_FOLIOS)

enum { MOST_LEFT = 64 };

static DEFINE_RAW_SPINLOCK(left_lock);
static struct folio *left_folios[MOST_LEFT];
static unsigned int left_count;
static atomic_t places_taken = ATOMIC_INIT(0);

static struct folio *next_left(void)
{
	struct folio *folio;

	raw_spin_lock(&left_lock);
	folio = left_count ? left_folios[--left_count] : NULL;
	raw_spin_unlock(&left_lock);
	return folio;
}

static void put_left(struct work_struct *work)
{
	struct folio *folio;

	while ((folio = next_left())) {
		atomic_dec(&places_taken);
		folio_put(folio);
	}
}

static DECLARE_WORK(putting_work, put_left);

/* With the place that is reserved. */
static void put_or_leave(struct folio *folio)
{
	if (atomic_add_unless(&folio->_refcount, -1, 1)) {
		atomic_dec(&places_taken);
		return;
	}
	raw_spin_lock(&left_lock);
	left_folios[left_count++] = folio;
	raw_spin_unlock(&left_lock);
	schedule_work(&putting_work);
}

/* With a reference, if it is there; the kernel's own function for this may give the last reference back. Under RCU. */
static struct folio *look_up(struct address_space *mapping, pgoff_t index)
{
	struct folio *folio = xa_load(&mapping->i_pages, index);

	return folio && !xa_is_value(folio) && folio_try_get(folio) ? folio : NULL;
}

bool cached_page_read(struct address_space *mapping, pgoff_t index, void *to, unsigned int offset, unsigned int size)
{
	bool has_place = atomic_inc_return(&places_taken) <= MOST_LEFT;
	struct folio *folio;
	bool done = false;

	rcu_read_lock();
	folio = has_place ? look_up(mapping, index) : NULL;
	if (folio) {
		/* It may have become another file's before there was a reference. */
		done = xa_load(&mapping->i_pages, index) == folio && folio_test_uptodate(folio) &&
		       copy_from_page(folio_file_page(folio, index), to, offset, size);
		put_or_leave(folio);
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

/* PREEMPT_RT before Linux 5.16 goes without. */
bool cached_page_read(struct address_space *mapping, pgoff_t index, void *to, unsigned int offset, unsigned int size)
{
	struct page *page = IS_ENABLED(CONFIG_PREEMPT_RT) ? NULL : compat_get_cached_page(mapping, index);
	bool done;

	if (!page)
		return false;
	done = copy_from_page(page, to, offset, size);
	compat_put_cached_page(page);
	return done;
}

void cached_pages_finish(void)
{
}

#endif
