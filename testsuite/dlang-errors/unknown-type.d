BEGIN { trace((struct no_such_struct *)0); trace(sizeof(struct no_such_struct)); }
