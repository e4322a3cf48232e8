syscall::no_such_call:entry { trace(1); }
