//! `zeug ext doctor`: starts what would start, and says what is wrong with it.

use std::io::Write;
use std::sync::Arc;

use serde::Serialize;
use tokio_util::sync::CancellationToken;
use zeug_ext_catalog::{Candidate, Found, Scope, Why};
use zeug_ext_host::{GuestReport, Host, State};
use zeug_hook::Board;

use crate::args::{ExtensionArgs, RunArgs};
use crate::models::Brain;
use crate::world::World;
use crate::{compose, invite};

/// What is said about one extension. The field names are those of `--json`.
#[derive(Debug, Serialize)]
struct Finding {
    name: String,
    scope: String,
    status: String,
    dir: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    version: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    protocol_version: Option<u32>,
    #[serde(skip_serializing_if = "String::is_empty")]
    exec: String,
    /// `unrestricted`: no permission is enforced.
    #[serde(skip_serializing_if = "String::is_empty")]
    permissions: String,
    tools: Vec<String>,
    commands: Vec<String>,
    shadowed: Vec<Shadowed>,
    warnings: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    log: Option<String>,
}

#[derive(Debug, Serialize)]
struct Shadowed {
    kind: &'static str,
    name: String,
    holder: String,
}

#[derive(Debug, Serialize)]
struct Broken {
    dir: String,
    message: String,
}

#[derive(Debug, Serialize)]
struct Diagnosis {
    ok: bool,
    extensions: Vec<Finding>,
    errors: Vec<Broken>,
}

/// Examines all extensions, or those called `name`; 1 when something is wrong.
pub(crate) async fn run(
    name: Option<&str>,
    json: bool,
    extensions: &ExtensionArgs,
    world: &World,
    interrupt: &CancellationToken,
    out: &mut dyn Write,
) -> anyhow::Result<u8> {
    let found = invite::find(world, extensions)?;
    let reports = examine(world, &found, interrupt).await?;
    let mut diagnosis = diagnose(&found, reports);
    if let Some(name) = name {
        diagnosis.extensions.retain(|finding| finding.name == name);
        diagnosis.errors.retain(|broken| broken.dir.ends_with(name));
        anyhow::ensure!(
            !diagnosis.extensions.is_empty() || !diagnosis.errors.is_empty(),
            "no extension {name:?} here: `zeug ext list` shows what is installed"
        );
        diagnosis.ok = diagnosis.errors.is_empty() && diagnosis.extensions.iter().all(is_well);
    }
    if json {
        serde_json::to_writer_pretty(&mut *out, &diagnosis)?;
        writeln!(out)?;
    } else {
        print(&diagnosis, out)?;
    }
    Ok(u8::from(!diagnosis.ok))
}

/// Starts every candidate that can be, waits for the start, and stops all.
async fn examine(
    world: &World,
    found: &Found,
    interrupt: &CancellationToken,
) -> anyhow::Result<Vec<GuestReport>> {
    let spawner = compose::spawner();
    let args = RunArgs::default();
    let setup = zeug_ext_host::Setup {
        invites: found
            .loadable
            .iter()
            .filter(|candidate| invite::impossible(candidate).is_none())
            .map(|candidate| invite::invite(world, &spawner, candidate.clone()))
            .collect(),
        limits: invite::limits(world),
        table: compose::tools(world, &args, &spawner)?,
        board: Arc::new(Board::default()),
        facts: compose::facts(world, &Brain::puppet()),
    };
    let (host, mut news) = Host::start(setup);
    let drain = tokio::spawn(async move { while news.recv().await.is_some() {} });
    tokio::select! {
        () = host.settled() => {}
        () = interrupt.cancelled() => {}
    }
    let reports = host.report();
    host.stop().await;
    drain.abort();
    Ok(reports)
}

fn diagnose(found: &Found, reports: Vec<GuestReport>) -> Diagnosis {
    let mut extensions = Vec::new();
    for candidate in &found.loadable {
        let report = reports.iter().find(|report| report.dir == candidate.dir);
        let mut finding = started(candidate, report);
        for warning in found.warnings.iter().filter(|w| w.dir == candidate.dir) {
            finding.warnings.push(warning.message.clone());
        }
        if finding.status == "ok" && !finding.warnings.is_empty() {
            "warning".clone_into(&mut finding.status);
        }
        extensions.push(finding);
    }
    for skipped in &found.skipped {
        extensions.push(Finding {
            status: match &skipped.why {
                Why::Disabled { .. } => "disabled",
                Why::Shadowed { .. } => "shadowed",
                Why::Untrusted { .. } => "untrusted",
                Why::ThemeOnly => "theme-only",
            }
            .to_owned(),
            note: Some(skipped.why.to_string()),
            ..finding(&skipped.name, skipped.scope, skipped.dir.display())
        });
    }
    let errors: Vec<_> = found
        .errors
        .iter()
        .map(|error| Broken {
            dir: error.dir.display().to_string(),
            message: error.message.clone(),
        })
        .collect();
    Diagnosis {
        ok: errors.is_empty() && extensions.iter().all(is_well),
        extensions,
        errors,
    }
}

/// Everything that is not simply fine or left out on purpose is wrong.
fn is_well(finding: &Finding) -> bool {
    matches!(
        finding.status.as_str(),
        "ok" | "auto-ready" | "disabled" | "shadowed" | "untrusted" | "theme-only"
    ) && finding.warnings.is_empty()
        && finding.shadowed.is_empty()
}

fn finding(name: &str, scope: Scope, dir: impl std::fmt::Display) -> Finding {
    Finding {
        name: name.to_owned(),
        scope: scope.to_string(),
        status: String::new(),
        dir: dir.to_string(),
        version: String::new(),
        protocol_version: None,
        exec: String::new(),
        permissions: String::new(),
        tools: Vec::new(),
        commands: Vec::new(),
        shadowed: Vec::new(),
        warnings: Vec::new(),
        error: None,
        note: None,
        log: None,
    }
}

fn started(candidate: &Candidate, report: Option<&GuestReport>) -> Finding {
    let manifest = &candidate.manifest;
    let mut finding = Finding {
        version: manifest.version.clone(),
        exec: std::iter::once(&manifest.exec)
            .chain(&manifest.args)
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join(" "),
        permissions: "unrestricted".to_owned(),
        ..finding(candidate.name(), candidate.scope, candidate.dir.display())
    };
    let Some(report) = report else {
        "error".clone_into(&mut finding.status);
        finding.error = invite::impossible(candidate);
        return finding;
    };
    finding.protocol_version = report.greeting.as_ref().map(|g| g.protocol_version);
    finding.tools.clone_from(&report.tools);
    finding.commands.clone_from(&report.commands);
    let tools = report.shadowed_tools.iter().map(|row| ("tool", row));
    let commands = report.shadowed_commands.iter().map(|row| ("command", row));
    finding.shadowed = tools
        .chain(commands)
        .map(|(kind, (name, holder))| Shadowed {
            kind,
            name: name.clone(),
            holder: holder.clone(),
        })
        .collect();
    finding.warnings.clone_from(&report.diagnostics);
    if report.diagnostics_dropped > 0 {
        let more = format!("and {} more remarks", report.diagnostics_dropped);
        finding.warnings.push(more);
    }
    finding.log = report.log.as_ref().map(|log| log.display().to_string());
    let (status, error) = match &report.state {
        State::Ready("ready") if finding.warnings.is_empty() => ("ok", None),
        State::Ready("ready") => ("warning", None),
        State::Ready(how) => (*how, None),
        State::Starting | State::Stopped => ("not ready", None),
        State::Failed(why) | State::Gone(why) => ("error", Some(why.clone())),
    };
    status.clone_into(&mut finding.status);
    finding.error = error;
    finding
}

fn print(diagnosis: &Diagnosis, out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(out, "zeug extension doctor")?;
    for finding in &diagnosis.extensions {
        let Finding {
            name,
            scope,
            status,
            dir,
            ..
        } = finding;
        writeln!(out, "\n{name} [{scope}] {status} ({dir})")?;
        let protocol = finding.protocol_version.map(|v| v.to_string());
        let commands: Vec<_> = finding.commands.iter().map(|c| format!("/{c}")).collect();
        for (label, value) in [
            ("version", finding.version.as_str()),
            ("protocol", protocol.as_deref().unwrap_or_default()),
            ("exec", &finding.exec),
            ("permissions", &finding.permissions),
            ("tools", &finding.tools.join(", ")),
            ("commands", &commands.join(", ")),
            ("log", finding.log.as_deref().unwrap_or_default()),
            ("note", finding.note.as_deref().unwrap_or_default()),
            ("error", finding.error.as_deref().unwrap_or_default()),
        ] {
            if !value.is_empty() {
                let value = value.replace('\n', "\n    ");
                writeln!(out, "  {label}: {value}")?;
            }
        }
        for Shadowed { kind, name, holder } in &finding.shadowed {
            writeln!(out, "  {kind}: {name} (shadowed by {holder})")?;
        }
        for warning in &finding.warnings {
            writeln!(out, "  warning: {warning}")?;
        }
    }
    if diagnosis.extensions.is_empty() && diagnosis.errors.is_empty() {
        writeln!(out, "\nno extensions found")?;
    }
    if !diagnosis.errors.is_empty() {
        writeln!(out, "\nload errors:")?;
        for Broken { dir, message } in &diagnosis.errors {
            writeln!(out, "  ! {dir}: {message}")?;
        }
    }
    Ok(())
}
