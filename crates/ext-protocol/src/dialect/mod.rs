//! The two dialects. How they differ is data ([`Rules`]), so that nobody else asks for a version.

mod v1;
mod v2;

use thiserror::Error;

use crate::greeting::HelloAck;

/// A dialect of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// zot's, protocol version 1.
    V1,
    /// zut's, protocol version 2.
    V2,
}

/// How a dialect differs from the other.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// The number in `hello_ack.protocol_version`.
    pub version: u32,
    /// Whose name the host's version is repeated under.
    pub version_key: VersionKey,
}

/// The `hello_ack` field in which a peer looks for the host's version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VersionKey {
    /// `zot_version`.
    Zot,
    /// `zut_version`.
    Zut,
}

/// A `hello` with a version that nobody speaks here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("unsupported extension protocol version {0} (this host speaks 1 and 2)")]
pub struct UnsupportedVersion(pub i64);

impl Dialect {
    /// The dialect that `hello.protocol_version` asks for.
    ///
    /// # Errors
    /// When it is neither absent nor 0, 1 or 2.
    pub fn choose(protocol_version: Option<i64>) -> Result<Self, UnsupportedVersion> {
        match protocol_version {
            None | Some(0 | 1) => Ok(Self::V1),
            Some(2) => Ok(Self::V2),
            Some(other) => Err(UnsupportedVersion(other)),
        }
    }

    /// How this dialect differs.
    #[must_use]
    pub fn rules(self) -> &'static Rules {
        match self {
            Self::V1 => &v1::RULES,
            Self::V2 => &v2::RULES,
        }
    }
}

impl Rules {
    /// Fills in the fields of an answer that depend on the dialect.
    pub fn sign(&self, ack: &mut HelloAck, host_version: &str) {
        ack.protocol_version = self.version;
        host_version.clone_into(&mut ack.zeug_version);
        let named = Some(host_version.to_owned());
        match self.version_key {
            VersionKey::Zot => ack.zot_version = named,
            VersionKey::Zut => ack.zut_version = named,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_choose_dialects() {
        let check = |version, expect| assert_eq!(Dialect::choose(version), expect, "{version:?}");
        check(None, Ok(Dialect::V1));
        check(Some(0), Ok(Dialect::V1));
        check(Some(1), Ok(Dialect::V1));
        check(Some(2), Ok(Dialect::V2));
        check(Some(3), Err(UnsupportedVersion(3)));
        check(Some(-1), Err(UnsupportedVersion(-1)));
    }
}
