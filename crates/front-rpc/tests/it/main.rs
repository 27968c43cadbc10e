//! The face before a real agent: pipes in memory, the offline model, tools of the tests' own.

#[cfg(test)]
mod answers;
#[cfg(test)]
mod approvals;
#[cfg(test)]
mod ends;
#[cfg(test)]
mod kit;
#[cfg(test)]
mod pressure;
