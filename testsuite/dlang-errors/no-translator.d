BEGIN { trace(xlate <psinfo_t>(3).pr_pid); }
