fbt::kmem_cache_alloc:entry /args[0] == `ipcl_tcpconn_cache/ { @[execname] = count(); }
