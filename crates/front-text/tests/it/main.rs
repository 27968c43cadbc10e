//! Runs as notices, and what each mode makes of them on stdout and stderr.

#[cfg(test)]
mod asides;
#[cfg(test)]
mod ends;
#[cfg(test)]
mod modes;
#[cfg(test)]
mod script;
