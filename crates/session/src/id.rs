//! Names that last: of sessions, of their entries and of their branches.
//!
//! Does not know where anything named is stored.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use uuid::Uuid;

/// The id of a session: a random UUID, unlike a time-ordered one different from its first
/// character on, so that the short form tells sessions of one minute apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SessionId(Uuid);

impl SessionId {
    /// An id that nobody has.
    #[must_use]
    pub fn random() -> Self {
        Self(Uuid::new_v4())
    }

    /// The first 8 characters, as in the file's name.
    #[must_use]
    pub fn short(&self) -> String {
        self.to_string().chars().take(8).collect()
    }

    /// The id of a session whose own record of it is lost: the eight characters that its file's
    /// name keeps, and zeros.
    pub(crate) fn from_short(short: &str) -> Option<Self> {
        let first = u32::from_str_radix(short, 16).ok()?;
        (short.len() == 8).then(|| Self(Uuid::from_fields(first, 0, 0, &[0; 8])))
    }

    /// The id of a session that has lost it and whose file's name has none.
    pub(crate) fn unknown() -> Self {
        Self(Uuid::nil())
    }

    /// What entry ids of this session are drawn from.
    pub(crate) fn seed(self) -> u64 {
        self.0.as_u64_pair().1
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.hyphenated())
    }
}

impl FromStr for SessionId {
    type Err = uuid::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Uuid::try_parse(text).map(Self)
    }
}

/// How many low bits of an entry id are noise.
const NOISE_BITS: u32 = 24;

/// The id of an entry within its session.
///
/// A running number with 24 bits of noise below it, written as hexadecimal digits. The number
/// shows where rows are missing, and the noise makes sure that a damaged digit names no other
/// entry: such a reference is seen to be broken instead of silently leading elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryId(u64);

impl EntryId {
    pub(crate) fn new(number: u64, seed: u64) -> Self {
        Self((number << NOISE_BITS) | (mixed(seed ^ number) & ((1 << NOISE_BITS) - 1)))
    }

    /// Where in the order of writing it stands, from 1.
    pub(crate) fn number(self) -> u64 {
        self.0 >> NOISE_BITS
    }
}

/// SplitMix64's finaliser: neighbours in, strangers out.
fn mixed(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl fmt::Display for EntryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:x}", self.0)
    }
}

/// A text that is no entry id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an entry id is 7 to 16 hexadecimal digits in lower case")]
pub struct NoEntryId;

impl FromStr for EntryId {
    type Err = NoEntryId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = text
            .bytes()
            .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        if !digits || !(7..=16).contains(&text.len()) {
            return Err(NoEntryId);
        }
        u64::from_str_radix(text, 16)
            .map(Self)
            .map_err(|_| NoEntryId)
    }
}

/// Serde through the text form.
macro_rules! serde_as_text {
    ($id:ty) => {
        impl Serialize for $id {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $id {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

serde_as_text!(SessionId);
serde_as_text!(EntryId);

/// The id of a branch: that of the entry it begins with. The trunk begins with the first entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BranchId(pub EntryId);

impl fmt::Display for BranchId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for BranchId {
    type Err = NoEntryId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_id_keeps_its_number_and_its_text() {
        for number in [1, 2, 100_000, (1 << 40) - 1] {
            let id = EntryId::new(number, 7);
            assert_eq!(id.number(), number);
            assert_eq!(id.to_string().parse(), Ok(id));
        }
        for bad in ["", "1", "1A2B3C4D", "0x1234567", "+1234567", "g234567"] {
            assert_eq!(bad.parse::<EntryId>(), Err(NoEntryId), "{bad}");
        }
    }

    #[test]
    fn ids_ascend_and_no_damaged_digit_makes_another_id() {
        let ids: Vec<EntryId> = (1..2000).map(|n| EntryId::new(n, 42)).collect();
        assert!(ids.is_sorted());
        let known: std::collections::HashSet<String> = ids.iter().map(EntryId::to_string).collect();
        for text in &known {
            for at in 0..text.len() {
                for digit in "0123456789abcdef".chars() {
                    let mut hit = text.clone();
                    hit.replace_range(at..=at, &digit.to_string());
                    assert!(hit == *text || !known.contains(&hit), "{text} {hit}");
                }
            }
        }
    }

    #[test]
    fn the_short_form_is_the_beginning_of_the_id() {
        let id = SessionId::random();
        assert!(id.to_string().starts_with(&id.short()));
        let rescued = SessionId::from_short(&id.short()).unwrap();
        assert_eq!(rescued.short(), id.short());
        assert_eq!(SessionId::from_short("xyz"), None);
    }
}
