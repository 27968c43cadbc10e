//! Arguments, wiring, and `zeug ext`.

fn main() {}
