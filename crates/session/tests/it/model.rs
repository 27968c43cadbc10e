//! Random operations against a model so simple that it is seen to be right.
//!
//! The model keeps for each branch the whole list of what happened on it; a fork copies the list.

use std::collections::BTreeMap;

use proptest::prelude::*;
use zeug_session::{ActivatedTools, Body, BranchId, EntryId, ForkAt, Journal, View};

use crate::support::{Cut, Desk, assert_paired, assistant, result, shorts, state, user};

#[derive(Debug, Clone)]
enum Step {
    User,
    Calls(u8),
    Result(u8),
    State(u8, Option<u8>),
    Activate(u8),
    Clear,
    Compact(u8),
    Rename,
    Fork { at: u8, before: bool },
    Switch(u8),
    Late(u8),
    Commit,
    Reopen,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => Just(Step::User),
        3 => (0..3u8).prop_map(Step::Calls),
        4 => (0..4u8).prop_map(Step::Result),
        3 => (0..2u8, proptest::option::of(any::<u8>())).prop_map(|(e, s)| Step::State(e, s)),
        1 => (0..4u8).prop_map(Step::Activate),
        1 => Just(Step::Clear),
        2 => (0..5u8).prop_map(Step::Compact),
        1 => Just(Step::Rename),
        2 => (any::<u8>(), any::<bool>()).prop_map(|(at, before)| Step::Fork { at, before }),
        2 => any::<u8>().prop_map(Step::Switch),
        2 => any::<u8>().prop_map(Step::Late),
        1 => Just(Step::Commit),
        1 => Just(Step::Reopen),
    ]
}

/// What happened on a branch, and the entry that records it.
#[derive(Debug, Clone)]
enum Fact {
    Said(String),
    State(String, Option<u8>),
    Activated(String),
    Clear,
    Compacted {
        summary: String,
        kept: Option<EntryId>,
    },
}

#[derive(Debug, Default)]
struct Model {
    branches: BTreeMap<BranchId, Vec<(EntryId, Fact)>>,
}

/// What holds after some facts.
#[derive(Debug, Default, PartialEq, Eq)]
struct Expected {
    told: Vec<String>,
    states: BTreeMap<String, String>,
    tools: Vec<String>,
}

fn expected(facts: &[(EntryId, Fact)]) -> Expected {
    let mut seen: Vec<(Option<EntryId>, String)> = Vec::new();
    let mut all = Expected::default();
    for (id, fact) in facts {
        match fact {
            Fact::Said(text) => seen.push((Some(*id), text.clone())),
            Fact::State(extension, None) => {
                all.states.remove(extension);
            }
            Fact::State(extension, Some(value)) => {
                all.states.insert(extension.clone(), value.to_string());
            }
            Fact::Activated(tool) => {
                if !all.tools.contains(tool) {
                    all.tools.push(tool.clone());
                }
            }
            Fact::Clear => seen.clear(),
            Fact::Compacted { summary, kept } => {
                let from = kept.map_or(seen.len(), |kept| {
                    seen.iter().position(|(id, _)| *id == Some(kept)).unwrap()
                });
                seen.splice(..from, [(None, summary.clone())]);
            }
        }
    }
    all.told = paired(seen.into_iter().map(|(_, text)| text).collect());
    all
}

/// The rule once more, on the short forms: results right behind their calls, one for each.
fn paired(said: Vec<String>) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut rest = said.into_iter().peekable();
    while let Some(text) = rest.next() {
        let mut results = Vec::new();
        while let Some(result) = rest.next_if(|text| text.starts_with("t:")) {
            results.push(result);
        }
        if text.starts_with("t:") {
            continue;
        }
        let calls: Vec<String> = match text.starts_with("a:") {
            true => text.split('+').skip(1).map(str::to_owned).collect(),
            false => Vec::new(),
        };
        out.push(text);
        out.extend(calls.into_iter().map(|call| {
            let start = format!("t:{call}:");
            let known = results.iter().find(|result| result.starts_with(&start));
            known.cloned().unwrap_or(format!("t:{call}:lost"))
        }));
    }
    out
}

struct Play {
    desk: Desk,
    journal: Option<Journal>,
    model: Model,
    active: BranchId,
    count: usize,
    title: Option<String>,
}

impl Play {
    fn new() -> Self {
        let desk = Desk::new();
        let journal = desk.create();
        let active = journal.view().active().unwrap();
        let model = Model {
            branches: BTreeMap::from([(active, Vec::new())]),
        };
        Self {
            desk,
            journal: Some(journal),
            model,
            active,
            count: 0,
            title: None,
        }
    }

    fn journal(&mut self) -> &mut Journal {
        self.journal.as_mut().unwrap()
    }

    fn view(&self) -> &View {
        self.journal.as_ref().unwrap().view()
    }

    fn add(&mut self, body: Body, fact: Fact) {
        let id = self.journal().append(body).unwrap();
        self.facts(self.active).push((id, fact));
    }

    fn facts(&mut self, branch: BranchId) -> &mut Vec<(EntryId, Fact)> {
        self.model.branches.get_mut(&branch).unwrap()
    }

    fn pick(&self, number: u8) -> BranchId {
        let all: Vec<BranchId> = self.model.branches.keys().copied().collect();
        all[usize::from(number) % all.len()]
    }

    fn step(&mut self, step: &Step) {
        self.count += 1;
        let n = self.count;
        match step {
            Step::User => self.add(user(&n.to_string()), Fact::Said(format!("u:{n}"))),
            Step::Calls(calls) => {
                let ids: Vec<String> = (0..*calls).map(|c| format!("c{c}")).collect();
                let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
                let said = ids
                    .iter()
                    .fold(format!("a:{n}"), |all, id| format!("{all}+{id}"));
                self.add(assistant(&n.to_string(), &ids), Fact::Said(said));
            }
            Step::Result(call) => {
                let call = format!("c{call}");
                let said = Fact::Said(format!("t:{call}:{n}"));
                self.add(result(&call, &n.to_string()), said);
            }
            Step::State(extension, value) => {
                let extension = format!("e{extension}");
                let json = value.map_or("null".into(), |v| v.to_string());
                self.add(
                    state(&extension, &json),
                    Fact::State(extension.clone(), *value),
                );
            }
            Step::Activate(tool) => {
                let tool = format!("tool{tool}");
                let tools = vec![tool.clone()];
                let body = Body::ActivatedTools(ActivatedTools { tools });
                self.add(body, Fact::Activated(tool));
            }
            Step::Clear => self.add(Body::Clear, Fact::Clear),
            Step::Compact(keep) => self.compact(usize::from(*keep)),
            Step::Rename => {
                self.title = Some(format!("title {n}"));
                self.journal().rename(format!("title {n}")).unwrap();
            }
            Step::Fork { at, before } => self.fork(*at, *before),
            Step::Switch(to) => {
                self.active = self.pick(*to);
                let active = self.active;
                self.journal().switch(active).unwrap();
            }
            Step::Late(to) => {
                let to = self.pick(*to);
                let id = self.journal().append_on(to, user(&n.to_string())).unwrap();
                self.facts(to).push((id, Fact::Said(format!("u:{n}"))));
            }
            Step::Commit => self.journal().commit().unwrap(),
            Step::Reopen => {
                self.journal = None;
                self.journal = Some(self.desk.open());
            }
        }
    }

    fn compact(&mut self, keep: usize) {
        let view = self.view();
        let context = view.context(view.tip().unwrap()).unwrap();
        let Some(cut) = Cut::of(&context, keep) else {
            return;
        };
        let compaction = cut.compaction(self.count.to_string());
        let summary = format!("u:{}", self.count);
        let kept = cut.first_kept;
        self.add(
            Body::Compaction(compaction),
            Fact::Compacted { summary, kept },
        );
    }

    /// Forks at a user message of the active branch, where results of calls play no part.
    fn fork(&mut self, at: u8, before: bool) {
        let facts = self.facts(self.active).clone();
        let users: Vec<usize> = facts
            .iter()
            .enumerate()
            .filter(|(_, (_, f))| matches!(f, Fact::Said(text) if text.starts_with("u:")))
            .map(|(place, _)| place)
            .collect();
        if users.is_empty() {
            return;
        }
        let place = users[usize::from(at) % users.len()];
        let id = facts[place].0;
        let (at, shared) = if before {
            (ForkAt::Before(id), place)
        } else {
            (ForkAt::After(id), place + 1)
        };
        self.active = self.journal().fork(at, None).unwrap();
        self.model
            .branches
            .insert(self.active, facts[..shared].to_vec());
    }

    fn check(&self, view: &View) {
        assert!(view.problems().is_empty(), "{:?}", view.problems());
        assert_eq!(view.active().unwrap(), self.active);
        assert_eq!(view.title(), self.title.as_deref());
        let branches = view.branches();
        assert_eq!(branches.len(), self.model.branches.len());
        for branch in branches {
            let context = view.context(branch.tip).unwrap();
            assert_paired(&context);
            assert!(context.problems.is_empty());
            let states = context.states.iter();
            let seen = Expected {
                told: shorts(&context),
                states: states.map(|(e, s)| (e.clone(), s.to_string())).collect(),
                tools: context.activated_tools.clone(),
            };
            assert_eq!(seen, expected(&self.model.branches[&branch.id]));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn a_session_is_what_the_model_says(steps in proptest::collection::vec(step(), 1..60)) {
        let mut play = Play::new();
        for step in &steps {
            play.step(step);
        }
        play.check(play.view());
        play.check(&View::open(&play.desk.path).unwrap());
    }
}
