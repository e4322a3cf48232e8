BEGIN { @a = lquantize(1, 100, 0, 10); }
