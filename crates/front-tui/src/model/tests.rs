//! What happens goes in, what is to be done comes out.

use std::time::{Duration, Instant};

use crossterm::event::Event as TerminalEvent;
use zeug_app::{Consent, DoneOutcome, Key, Level, Notice, Prompt};
use zeug_rpc_protocol::{Block, Event};

use super::{Facts, LEAVING, Model};
use crate::kit::{Bench, id};
use crate::look::Look;
use crate::word::{Answer, By, Effect, Input};

fn prompt(text: &str) -> Effect {
    Effect::Prompt(Prompt::text(text))
}

fn todo(id: &str) -> (String, String) {
    ("todo".to_owned(), id.to_owned())
}

#[test]
fn one_prompt_is_out_at_a_time_and_the_next_follows_its_end() {
    let mut bench = Bench::new();
    assert_eq!(bench.press("one<enter>"), [prompt("one")]);
    assert_eq!(bench.press("two<enter>"), []);
    let id = id();
    bench.tell(Notice::Started(id));
    assert_eq!(bench.give(Input::Answer(Answer::Prompted(Ok(id)))), []);
    let effects = bench.tell(Notice::Ended(id, DoneOutcome::Finished));
    assert!(effects.contains(&prompt("two")), "{effects:?}");
}

#[test]
fn an_end_that_comes_before_its_id_is_known_counts() {
    let mut bench = Bench::new();
    bench.press("one<enter>two<enter>");
    let id = id();
    bench.tell(Notice::Started(id));
    bench.tell(Notice::Ended(id, DoneOutcome::Finished));
    let effects = bench.give(Input::Answer(Answer::Prompted(Ok(id))));
    assert_eq!(effects, [prompt("two")]);
}

#[test]
fn prompts_wait_until_extensions_are_ready() {
    let now = Instant::now();
    let model = Model::new(Look::default(), Facts::default(), (80, 24), now);
    let mut bench = Bench { model, now };
    assert_eq!(bench.press("one<enter>"), []);
    let effects = bench.give(Input::Answer(Answer::Ready));
    assert_eq!(effects, [Effect::Commands, prompt("one")]);
}

#[test]
fn up_takes_a_waiting_prompt_back_and_esc_all_of_them() {
    let mut bench = Bench::new();
    bench.press("one<enter>two<enter>three<enter><up>");
    assert_eq!(bench.model.editor.text(), "three");
    assert_eq!(bench.press("<esc>"), [Effect::Abort]);
    assert_eq!(bench.model.editor.text(), "two\n\nthree");
    assert_eq!(bench.press("<esc>"), [], "once is enough");
}

#[test]
fn esc_closes_one_thing_at_a_time_before_it_stops_the_prompt() {
    let mut bench = Bench::new();
    bench.press("one<enter>");
    bench.panel("p");
    bench.tell(Notice::Note {
        extension: "todo".to_owned(),
        level: Level::Info,
        text: "hi".to_owned(),
    });
    let (extension, id) = todo("p");
    assert_eq!(bench.press("<esc>"), [Effect::ClosePanel { extension, id }]);
    assert_eq!(bench.press("<esc>"), [], "the note");
    assert_eq!(bench.press("<esc>"), [Effect::Abort]);
}

#[test]
fn ctrl_c_twice_leaves_but_not_when_time_passes_between() {
    let mut bench = Bench::new();
    bench.press("text");
    assert_eq!(bench.press("<ctrl+c>"), []);
    assert!(bench.model.editor.is_empty());
    bench.wait(LEAVING);
    assert_eq!(bench.press("<ctrl+c>"), []);
    assert_eq!(
        bench.press("x<ctrl+c>"),
        [],
        "something else was typed between"
    );
    assert_eq!(bench.press("<ctrl+c>"), [Effect::Quit]);
}

#[test]
fn keys_typed_when_a_question_comes_up_are_no_answer() {
    let mut bench = Bench::new();
    bench.press("chapter ");
    bench.ask("c1");
    assert_eq!(bench.press("1y"), []);
    assert_eq!(bench.model.editor.text(), "chapter 1y");
    bench.wait(Duration::from_millis(501));
    let answer = Effect::Approve("c1".to_owned(), Consent::Once);
    assert_eq!(bench.press("1"), [answer]);
}

#[test]
fn questions_are_answered_one_by_one_and_those_decided_otherwise_go() {
    let mut bench = Bench::new();
    for id in ["c1", "c2", "c3"] {
        bench.ask(id);
    }
    let no = |id: &str| Effect::Approve(id.to_owned(), Consent::No);
    assert_eq!(bench.press("<esc>"), [no("c1")]);
    bench.tell(Notice::Event(Event::PermissionDecision {
        tool_id: "c2".to_owned(),
        tool_name: "bash".to_owned(),
        decision: zeug_rpc_protocol::Decision::Denied,
        source: zeug_rpc_protocol::DecisionSource::User,
        stage: zeug_rpc_protocol::DecisionStage::PreExecution,
        reason: None,
        origin_extension: None,
    }));
    let tool = Effect::Approve("c3".to_owned(), Consent::Tool);
    assert_eq!(bench.press("<down><enter>"), [tool]);
    assert!(bench.model.layers.is_empty());
}

#[test]
fn a_slash_writes_first_and_esc_returns_to_the_question() {
    let mut bench = Bench::new();
    bench.ask("c1");
    bench.press("/hello");
    assert_eq!(bench.model.editor.text(), "hello");
    assert_eq!(bench.press("<esc>1").len(), 1);
}

#[test]
fn who_writes_on_while_a_question_is_open_answers_nothing() {
    let mut bench = Bench::new();
    bench.ask("c1");
    assert_eq!(bench.press("yes, 1 and 2 not"), []);
    assert_eq!(bench.model.editor.text(), "yes, 1 and 2 not");
    bench.give(Input::Terminal(TerminalEvent::Paste(" pasted".to_owned())));
    assert_eq!(bench.press("<esc>"), []);
    assert_eq!(bench.model.editor.text(), "yes, 1 and 2 not pasted");
    let answer = Effect::Approve("c1".to_owned(), Consent::No);
    assert_eq!(bench.press("4"), [answer]);
}

#[test]
fn a_panel_lies_over_a_question_and_gets_the_keys() {
    let mut bench = Bench::new();
    bench.ask("c1");
    bench.panel("p");
    let (extension, id) = todo("p");
    let key = Key::rune('1');
    assert_eq!(bench.press("1"), [Effect::PanelKey { extension, id, key }]);
    let (extension, id) = todo("p");
    bench.tell(Notice::PanelClosed { extension, id });
    let answer = Effect::Approve("c1".to_owned(), Consent::Once);
    assert_eq!(bench.press("1"), [answer]);
}

#[test]
fn a_paste_into_a_panel_is_a_run_of_characters() {
    let mut bench = Bench::new();
    bench.panel("p");
    let paste = TerminalEvent::Paste("hé".to_owned());
    let keys: Vec<Key> = bench
        .give(Input::Terminal(paste))
        .into_iter()
        .filter_map(|effect| match effect {
            Effect::PanelKey { key, .. } => Some(key),
            _ => None,
        })
        .collect();
    assert_eq!(keys, [Key::rune('h'), Key::rune('é')]);
}

#[test]
fn commands_are_chosen_from_the_pop_up() {
    let mut bench = Bench::new();
    bench.press("/mod");
    let line = "/model ".to_owned();
    let by = By::User;
    assert_eq!(bench.press("<enter>"), [Effect::Slash { by, line }]);
    bench.press("/title");
    bench.press("<enter>");
    assert_eq!(bench.model.editor.text(), "/title ", "it needs words");
}

#[test]
fn older_texts_open_no_pop_up() {
    let mut bench = Bench::new();
    bench.screen(80, 24);
    let before = ["one", "/todo"].map(str::to_owned).into();
    bench.model.history.begin_with(before);
    bench.press("<up>");
    assert!(bench.model.pop_up.is_none());
    bench.press("<up>");
    assert_eq!(bench.model.editor.text(), "one");
    bench.press("<down>x");
    assert!(bench.model.pop_up.is_some());
}

#[test]
fn files_are_put_in_by_name() {
    let mut bench = Bench::new();
    let effects = bench.press("see @li");
    assert!(effects.contains(&Effect::Files), "{effects:?}");
    let files = ["README.md", "src/lib.rs"].map(str::to_owned).to_vec();
    bench.give(Input::Answer(Answer::Files(files)));
    bench.press("<tab>");
    assert_eq!(bench.model.editor.text(), "see @src/lib.rs ");
}

#[test]
fn a_streamed_answer_is_shown_once_and_a_withheld_one_as_it_comes_out() {
    use zeug_paint::Item as _;
    let mut bench = Bench::new();
    let event = |event| Notice::Event(event);
    let message = |text: &str| Event::AssistantMessage {
        content: vec![Block::text(text)],
        time: zeug_transcript::Timestamp::UNIX_EPOCH,
    };
    bench.tell(event(Event::AssistantStart));
    for delta in ["he", "llo"] {
        let delta = delta.to_owned();
        bench.tell(event(Event::TextDelta { delta }));
    }
    bench.tell(event(message("hello")));
    bench.tell(event(Event::AssistantStart));
    bench.tell(event(message("rewritten")));
    let texts: Vec<String> = bench.model.chat.list().iter().map(|e| e.text()).collect();
    assert_eq!(texts, ["hello", "rewritten"]);
}

#[test]
fn a_reload_that_is_wanted_during_another_follows_it() {
    let mut bench = Bench::new();
    let is_reload = |effects: &[Effect]| effects.contains(&Effect::Reload(None));
    assert!(is_reload(&bench.press("/reload-ext<enter>")));
    // The user trusted an extension while the first one runs.
    let trusted = Input::Answer(Answer::Trusted(Ok(())));
    assert!(!is_reload(&bench.give(trusted)));
    let done = || Input::Answer(Answer::Reloaded(Ok(zeug_app::Reloaded::default())));
    assert!(is_reload(&bench.give(done())));
    assert!(!is_reload(&bench.give(done())));
}

#[test]
fn a_question_beside_the_conversation_does_not_break_what_streams() {
    let mut bench = Bench::new();
    let delta = |delta: &str| {
        let delta = delta.to_owned();
        Notice::Event(Event::TextDelta { delta })
    };
    bench.tell(delta("one "));
    bench.give(Input::Answer(Answer::Slashed {
        by: By::User,
        line: "/btw what is it?".to_owned(),
        result: Ok(zeug_app::Slashed::Said("an **answer**".to_owned())),
    }));
    bench.tell(delta("two"));
    assert!(bench.screen(80, 24).contains("one two"));
    bench.tell(Notice::Event(Event::Done));
    let screen = bench.screen(80, 24);
    let text = screen.split_once("one two").unwrap().1;
    let (question, answer) = (text.find("what is it?"), text.find("an answer"));
    assert!(question.is_some() && question < answer, "{screen}");
}

#[test]
fn failures_stay_until_a_good_reload() {
    let mut bench = Bench::new();
    let fail = |name: &str| Notice::ExtensionFailed {
        extension: name.to_owned(),
        message: "no such file".to_owned(),
    };
    bench.tell(fail("a"));
    let reload = bench.press("/reload-ext<enter>");
    assert!(reload.contains(&Effect::Reload(None)), "{reload:?}");
    let reloaded = |errors: &[&str]| {
        let errors = errors.iter().map(|error| (*error).to_owned()).collect();
        let reloaded = zeug_app::Reloaded {
            stopped: 0,
            loaded: 1,
            ready: 1,
            errors,
        };
        Input::Answer(Answer::Reloaded(Ok(reloaded)))
    };
    bench.give(reloaded(&["b: no"]));
    assert_eq!(bench.model.chat.failures(), 2);
    bench.press("/reload-ext<enter>");
    bench.give(reloaded(&[]));
    assert_eq!(bench.model.chat.failures(), 0);
}
