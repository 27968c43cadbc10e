//! What goes to stderr, beside the answer.

use zeug_app::{Level, Notice};
use zeug_front_text::{Ended, Mode};
use zeug_transcript::StopReason;

use crate::script::*;

fn note(level: Level, text: &str) -> Notice {
    Notice::Note {
        extension: "guard".into(),
        level,
        text: text.into(),
    }
}

fn failed() -> Notice {
    Notice::ExtensionFailed {
        extension: "clock".into(),
        message: "node not found\ninstall it".into(),
    }
}

fn skipped() -> Notice {
    Notice::ExtensionSkipped {
        extension: "todo".into(),
        reason: "not trusted; run `zeug ext trust`".into(),
    }
}

#[test]
fn notes_carry_their_extension_and_level_on_every_line() {
    let notices = [
        note(Level::Info, "one\ntwo"),
        note(Level::Success, "good"),
        note(Level::Warn, "\u{1b}[2Jcareful"),
        note(Level::Error, ""),
        Notice::Display {
            extension: "hello".into(),
            text: "a\nb".into(),
        },
        Notice::ClearNotes {
            extension: "guard".into(),
        },
        Notice::SlashSubmitted {
            extension: "remote".into(),
            text: "/clear".into(),
        },
        Notice::Remark("no key found\nthe puppet answers".into()),
        done(),
    ];
    let err = "[guard] info: one\n\
               [guard] info: two\n\
               [guard] success: good\n\
               [guard] warn: careful\n\
               [guard] error:\n\
               [hello] a\n\
               [hello] b\n\
               extension: remote: its command was not run, for nobody is there: /clear\n\
               zeug: no key found\n\
               zeug: the puppet answers\n";
    check(Mode::Print, &notices, "", err, Ended::Ok);
    check(Mode::Stream, &notices, "", err, Ended::Ok);
    check(
        Mode::Json,
        &notices,
        "{\"type\":\"done\"}\n",
        err,
        Ended::Ok,
    );
}

#[test]
fn extensions_that_did_not_start_are_named() {
    let notices = [failed(), skipped(), turn(1), failed(), done()];
    let err = "extension load: clock: node not found\n\
               extension load: clock: install it\n\
               extension load: todo skipped: not trusted; run `zeug ext trust`\n\
               extension: clock: node not found\n\
               extension: clock: install it\n";
    check(Mode::Print, &notices, "", err, Ended::Ok);
    check(Mode::Stream, &notices, "", err, Ended::Ok);
    check(
        Mode::Json,
        &notices,
        r#"{"type":"ext_failed","extension":"clock","message":"node not found\ninstall it"}
{"type":"ext_skipped","extension":"todo","reason":"not trusted; run `zeug ext trust`"}
{"type":"turn_start","step":1}
{"type":"ext_failed","extension":"clock","message":"node not found\ninstall it"}
{"type":"done"}
"#,
        err,
        Ended::Ok,
    );
}

#[test]
fn a_note_in_the_middle_of_streamed_words_breaks_the_line_on_a_terminal_only() {
    let run = [
        turn(1),
        start(),
        delta("It is "),
        note(Level::Info, "psst"),
        delta("warm."),
        message("It is warm."),
        turn_end(StopReason::EndTurn),
        done(),
    ];
    let shown = show(Mode::Stream, true, &run);
    assert_eq!(shown.out, "It is \nwarm.\n");
    assert_eq!(shown.err, "[guard] info: psst\n");
    let shown = show(Mode::Stream, false, &run);
    assert_eq!(shown.out, "It is warm.\n");
}

#[test]
fn a_name_cannot_drive_the_terminal_or_fill_it() {
    let notices = [Notice::Note {
        extension: format!("\u{1b}[31m{}", "n".repeat(100)),
        level: Level::Info,
        text: "x".into(),
    }];
    let shown = show(Mode::Print, true, &notices);
    assert_eq!(shown.err, format!("[{}…] info: x\n", "n".repeat(64)));
}
