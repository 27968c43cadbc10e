//! Looking for extensions again, as this run wants them: settings, trust and manifests as they are
//! now.

use std::path::PathBuf;

use zeug_app::{Invited, Inviter};
use zeug_process::Spawner;

use crate::args::ExtensionArgs;
use crate::invite;
use crate::world::World;

/// What a run was told about its extensions.
#[derive(Debug)]
pub(crate) struct Again {
    pub(crate) cwd: PathBuf,
    pub(crate) extensions: ExtensionArgs,
    pub(crate) spawner: Spawner,
}

impl Inviter for Again {
    fn look(&self) -> Result<Invited, String> {
        let world = World::look(Some(&self.cwd)).map_err(|error| format!("{error:#}"))?;
        let found = invite::find(&world, &self.extensions).map_err(|error| format!("{error:#}"))?;
        let mut invited = Invited::default();
        let broken = found.errors.iter().map(|error| {
            let dir = error.dir.file_name().unwrap_or(error.dir.as_os_str());
            (dir.to_string_lossy().into_owned(), error.message.clone())
        });
        invited.errors.extend(broken);
        for candidate in found.loadable {
            match invite::impossible(&candidate) {
                Some(why) => invited.errors.push((candidate.name().to_owned(), why)),
                None => invited
                    .invites
                    .push(invite::invite(&world, &self.spawner, candidate)),
            }
        }
        Ok(invited)
    }
}
