//! What came of effects.

use zeug_app::{Branch, Listing, ModelFacts, Reloaded, Summary, TreeNode};
use zeug_rpc_protocol::NoteLevel;
use zeug_stdx::text;

use super::{Facts, Model};
use crate::layer::{Ask, Choice, Layer, Picker, Row, Sheet, Stance};
use crate::outside::Stranger;
use crate::word::{Answer, Effect};

/// The most bytes of a label.
const LABEL: usize = 256;
/// What is told while extensions are started anew.
pub(super) const RELOADING: &str = "extensions are started anew";

impl Model {
    pub(super) fn answer(&mut self, answer: Answer) {
        self.touch();
        match answer {
            Answer::Ready => {
                self.is_ready = true;
                self.effects.push(Effect::Commands);
                if self.look.resources {
                    self.effects.push(Effect::Resources);
                }
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
            Answer::Resources(text) => drop(self.chat.note(NoteLevel::Info, None, text)),
            Answer::Text { title, text } => {
                self.layers.push(Layer::Sheet(Sheet::new(title, text)));
            }
            Answer::Strangers(Ok(strangers)) => self.meet(strangers),
            Answer::Trusted(Ok(())) => self.reload(None),
            Answer::Strangers(Err(why)) | Answer::Trusted(Err(why)) => self.wrong(why),
            Answer::Pictures(id, pictures) => self.chat.pictures(id, pictures),
            Answer::Kept(Ok(())) => {}
            Answer::Kept(Err(why)) => self.wrong(why),
            Answer::Edited(Ok(text)) => self.editor.set_unfolded(&text),
            Answer::Edited(Err(why)) => self.wrong(why),
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

    /// Extensions of the project wait for trust.
    fn meet(&mut self, strangers: Vec<Stranger>) {
        if strangers.is_empty() {
            return;
        }
        let is_asked = |layer: &Layer| matches!(layer, Layer::Ask(_));
        self.layers.retain(|layer| !is_asked(layer));
        let no = 1;
        let stance = Stance::new(no, self.now, self.typed);
        // Below everything that is open: it has time.
        self.layers
            .insert(0, Layer::Ask(Ask::trust(strangers, stance)));
    }

    /// Extensions of the project are not trusted now.
    pub(super) fn left_out(&mut self, strangers: &[Stranger]) {
        for stranger in strangers {
            let text = format!(
                "not trusted, not started; /reload-ext asks again, `zeug ext trust {}` trusts it",
                stranger.dir.display()
            );
            let owner = Some(stranger.name.clone());
            self.chat.note(NoteLevel::Warn, owner, text);
        }
    }

    /// Says what did not work.
    pub(super) fn wrong(&mut self, why: String) {
        self.notes.push(NoteLevel::Error, None, why);
    }

    fn reloaded(&mut self, result: Result<Reloaded, String>) {
        self.jobs.retain(|job| job != RELOADING);
        self.effects.push(Effect::Commands);
        match result {
            Err(why) => self.wrong(why),
            Ok(reloaded) => {
                let mended = std::mem::take(&mut self.mending);
                if reloaded.errors.is_empty() {
                    self.chat.mended(mended);
                    self.notes
                        .push(NoteLevel::Success, None, reloaded.to_string());
                } else {
                    self.not_reloaded(&reloaded.errors);
                }
            }
        }
        if std::mem::take(&mut self.is_reload_wanted) {
            self.reload(None);
        }
    }

    /// Extensions that could not be started anew, each as `name: why`. Most were told already.
    fn not_reloaded(&mut self, errors: &[String]) {
        for error in errors {
            let (name, why) = error.split_once(": ").unwrap_or(("reload", error));
            self.chat.failed(name.to_owned(), why.to_owned());
        }
        let text = match errors.len() {
            1 => "1 extension was not started anew: it is as it was".to_owned(),
            many => format!("{many} extensions were not started anew: they are as they were"),
        };
        self.notes.push(NoteLevel::Error, None, text);
    }

    /// Extensions were started anew because their files changed.
    pub(super) fn refreshed(&mut self, extension: Option<&str>, summary: &str, errors: &[String]) {
        self.effects.push(Effect::Commands);
        if extension.is_none() {
            // Among those that are new may be some that nobody trusted.
            self.effects.push(Effect::Strangers);
        }
        if !errors.is_empty() {
            return self.not_reloaded(errors);
        }
        self.chat.mended_of(extension);
        let owner = extension.map(str::to_owned);
        self.notes
            .push(NoteLevel::Success, owner, summary.to_owned());
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
        let open = self
            .facts
            .session
            .as_ref()
            .map(|session| session.id.clone());
        let is_open = |session: &Summary| Some(session.id.to_string()) == open;
        // The open one, while nothing was said in it, is nothing to go on with.
        let others = listing.sessions.iter();
        let others = others.filter(|session| session.messages > 0 || !is_open(session));
        let rows = others.map(|session| Row {
            label: text::one_line(&text::plain(session.label()), LABEL),
            detail: format!(
                "{}, {} messages, {}{}",
                session.last_activity.strftime("%Y-%m-%d %H:%M"),
                session.messages,
                session.id.short(),
                if is_open(session) { ", open" } else { "" }
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
