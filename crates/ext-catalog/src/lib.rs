//! Which extensions exist here; install, update, trust, lock.
