//! One response for each request and one `done` for each prompt that started, whatever the order
//! in which things happen.

use std::collections::BTreeMap;

use proptest::prelude::*;
use zeug_app::Action;

use super::kit::World;

/// Something that happens.
#[derive(Debug, Clone, Copy)]
enum Move {
    Prompt,
    EmptyPrompt,
    Abort,
    Compact,
    Clear,
    Ping,
    Command,
    Garbage,
    Start,
    End,
    EndUnstarted,
    Refuse,
    Reply,
    ReplyWithPrompt,
    ReplyWithError,
    Compacted,
    CompactionFailed,
    AnswerErrands,
    Fork,
    Grant,
    Ready,
    Note,
    Read,
}

/// How it ends.
#[derive(Debug, Clone, Copy)]
enum End {
    /// The client closes its end and the agent works on.
    Eof,
    Stop,
    EofThenStop,
    CutOff,
}

fn a_move() -> impl Strategy<Value = Move> {
    prop_oneof![
        6 => Just(Move::Prompt),
        1 => Just(Move::EmptyPrompt),
        2 => Just(Move::Abort),
        1 => Just(Move::Compact),
        1 => Just(Move::Clear),
        1 => Just(Move::Ping),
        2 => Just(Move::Command),
        1 => Just(Move::Garbage),
        5 => Just(Move::Start),
        5 => Just(Move::End),
        1 => Just(Move::EndUnstarted),
        1 => Just(Move::Refuse),
        1 => Just(Move::Reply),
        1 => Just(Move::ReplyWithPrompt),
        1 => Just(Move::ReplyWithError),
        1 => Just(Move::Compacted),
        1 => Just(Move::CompactionFailed),
        2 => Just(Move::AnswerErrands),
        1 => Just(Move::Fork),
        2 => Just(Move::Grant),
        1 => Just(Move::Ready),
        1 => Just(Move::Note),
        2 => Just(Move::Read),
    ]
}

/// What the client sent and read.
struct Tally {
    world: World,
    sent: usize,
    garbage: usize,
    said: Vec<String>,
    started: usize,
}

impl Tally {
    fn send(&mut self, line: &str) {
        self.sent += 1;
        let line = line.replacen('{', &format!("{{\"id\":\"{}\",", self.sent), 1);
        self.world.send(&line);
    }

    fn step(&mut self, step: Move) {
        let world = &mut self.world;
        match step {
            Move::Prompt => self.send(r#"{"type":"prompt","message":"x"}"#),
            Move::EmptyPrompt => self.send(r#"{"type":"prompt","message":""}"#),
            Move::Abort => self.send(r#"{"type":"abort"}"#),
            Move::Compact => self.send(r#"{"type":"compact"}"#),
            Move::Clear => self.send(r#"{"type":"clear"}"#),
            Move::Ping => self.send(r#"{"type":"ping"}"#),
            Move::Command => self.send(r#"{"type":"ext_command","name":"x"}"#),
            Move::Garbage => {
                self.garbage += 1;
                world.send("}");
            }
            Move::Start => self.start(),
            Move::End => world.end(),
            Move::EndUnstarted => world.end_unstarted(),
            Move::Refuse => world.refuse(),
            Move::Reply => world.reply(Ok(Action::Noop)),
            Move::ReplyWithPrompt => world.reply(Ok(Action::Prompt("y".into()))),
            Move::ReplyWithError => world.reply(Err("no".into())),
            Move::Compacted => world.machine.compacted(Ok("summary".into())),
            Move::CompactionFailed => world.machine.compacted(Err("no".into())),
            Move::AnswerErrands => world.answer_all(),
            Move::Fork => self.send(r#"{"type":"fork"}"#),
            Move::Grant => world.grant_all(),
            Move::Ready => world.machine.set_ready(),
            Move::Note => world.note("x"),
            Move::Read => self.read(),
        }
        self.world.look();
    }

    fn start(&mut self) {
        let before = self.world.handed.len();
        self.world.start();
        self.started += usize::from(self.world.handed.len() < before);
    }

    fn read(&mut self) {
        let said = self.world.said();
        self.said.extend(said);
    }

    /// Lets everything come to its end.
    fn finish(&mut self, end: End) {
        match end {
            End::Eof | End::EofThenStop => self.world.machine.end_of_requests(0),
            End::Stop => self.world.machine.stop(130),
            End::CutOff => self.world.machine.cut_off(),
        }
        self.world.look();
        self.step(Move::Ready);
        for round in 0.. {
            if self.world.machine.over().is_some() {
                break;
            }
            assert!(round < 300, "it never ends");
            if round == 3 && matches!(end, End::EofThenStop) {
                self.world.machine.stop(130);
            }
            for step in [
                Move::AnswerErrands,
                Move::Grant,
                Move::Reply,
                Move::Compacted,
                Move::Start,
                Move::End,
            ] {
                self.step(step);
            }
        }
        self.read();
    }
}

proptest! {
    #[test]
    fn every_request_is_answered_once_and_every_prompt_is_done_once(
        moves in proptest::collection::vec(a_move(), 0..60),
        end in prop_oneof![Just(End::Eof), Just(End::Stop), Just(End::EofThenStop), Just(End::CutOff)],
        ready in any::<bool>(),
    ) {
        let world = if ready { World::ready() } else { World::new(None) };
        let mut tally = Tally { world, sent: 0, garbage: 0, said: Vec::new(), started: 0 };
        for step in moves {
            tally.step(step);
        }
        tally.finish(end);
        let mut answers: BTreeMap<usize, usize> = BTreeMap::new();
        let (mut malformed, mut done, mut started, mut running) = (0, 0, 0, false);
        let (mut compacting, mut compacted) = (0, 0);
        for line in &tally.said {
            let words: Vec<&str> = line.split(' ').collect();
            match words.as_slice() {
                ["done"] => {
                    prop_assert!(running || done < tally.started, "{:?}", tally.said);
                    done += 1;
                    running = false;
                }
                ["compact_done", ..] => compacted += 1,
                ["", "failed:", ..] => malformed += 1,
                ["ext_notify" | "error", ..] => {}
                [command, id, result, ..] => {
                    *answers.entry(id.parse().unwrap()).or_default() += 1;
                    if *result == "ok" && *command == "prompt" {
                        prop_assert!(!running, "one prompt at a time: {:?}", tally.said);
                        running = true;
                        started += 1;
                    }
                    compacting += usize::from(*result == "ok" && *command == "compact");
                }
                _ => prop_assert!(false, "{line}"),
            }
        }
        prop_assert_eq!(malformed, tally.garbage);
        prop_assert_eq!(answers.len(), tally.sent, "{:?}", tally.said);
        prop_assert!(answers.values().all(|times| *times == 1), "{:?}", tally.said);
        prop_assert_eq!(done, tally.started, "{:?}", tally.said);
        prop_assert!(started <= tally.started);
        prop_assert_eq!(compacting, compacted, "{:?}", tally.said);
        // Nothing comes after the end.
        tally.step(Move::Note);
        tally.step(Move::Start);
        tally.step(Move::End);
        tally.read();
        prop_assert!(!tally.world.machine.has_lines());
    }
}

/// Lines that are almost requests, and lines that are nothing of the kind.
fn a_line() -> impl Strategy<Value = Vec<u8>> {
    let word = prop_oneof![
        proptest::sample::select(zeug_rpc_protocol::Command::NAMES.as_slice())
            .prop_map(str::to_owned),
        "[a-z_]{0,12}",
    ];
    let value = prop_oneof![
        Just("null".to_owned()),
        Just("7".to_owned()),
        Just("true".to_owned()),
        Just("[{}]".to_owned()),
        "\"[^\"\\\\\\x00-\\x1f]{0,8}\"",
    ];
    let field = proptest::sample::select(vec![
        "id",
        "message",
        "images",
        "name",
        "args",
        "model",
        "reasoning",
        "tool_id",
        "decision",
        "token",
        "interactive",
        "other",
    ]);
    let request =
        (word, proptest::collection::vec((field, value), 0..5)).prop_map(|(word, fields)| {
            let fields: String = fields
                .iter()
                .map(|(name, value)| format!(",\"{name}\":{value}"))
                .collect();
            format!("{{\"type\":\"{word}\"{fields}}}").into_bytes()
        });
    prop_oneof![3 => request, 1 => proptest::collection::vec(any::<u8>(), 1..40)]
}

proptest! {
    #[test]
    fn every_line_is_answered_once(lines in proptest::collection::vec(a_line(), 0..20)) {
        let mut world = World::ready();
        for line in &lines {
            world.machine.line(line);
            world.look();
            world.start();
            world.end();
            world.reply(Ok(Action::Noop));
            world.machine.compacted(Ok("x".into()));
            world.grant_all();
        }
        world.machine.end_of_requests(0);
        world.look();
        world.answer_all();
        world.grant_all();
        world.start();
        world.end();
        prop_assert_eq!(world.machine.over(), Some(0));
        let said = world.said();
        let events = ["done", "compact_done x"];
        let answers = said.iter().filter(|line| !events.contains(&line.as_str()));
        prop_assert_eq!(answers.count(), lines.len(), "{:?}", said);
    }
}
