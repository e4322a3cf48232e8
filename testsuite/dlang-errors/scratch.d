BEGIN { this->p = alloca(8); }
