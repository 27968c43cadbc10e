//! What came of effects.

use zeug_app::{Branch, Listing, ModelFacts, Reloaded, TreeNode};
use zeug_rpc_protocol::NoteLevel;
use zeug_stdx::text;

use super::{Facts, Model};
use crate::layer::{Choice, Layer, Picker, Row, Sheet};
use crate::word::{Answer, Effect};

/// The most bytes of a label.
const LABEL: usize = 256;

impl Model {
    pub(super) fn answer(&mut self, answer: Answer) {
        self.touch();
        match answer {
            Answer::Ready => {
                self.is_ready = true;
                self.effects.push(Effect::Commands);
                self.go_on();
            }
            Answer::Prompted(Ok(id)) => {
                self.queue.prompted(Some(id));
                self.go_on();
            }
            Answer::Prompted(Err(why)) => {
                self.queue.prompted(None);
                self.wrong(why);
                self.go_on();
            }
            Answer::Slashed { by, line, result } => self.slashed(&by, &line, result),
            Answer::Reloaded(result) => self.reloaded(result),
            Answer::Conversation(state, messages) => {
                self.facts = Facts::from(*state);
                self.chat.clear();
                self.chat.replay(&messages);
            }
            Answer::State(state) => self.facts = Facts::from(*state),
            Answer::Commands(commands) => {
                self.commands = commands;
                self.refresh_pop_up();
            }
            Answer::Files(files) => {
                self.files = Some(files);
                self.refresh_pop_up();
            }
            Answer::Models(models) => self.pick_model(models),
            Answer::Sessions(listing) => self.pick_session(listing),
            Answer::Branches(branches) => self.pick_branch(branches),
            Answer::Tree(nodes) => self.pick_message(nodes),
            Answer::Forked(Ok(said)) => {
                if let Some(said) = said {
                    self.editor.set(&said);
                }
            }
            Answer::Forked(Err(why)) => self.wrong(why),
            Answer::Text { title, text } => {
                self.layers.push(Layer::Sheet(Sheet::new(title, text)));
            }
            Answer::Image(_, Ok(image)) => {
                if !self.editor.attach(image) {
                    self.wrong("too many images and pastes: send these first".to_owned());
                }
            }
            Answer::Image(path, Err(why)) => {
                self.editor.paste(&path.display().to_string());
                self.wrong(why);
            }
        }
    }

    /// Says what did not work.
    pub(super) fn wrong(&mut self, why: String) {
        self.notes.push(NoteLevel::Error, None, why);
    }

    fn reloaded(&mut self, result: Result<Reloaded, String>) {
        self.jobs.retain(|job| job != "extensions are started anew");
        match result {
            Err(why) => self.wrong(why),
            Ok(reloaded) => {
                let mended = std::mem::take(&mut self.mending);
                if reloaded.errors.is_empty() {
                    self.chat.mended(mended);
                    self.notes
                        .push(NoteLevel::Success, None, reloaded.to_string());
                } else {
                    let text = reloaded.to_string();
                    self.chat.failed("reload".to_owned(), text);
                }
            }
        }
    }

    fn pick(&mut self, picker: Picker) {
        self.layers.push(Layer::Picker(picker));
    }

    fn pick_model(&mut self, models: Vec<ModelFacts>) {
        if models.is_empty() {
            let provider = &self.facts.provider;
            let why = format!("{provider} lists no models; /model NAME asks for one outright");
            return self.wrong(why);
        }
        let row = |model: ModelFacts| {
            let window = model
                .context_window
                .map(|tokens| format!("{} k", tokens / 1000));
            let detail: Vec<String> = model.label.into_iter().chain(window).collect();
            Row {
                label: text::one_line(&model.name, LABEL),
                detail: text::one_line(&detail.join(", "), LABEL),
                choice: Choice::Line(format!("/model {}", model.name)),
            }
        };
        let current = self.facts.model.clone();
        let title = format!("Models of {}", self.facts.provider);
        let picker = Picker::new(title, models.into_iter().map(row).collect());
        self.pick(picker.marking(|row| row.label == current));
    }

    fn pick_session(&mut self, listing: Result<Listing, String>) {
        let listing = match listing {
            Ok(listing) => listing,
            Err(why) => return self.wrong(why),
        };
        let rows = listing.sessions.iter().map(|session| Row {
            label: text::one_line(&text::plain(session.label()), LABEL),
            detail: format!(
                "{}, {} messages, {}",
                session.last_activity.strftime("%Y-%m-%d %H:%M"),
                session.messages,
                session.id.short()
            ),
            choice: Choice::Line(format!("/sessions {}", session.id)),
        });
        let rows: Vec<Row> = rows.collect();
        self.pick(Picker::new("Sessions of this project", rows));
    }

    fn pick_branch(&mut self, branches: Result<Vec<Branch>, String>) {
        let branches = match branches {
            Ok(branches) => branches,
            Err(why) => return self.wrong(why),
        };
        let active = branches.iter().position(|branch| branch.active);
        let row = |branch: &Branch| Row {
            label: text::one_line(branch.name.as_deref().unwrap_or("(no name)"), LABEL),
            detail: format!(
                "{} messages, {}{}",
                branch.messages,
                branch.id,
                if branch.active { ", open" } else { "" }
            ),
            choice: Choice::Line(format!("/tree {}", branch.id)),
        };
        let rows: Vec<Row> = branches.iter().map(row).collect();
        let mut picker = Picker::new("Branches of this session", rows);
        picker.at = active.unwrap_or(0);
        self.pick(picker);
    }

    fn pick_message(&mut self, nodes: Result<Vec<TreeNode>, String>) {
        let nodes = match nodes {
            Ok(nodes) => nodes,
            Err(why) => return self.wrong(why),
        };
        let row = |node: &TreeNode| Row {
            label: text::one_line(&text::plain(&node.text), LABEL),
            detail: format!(
                "{}{}",
                node.time.strftime("%H:%M"),
                if node.node.active {
                    ""
                } else {
                    ", another branch"
                }
            ),
            choice: Choice::Fork(node.node.entry.to_string()),
        };
        let rows: Vec<Row> = nodes.iter().map(row).collect();
        let mut picker = Picker::new("Begin a branch before", rows);
        picker.move_by(isize::MAX);
        self.pick(picker);
    }
}
