/* options: -F */
/* command: head -c 0 /proc/sys/kernel/ostype */
/* Flow indentation. */
fbt::vfs_open:entry /pid == $target/ { self->in = 1; }
fbt::vfs_open:entry, fbt::vfs_open:return, fbt::do_dentry_open:entry, fbt::do_dentry_open:return
/self->in/
{
}
fbt::vfs_open:return /self->in/ { self->in = 0; exit(0); }
