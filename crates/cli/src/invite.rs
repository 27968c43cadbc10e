//! From what lies in directories to what the host starts: programs, environments, logs.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::sync::Arc;

use zeug_app::Notice;
use zeug_config::Locked as ConfigLocked;
use zeug_ext_catalog::{Candidate, Found, Locked, Roots, Trust, Why, discover, log_file};
use zeug_ext_host::{HostLimits, Invite, Launcher};
use zeug_ext_protocol::register::OnFailure as WireOnFailure;
use zeug_hook::OnFailure;
use zeug_process::{LogLimits, RotatingLog, Spawner};

use crate::args::ExtensionArgs;
use crate::world::{VERSION, World};

/// Looks for extensions as this run wants them.
pub(crate) fn find(world: &World, args: &ExtensionArgs) -> anyhow::Result<Found> {
    let settings = &world.loaded.settings.extensions;
    let mut roots = Roots::new(world.places(), world.env.path.clone(), VERSION);
    roots.explicit.clone_from(&args.ext);
    roots.no_ext = args.no_ext;
    roots.disabled.clone_from(&settings.disabled.value);
    roots.locked = match settings.locked.value {
        ConfigLocked::Warn => Locked::Warn,
        ConfigLocked::Refuse => Locked::Refuse,
    };
    let mut trust = Trust::load(&roots.places.trust)?;
    if args.trust {
        trust = trust.everything();
    }
    Ok(discover(&roots, &trust))
}

/// What the user is told about what was found and will not run.
pub(crate) fn remarks(found: &Found) -> Vec<Notice> {
    let skipped = found
        .skipped
        .iter()
        .filter_map(|skipped| match &skipped.why {
            // The user's own choice, and themes, need no words at every start.
            Why::Disabled { .. } | Why::ThemeOnly | Why::Shadowed { .. } => None,
            why @ Why::Untrusted { .. } => Some(Notice::ExtensionSkipped {
                extension: skipped.name.clone(),
                reason: format!(
                    "{why}: read it, then run `zeug ext trust {}`, or pass --trust for one run",
                    skipped.dir.display()
                ),
            }),
        });
    let failed = found.errors.iter().map(|error| Notice::ExtensionFailed {
        extension: error.dir.display().to_string(),
        message: error.message.clone(),
    });
    let warned = found
        .warnings
        .iter()
        .map(|warning| Notice::Remark(format!("extension {warning}")));
    skipped.chain(failed).chain(warned).collect()
}

/// The host's deadlines with the user's changes.
pub(crate) fn limits(world: &World) -> HostLimits {
    let user = &world.loaded.settings.extensions.limits;
    HostLimits {
        hello: user.hello,
        ready: user.ready,
        ready_idle: user.ready_idle,
        tool_reply: user.tool_reply,
        intercept: user.intercept,
        command_reply: user.command_reply,
        shutdown: user.shutdown,
        ..HostLimits::default()
    }
}

/// Scopes of `permissions` that are asked for and cannot be enforced by this version.
pub(crate) fn unenforced(candidate: &Candidate) -> Vec<&str> {
    candidate
        .manifest
        .permissions
        .iter()
        .flat_map(|p| p.other.keys())
        .map(String::as_str)
        .collect()
}

/// What makes a candidate impossible to start as its author meant it; refused aloud.
pub(crate) fn impossible(candidate: &Candidate) -> Option<String> {
    if candidate.manifest.transport.is_some() {
        return Some(
            "\"transport\" is not supported by this version: remove it to run over stdio".into(),
        );
    }
    let scopes = unenforced(candidate);
    if !scopes.is_empty() {
        return Some(format!(
            "\"permissions\" ({}) cannot be enforced by this version, and are not merely noted: \
             remove them from extension.json to run it with your full rights",
            scopes.join(", ")
        ));
    }
    None
}

/// The invitation of one candidate.
pub(crate) fn invite(world: &World, spawner: &Spawner, candidate: Candidate) -> Invite {
    let name = candidate.name().to_owned();
    if let Err(error) = std::fs::create_dir_all(&candidate.data_dir) {
        // The extension finds out by itself whether it needs the place.
        tracing::warn!(extension = %name, "no data directory: {error}");
    }
    let log = RotatingLog::open(
        log_file(&world.paths.logs(), &name),
        format!(
            "[zeug] starting {name}/{} at {}",
            candidate.manifest.version,
            zeug_transcript::Timestamp::now()
        ),
        LogLimits::default(),
    );
    let on_failure = world
        .loaded
        .settings
        .extensions
        .on_failure
        .get(&name)
        .map(|setting| match setting.value {
            WireOnFailure::Allow => OnFailure::Allow,
            WireOnFailure::Block => OnFailure::Block,
            WireOnFailure::Ask => OnFailure::Ask,
        });
    let launcher = Launcher {
        spawner: spawner.clone(),
        program: candidate.program.clone(),
        language: candidate.manifest.language.clone(),
        args: candidate.args.clone(),
        dir: candidate.dir.clone(),
        env_set: environment(world, &candidate),
        env_remove: withheld(world, &candidate),
        log: Some(log.clone()),
    };
    Invite {
        name,
        restart_on_crash: candidate.manifest.restart.as_deref() == Some("on-crash"),
        dir: candidate.dir,
        data_dir: candidate.data_dir,
        on_failure,
        connector: Arc::new(launcher),
        log: Some(log),
    }
}

/// What every extension finds in its environment beside the user's own.
fn environment(world: &World, candidate: &Candidate) -> Vec<(OsString, OsString)> {
    let home = world.paths.home().as_os_str();
    let mut set: Vec<(OsString, OsString)> = ["ZEUG_HOME", "ZUT_HOME", "ZOT_HOME"]
        .map(|name| (name.into(), home.to_owned()))
        .into();
    set.push((
        "ZEUG_EXTENSION_DIR".into(),
        candidate.dir.clone().into_os_string(),
    ));
    set.push(("PYTHONIOENCODING".into(), "utf-8".into()));
    if candidate.data_dir != candidate.dir {
        // Beside its code a cache would change the content that the user trusted.
        let cache = candidate.data_dir.join("pycache");
        set.push(("PYTHONPYCACHEPREFIX".into(), cache.into_os_string()));
    }
    set
}

/// Credentials that the manifest does not ask for.
fn withheld(world: &World, candidate: &Candidate) -> Vec<OsString> {
    let asked: BTreeSet<&str> = candidate
        .manifest
        .permissions
        .iter()
        .flat_map(|p| p.env.iter().map(String::as_str))
        .collect();
    let withheld = world.loaded.settings.withheld().into_iter();
    withheld
        .filter(|name| !asked.contains(name))
        .map(OsString::from)
        .collect()
}
