//! Tools, commands and subscriptions. What is wrong is refused by itself; the rest works.

use std::sync::Arc;

use zeug_ext_protocol::register::{
    InterceptItem, Interception, OnFailure as WireOnFailure, RegisterCommand, RegisterTool,
    Subscribe,
};
use zeug_ext_protocol::{event, intercept, limits};
use zeug_hook::{Matcher, Meta, OnFailure};
use zeug_stdx::claims::Standing;
use zeug_stdx::json::RawJson;
use zeug_stdx::{suggest, text};
use zeug_tool::{Annotations, Exposure, Namespace, Source, Spec, valid_name};

use super::Desk;
use crate::News;
use crate::adapt::{Ear, RemoteTool};
use crate::commands::{BUILT_IN_COMMANDS, Command};
use crate::lifecycle::Lifecycle;

/// Names that tools of zeug have or will have; no extension may take them meanwhile.
const RESERVED_TOOLS: [&str; 4] = ["codemode", "plan", "skill", "task"];

const NAME_RULE: &str = "use letters, digits, '_' and '-', at most 64 bytes";

impl Desk<'_> {
    fn too_many(&self, what: &str) {
        let limit = zeug_ext_protocol::limits::REGISTRATIONS;
        self.guest.diagnose(format!(
            "{what} refused: an extension may have {limit} registrations of a kind"
        ));
    }

    pub(super) async fn register_tool(&self, tool: RegisterTool, life: &Lifecycle) {
        let name = tool.name.clone();
        match self.tool_spec(tool) {
            Err(why) => self.guest.diagnose(format!("tool {name:?} refused: {why}")),
            Ok(_) if !self.guest.about().held.tools.has_room_for(&name) => {
                self.too_many(&format!("tool {name}"));
            }
            Ok(spec) => {
                let proxy = RemoteTool {
                    spec,
                    extension: self.guest.name().to_owned(),
                    link: Arc::clone(self.link),
                    reply: self.shared.limits.tool_reply,
                };
                let (owner, order) = (self.guest.name(), self.guest.order);
                match self.shared.table.register(owner, order, Arc::new(proxy)) {
                    Err(bad) => self.guest.diagnose(format!("tool {name:?} refused: {bad}")),
                    Ok(standing) => {
                        self.guest.about().held.tools.insert(name.clone());
                        self.settle("tool", &name, standing, life).await;
                    }
                }
            }
        }
    }

    fn tool_spec(&self, tool: RegisterTool) -> Result<Spec, String> {
        if !valid_name(&tool.name) {
            return Err(format!("not a usable name: {NAME_RULE}"));
        }
        if RESERVED_TOOLS.contains(&tool.name.as_str()) {
            return Err("the name is reserved by zeug: choose another".to_owned());
        }
        let exposure = match tool.exposure.as_deref() {
            None if tool.deferred => Exposure::Deferred,
            None | Some("direct") => Exposure::Direct,
            Some("codemode") => Exposure::Codemode,
            Some("deferred") => Exposure::Deferred,
            Some("model-only") => Exposure::ModelOnly,
            Some(other) => {
                return Err(format!(
                    "unknown exposure {other:?}: use direct, codemode, deferred or model-only"
                ));
            }
        };
        let annotations = tool.annotations.unwrap_or_default();
        Ok(Spec {
            name: tool.name,
            description: tool.description,
            schema: match tool.schema {
                Some(schema) if !schema.is_null() => schema,
                _ => RawJson::from_value(&serde_json::json!({ "type": "object" })),
            },
            source: Source::Extension(self.guest.name().to_owned()),
            annotations: Annotations {
                read_only: annotations.read_only,
                destructive: annotations.destructive,
                idempotent: annotations.idempotent,
            },
            interactive: tool.interactive,
            concurrent: false,
            exposure,
            output_schema: tool.output_schema,
            namespace: Namespace {
                name: named(tool.namespace).unwrap_or_else(|| self.guest.name().to_owned()),
                description: tool.namespace_description.unwrap_or_default(),
                instructions: tool.namespace_instructions.unwrap_or_default(),
            },
        })
    }

    pub(super) async fn register_command(&self, command: RegisterCommand, life: &Lifecycle) {
        let name = command.name;
        if !valid_name(&name) {
            return self
                .guest
                .diagnose(format!("command {name:?} refused: no slash; {NAME_RULE}"));
        }
        if BUILT_IN_COMMANDS.contains(&name.to_lowercase().as_str()) {
            return self
                .conflict("command", &format!("/{name}"), self.guest.name(), "zeug")
                .await;
        }
        let key = name.to_lowercase();
        if !self.guest.about().held.commands.has_room_for(&key) {
            return self.too_many(&format!("command /{name}"));
        }
        self.guest.about().held.commands.insert(key);
        let entry = Command {
            name: name.clone(),
            description: command.description,
            link: Arc::clone(self.link),
        };
        let (owner, order) = (self.guest.name(), self.guest.order);
        let standing = self.shared.commands.register(owner, order, entry);
        self.settle("command", &format!("/{name}"), standing, life)
            .await;
    }

    pub(super) async fn unregister_tool(&self, name: &str) {
        if self.shared.table.unregister(self.guest.name(), name) {
            self.guest.about().held.tools.remove(name);
            self.registered().await;
        } else {
            self.guest.diagnose(format!(
                "unregister_tool: no tool {name:?} of this extension"
            ));
        }
    }

    pub(super) async fn unregister_command(&self, name: &str) {
        if self.shared.commands.unregister(self.guest.name(), name) {
            self.guest
                .about()
                .held
                .commands
                .remove(&name.to_lowercase());
            self.registered().await;
        } else {
            self.guest.diagnose(format!(
                "unregister_command: no command {name:?} of this extension"
            ));
        }
    }

    /// What follows from where a new registration stands.
    async fn settle(&self, what: &str, name: &str, standing: Standing, life: &Lifecycle) {
        match standing {
            Standing::Shadowed { by } => self.conflict(what, name, self.guest.name(), &by).await,
            Standing::Holds {
                beaten: Some(loser),
            } => {
                self.conflict(what, name, &loser, self.guest.name()).await;
            }
            Standing::Holds { beaten: None } => {}
        }
        if life.is_ready() {
            self.registered().await;
        }
    }

    async fn registered(&self) {
        self.shared
            .announce(News::Registered {
                extension: self.guest.name().to_owned(),
            })
            .await;
    }

    async fn conflict(&self, what: &str, name: &str, loser: &str, winner: &str) {
        let text = format!("{what} {name} of {loser} is shadowed: {winner} holds the name");
        // In the loser's own log, whichever of the two came first; the user is told once.
        if let Some(loser) = self.shared.guests().iter().find(|g| g.name() == loser) {
            loser.diagnose(text.clone());
        }
        self.shared
            .announce(News::Remark {
                extension: loser.to_owned(),
                message: text,
            })
            .await;
    }

    pub(super) fn subscribe(&self, subscribe: Subscribe) {
        for name in subscribe.events {
            match event::NAMES.iter().find(|known| **known == name) {
                Some(known) => self.shared.subscribers.join(known, self.guest, self.link),
                None => self.unknown("event", &name, &event::NAMES),
            }
        }
        for item in subscribe.intercept {
            match item {
                InterceptItem::Name(name) => self.intercept(Interception {
                    name,
                    ..Interception::default()
                }),
                InterceptItem::Detailed(interception) => self.intercept(interception),
                InterceptItem::Odd(value) => self.guest.diagnose(format!(
                    "interception {value} refused: write \"tool_call\" or {{\"name\":\"tool_call\",\"match\":[…],\"on_failure\":\"block\"}}"
                )),
            }
        }
        if !subscribe.on.is_empty() {
            self.guest
                .diagnose("subscribe.on is not understood by this version: use subscribe.events");
        }
    }

    fn unknown(&self, what: &str, name: &str, known: &[&str]) {
        // The time that comparing takes grows with the length.
        let comparable = name.len() <= zeug_ext_protocol::limits::NAME_BYTES;
        let near = comparable.then(|| suggest::nearest(name, known.iter().copied()));
        let hint = match near.flatten() {
            Some(near) => format!("did you mean {near:?}?"),
            None => format!("known are {}", known.join(", ")),
        };
        self.guest.diagnose(format!(
            "unknown {what} {name:?} in subscribe refused: {hint}"
        ));
    }

    fn intercept(&self, wish: Interception) {
        let board = &self.shared.board;
        let known = intercept::NAMES.contains(&wish.name.as_str());
        if !known {
            return self.unknown("interception", &wish.name, &intercept::NAMES);
        }
        if !self.guest.about().held.intercept(wish.id.clone()) {
            return self.too_many(&format!("interception {}", wish.name));
        }
        if !wish.matches.is_empty() && wish.name != "tool_call" {
            self.guest.diagnose(format!(
                "match of {} ignored: only tool_call has something to compare with",
                wish.name
            ));
        }
        let unstoppable = wish.name == "before_agent_start";
        if unstoppable && wish.on_failure != WireOnFailure::Allow {
            self.guest.diagnose(
                "on_failure of before_agent_start ignored: it cannot refuse, a failure keeps the prompt",
            );
        }
        let on_failure = match wish.on_failure {
            _ if unstoppable => OnFailure::Allow,
            WireOnFailure::Allow => OnFailure::Allow,
            WireOnFailure::Block => OnFailure::Block,
            WireOnFailure::Ask => OnFailure::Ask,
        };
        let ear = Arc::new(Ear {
            meta: Meta {
                extension: self.guest.name().to_owned(),
                order: self.guest.order,
                priority: wish.priority,
                seq: self.shared.next_subscription(),
                id: wish.id,
                matcher: Matcher::any_of(wish.matches),
                on_failure: match self.guest.invite.on_failure {
                    Some(users) if !unstoppable => users,
                    _ => on_failure,
                },
            },
            guest: Arc::clone(self.guest),
            link: Arc::clone(self.link),
            deadline: self.shared.limits.intercept,
        });
        match wish.name.as_str() {
            "tool_call" => board.tool_call.join(ear),
            "turn_start" => board.turn_start.join(ear),
            "assistant_message" => board.assistant_message.join(ear),
            _ => board.before_agent_start.join(ear),
        }
    }

    pub(super) fn unsubscribe(&self, id: &str) {
        let extension = self.guest.name();
        self.guest.about().held.unsubscribe(id);
        self.shared
            .board
            .leave(|meta| meta.extension == extension && meta.id.as_deref() == Some(id));
    }
}

/// A name that says something, on one line.
fn named(name: Option<String>) -> Option<String> {
    let name = text::one_line(name?.trim(), limits::NAME_BYTES);
    (!name.is_empty()).then_some(name)
}
