BEGIN { pid; }
