/* options: -q */
/* command: sh -c "dd if=/dev/zero of=/dev/null bs=1 count=8200 2>/dev/null" */
/* Records that do not fit into a speculation, and speculations without a buffer, are counted. */
BEGIN { kept = speculation(); none = speculation(); printf("%d %d\n", kept, none); }

syscall::write:entry
/execname == "dd" && arg0 == 1/
{
	speculate(kept);
	printf("x\n");
}

END { speculate(none); printf("nowhere\n"); }
END { discard(kept); }
END { speculate(kept); printf("free\n"); }
