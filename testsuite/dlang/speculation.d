/* options: -q */
/* Speculative output appears when it is committed. */
BEGIN { self->s = speculation(); }
BEGIN { printf("kept"); }
BEGIN /self->s/ { speculate(self->s); printf("speculative\n"); }
BEGIN { printf(" at once\n"); }
BEGIN { commit(self->s); }
BEGIN { self->s = speculation(); }
BEGIN { speculate(self->s); printf("discarded\n"); }
BEGIN { discard(self->s); exit(0); }
