//! Every line that zeug writes, as text: this is what clients in other languages parse.

#[cfg(test)]
mod from_transcript;
#[cfg(test)]
mod lines;
#[cfg(test)]
mod messages;
#[cfg(test)]
mod shown;
