//! What host and extension may say to each other: one vocabulary, two dialects, no I/O.
