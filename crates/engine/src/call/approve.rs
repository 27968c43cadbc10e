//! Whether a call may run: by policy, by an earlier answer, or by asking a person.
//!
//! Does not know how a person is asked.

use std::panic::AssertUnwindSafe;

use futures::FutureExt;
use zeug_hook::{Observation, PermissionSource};
use zeug_stdx::json::RawJson;
use zeug_stdx::{reply, text};
use zeug_tool::{Call, Context, Entry, Origin, Source, Spec};
use zeug_transcript::{Outcome, Status};

use super::{Open, given_up};
use crate::cancel::{Cancelled, unless};
use crate::{Approval, Ask, Consent, Ruling, Setup};

/// The most bytes of a preview in one line (spec: 120).
const SUMMARY_BYTES: usize = 120;
/// The argument that says most about a call, in this order.
const TELLING: [&str; 6] = ["command", "path", "file_path", "url", "query", "name"];

/// What is permitted, and what was answered before.
#[derive(Debug)]
pub(crate) struct Policy {
    approval: Approval,
    pub(crate) can_ask: bool,
    pub(crate) can_interact: bool,
    /// "Always".
    everything: bool,
    /// "Always this tool": its name and its owner, for another tool may take the name.
    tools: Vec<(String, Source)>,
}

/// What the policy says about one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Granted(PermissionSource),
    AskPerson,
    NobodyToAsk,
}

impl Policy {
    pub(crate) fn new(setup: &Setup) -> Self {
        Self {
            approval: setup.approval,
            can_ask: setup.can_ask,
            can_interact: setup.can_interact,
            everything: false,
            tools: Vec::new(),
        }
    }

    pub(crate) fn set_approval(&mut self, approval: Approval) {
        self.approval = approval;
        self.everything = false;
        self.tools.clear();
    }

    fn remembers(&self, spec: &Spec) -> bool {
        let same = |(name, source): &(String, Source)| *name == spec.name && *source == spec.source;
        self.everything || self.tools.iter().any(same)
    }

    /// `doubt`: a guard was silent and wants a person to decide. Neither the policy nor an earlier
    /// answer can do that in the person's place.
    fn way(&self, spec: &Spec, doubt: bool, can_ask: bool) -> Way {
        // What an extension says about its own tool is no reason to skip a question.
        let harmless = spec.source == Source::BuiltIn && spec.annotations.read_only;
        match self.approval {
            _ if doubt => {}
            Approval::Never => return Way::Granted(PermissionSource::Yolo),
            Approval::Writes if harmless => return Way::Granted(PermissionSource::Policy),
            Approval::Writes | Approval::Always if self.remembers(spec) => {
                return Way::Granted(PermissionSource::Remembered);
            }
            Approval::Writes | Approval::Always => {}
        }
        if can_ask {
            Way::AskPerson
        } else {
            Way::NobodyToAsk
        }
    }

    fn remember(&mut self, consent: Consent, spec: &Spec) {
        match consent {
            Consent::Tool if !self.remembers(spec) => {
                self.tools.push((spec.name.clone(), spec.source.clone()));
            }
            Consent::Session => self.everything = true,
            Consent::Tool | Consent::Once | Consent::No => {}
        }
    }
}

/// Settles whether the call may run, and announces that. An `Err` is how the call settles instead.
pub(super) async fn permit(
    open: &mut Open,
    entry: &Entry,
    call: &Call,
    cx: &Context,
    can_ask: bool,
    doubt: Option<String>,
) -> Result<(), Outcome> {
    let spec = entry.tool.spec();
    // What the user typed is permitted by that, unless somebody made something else of it.
    let typed = open.origin == Origin::Typed && open.rewritten_by.is_none() && doubt.is_none();
    let way = match typed {
        true => Way::Granted(PermissionSource::User),
        false => open
            .shared
            .with_policy(|p| p.way(spec, doubt.is_some(), can_ask)),
    };
    match way {
        Way::Granted(source) => {
            open.rule(granted(source)).await;
            Ok(())
        }
        Way::NobodyToAsk => {
            let reason = match doubt {
                Some(doubt) => {
                    format!("{doubt}; a person must decide, and nobody can be asked in this run")
                }
                None => format!(
                    "{} needs approval, and nobody can be asked in this run: start zeug with \
                     --approve never (or --yolo) to run tools without asking",
                    spec.name
                ),
            };
            Err(refuse(open, PermissionSource::Policy, reason).await)
        }
        Way::AskPerson => {
            let consent = ask_person(open, entry, call, cx, doubt).await?;
            open.shared.with_policy(|p| p.remember(consent, spec));
            Ok(())
        }
    }
}

async fn ask_person(
    open: &mut Open,
    entry: &Entry,
    call: &Call,
    cx: &Context,
    doubt: Option<String>,
) -> Result<Consent, Outcome> {
    let preview = match preview(entry, call, cx).await? {
        Ok(preview) => preview,
        Err(reason) => return Err(refuse(open, PermissionSource::Policy, reason).await),
    };
    let summary = summary(preview.as_deref(), &call.args);
    open.shared
        .herald
        .announce(&Observation::ToolConfirmationRequested {
            call_id: call.id.clone(),
            tool: call.name.clone(),
            preview: summary.clone(),
            origin_extension: open.origin.extension().map(str::to_owned),
        });
    let (reply, answer) = reply::channel(Consent::No);
    let question = Ask::Approve {
        call_id: call.id.clone(),
        name: call.name.clone(),
        source: entry.tool.spec().source.clone(),
        origin: open.origin.clone(),
        agent: open.shared.herald.agent().map(|a| a.as_ref().clone()),
        summary,
        preview,
        reason: doubt,
        reply,
    };
    let asks = open.shared.asks.clone();
    // Without a deadline: a person may take any time, and the turn can be given up.
    let answered = unless(&cx.cancel, async {
        match asks.send(question).await {
            Ok(()) => answer.wait().await,
            Err(_) => None,
        }
    });
    let answered = answered.await;
    resolve(open, answered).await
}

/// Announces what an answer, or the lack of one, means.
async fn resolve(
    open: &mut Open,
    answered: Result<Option<Consent>, Cancelled>,
) -> Result<Consent, Outcome> {
    match answered {
        Err(Cancelled) => {
            open.rule(Ruling {
                decision: "cancelled",
                source: PermissionSource::User,
                reason: Some("turn cancelled".to_owned()),
            })
            .await;
            Err(given_up())
        }
        Ok(None) => {
            let reason = "the face that could have asked is gone".to_owned();
            Err(refuse(open, PermissionSource::Policy, reason).await)
        }
        Ok(Some(Consent::No)) => {
            let reason = "user declined".to_owned();
            Err(refuse(open, PermissionSource::User, reason).await)
        }
        Ok(Some(consent)) => {
            open.rule(granted(PermissionSource::User)).await;
            Ok(consent)
        }
    }
}

/// What the call would do; the inner `Err` refuses it.
async fn preview(
    entry: &Entry,
    call: &Call,
    cx: &Context,
) -> Result<Result<Option<String>, String>, Outcome> {
    let work = AssertUnwindSafe(entry.tool.preview(call, cx)).catch_unwind();
    let shown = unless(&cx.cancel, work).await.map_err(|_| given_up())?;
    Ok(shown.unwrap_or_else(|_| {
        Err(format!(
            "{} broke off while it prepared its preview",
            call.name
        ))
    }))
}

fn granted(source: PermissionSource) -> Ruling {
    Ruling {
        decision: "approved",
        source,
        reason: None,
    }
}

async fn refuse(open: &mut Open, source: PermissionSource, reason: String) -> Outcome {
    open.rule(Ruling {
        decision: "denied",
        source,
        reason: Some(reason.clone()),
    })
    .await;
    Outcome::text(Status::Blocked, reason)
}

/// One line about a call: the start of its preview, or its most telling argument.
fn summary(preview: Option<&str>, args: &RawJson) -> String {
    let tree = args.to_value();
    let telling = || {
        let texts = TELLING.iter().filter_map(|key| tree.get(key)?.as_str());
        texts.map(str::to_owned).next()
    };
    let line = match preview {
        Some(preview) => preview.to_owned(),
        None => telling().unwrap_or_else(|| args.get().to_owned()),
    };
    if line.len() <= SUMMARY_BYTES {
        text::one_line(&line, SUMMARY_BYTES)
    } else {
        // Leaves room for the ellipsis.
        text::one_line(&line, SUMMARY_BYTES - '…'.len_utf8())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Approval::{Always, Never, Writes};
    use PermissionSource::{Policy as ByPolicy, Remembered, Yolo};
    use Way::{AskPerson, Granted, NobodyToAsk};

    fn spec(name: &str, read_only: bool, extension: Option<&str>) -> Spec {
        let mut spec = Spec::built_in(name, "", RawJson::empty_object());
        spec.annotations.read_only = read_only;
        if let Some(extension) = extension {
            spec.source = Source::Extension(extension.to_owned());
        }
        spec
    }

    fn policy(approval: Approval) -> Policy {
        Policy {
            approval,
            can_ask: true,
            can_interact: true,
            everything: false,
            tools: Vec::new(),
        }
    }

    #[test]
    fn who_must_be_asked() {
        let read = spec("read", true, None);
        let bash = spec("bash", false, None);
        let theirs = spec("peek", true, Some("x"));
        for (approval, spec, doubt, expect) in [
            (Never, &bash, false, Granted(Yolo)),
            (Never, &bash, true, AskPerson),
            (Writes, &read, false, Granted(ByPolicy)),
            (Writes, &read, true, AskPerson),
            (Writes, &bash, false, AskPerson),
            (Writes, &theirs, false, AskPerson),
            (Always, &read, false, AskPerson),
            (Always, &theirs, false, AskPerson),
        ] {
            let policy = policy(approval);
            let case = format!("{approval:?} {} doubt {doubt}", spec.name);
            assert_eq!(policy.way(spec, doubt, true), expect, "{case}");
            let alone = match expect {
                AskPerson => NobodyToAsk,
                other => other,
            };
            assert_eq!(policy.way(spec, doubt, false), alone, "{case}");
        }
    }

    #[test]
    fn what_was_answered_is_remembered_for_that_tool_of_that_owner() {
        let bash = spec("bash", false, None);
        let impostor = spec("bash", false, Some("x"));
        let mut policy = policy(Always);
        policy.remember(Consent::Once, &bash);
        assert_eq!(policy.way(&bash, false, true), AskPerson);
        policy.remember(Consent::Tool, &bash);
        assert_eq!(policy.way(&bash, false, false), Granted(Remembered));
        assert_eq!(policy.way(&bash, true, true), AskPerson, "doubt is new");
        assert_eq!(policy.way(&impostor, false, true), AskPerson);
        policy.remember(Consent::Session, &bash);
        assert_eq!(policy.way(&impostor, false, true), Granted(Remembered));
        policy.set_approval(Always);
        assert_eq!(policy.way(&bash, false, true), AskPerson);
    }

    #[test]
    fn a_summary_is_one_short_line() {
        let check = |preview: Option<&str>, args: &str, expect: &str| {
            let args = RawJson::parse(args).unwrap();
            assert_eq!(summary(preview, &args), expect);
        };
        check(Some("- a\n+ b"), "{}", "- a + b");
        check(None, r#"{"name":"n","command":"ls\n-l"}"#, "ls -l");
        check(None, r#"{"count":3}"#, r#"{"count":3}"#);
        let long = summary(Some(&"é".repeat(100)), &RawJson::empty_object());
        assert!(long.len() <= SUMMARY_BYTES && long.ends_with('…'), "{long}");
    }
}
