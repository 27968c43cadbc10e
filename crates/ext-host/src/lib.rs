//! Extensions while they live: greeting, listening, asking, burying.
