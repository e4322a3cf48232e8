BEGIN { raise(9); }
