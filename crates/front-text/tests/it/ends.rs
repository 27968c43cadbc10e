//! How runs end, and what is said about it.

use std::io::{self, Write};

use zeug_front_text::{Ended, Face, Mode, Progress};
use zeug_transcript::StopReason;

use crate::script::*;

const FAILURE: &str = "puppet/puppet: 400 bad request";

#[test]
fn a_failed_provider_fails_the_run_and_is_named_once() {
    let run = [
        turn(1),
        start(),
        delta("It"),
        turn_failed(FAILURE),
        error(FAILURE),
        done(),
    ];
    let err = "zeug: puppet/puppet: 400 bad request\n";
    check(Mode::Print, &run, "", err, Ended::Failed);
    check(Mode::Stream, &run, "It\n", err, Ended::Failed);
    check(
        Mode::Json,
        &run,
        r#"{"type":"turn_start","step":1}
{"type":"assistant_start"}
{"type":"text_delta","delta":"It"}
{"type":"turn_end","stop":"error","error":"puppet/puppet: 400 bad request"}
{"type":"error","message":"puppet/puppet: 400 bad request"}
{"type":"done"}
"#,
        err,
        Ended::Failed,
    );
}

#[test]
fn a_blocked_turn_fails_the_run_with_the_reason() {
    let run = [turn(1), turn_failed("not on a Sunday"), done()];
    let err = "zeug: not on a Sunday\n";
    check(Mode::Print, &run, "", err, Ended::Failed);
    check(Mode::Stream, &run, "", err, Ended::Failed);
    check(
        Mode::Json,
        &run,
        "{\"type\":\"turn_start\",\"step\":1}\n\
         {\"type\":\"turn_end\",\"stop\":\"error\",\"error\":\"not on a Sunday\"}\n\
         {\"type\":\"done\"}\n",
        err,
        Ended::Failed,
    );
}

#[test]
fn a_failed_run_does_not_pass_an_earlier_answer_off_as_its_own() {
    let run = [
        turn(1),
        start(),
        message("looking"),
        turn_end(StopReason::ToolUse),
        turn(2),
        turn_failed("boom"),
        done(),
    ];
    check(Mode::Print, &run, "", "zeug: boom\n", Ended::Failed);
}

#[test]
fn a_failure_that_a_retry_made_good_is_none() {
    let run = [
        turn(1),
        start(),
        turn_failed("529"),
        start(),
        message("ok"),
        turn_end(StopReason::EndTurn),
        done(),
    ];
    check(Mode::Print, &run, "ok\n", "", Ended::Ok);
}

#[test]
fn an_interrupted_run_says_nothing_more() {
    let run = [
        turn(1),
        start(),
        delta("It is"),
        turn_end(StopReason::Aborted),
        done(),
    ];
    check(Mode::Print, &run, "", "", Ended::Aborted);
    check(Mode::Stream, &run, "It is\n", "", Ended::Aborted);
}

#[test]
fn an_answer_cut_by_its_limit_is_printed_with_a_warning() {
    let run = [
        turn(1),
        start(),
        message("half an ans"),
        turn_end(StopReason::Length),
        done(),
    ];
    check(
        Mode::Print,
        &run,
        "half an ans\n",
        "zeug: the answer is cut: the model reached its output limit\n",
        Ended::Ok,
    );
}

#[test]
fn nothing_is_shown_after_the_end() {
    let mut run = weather();
    run.extend([delta("more"), error("late"), done()]);
    for mode in [Mode::Print, Mode::Stream, Mode::Json] {
        let shown = show(mode, false, &run);
        let once = show(mode, false, &weather());
        assert_eq!((shown.out, shown.err), (once.out, once.err));
        assert_eq!(shown.ended, Some(Ended::Ok));
    }
}

#[test]
fn notices_that_stop_early_are_an_error_with_a_done() {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut face = Face::new(Mode::Json, &mut out, &mut err);
    face.show(&turn(1)).unwrap();
    assert_eq!(face.cut_off().unwrap(), Ended::Failed);
    assert_eq!(face.cut_off().unwrap(), Ended::Failed);
    assert_eq!(
        String::from_utf8(out).unwrap(),
        "{\"type\":\"turn_start\",\"step\":1}\n\
         {\"type\":\"error\",\"message\":\"the run stopped before it was done; the log says more\"}\n\
         {\"type\":\"done\"}\n"
    );
    assert_eq!(
        String::from_utf8(err).unwrap(),
        "zeug: the run stopped before it was done; the log says more\n"
    );
}

/// A pipe whose reader went away after so many writes.
struct Pipe {
    left: usize,
    kind: io::ErrorKind,
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Err(self.kind.into());
        }
        self.left -= 1;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn pipe(left: usize, kind: io::ErrorKind) -> Pipe {
    Pipe { left, kind }
}

#[test]
fn a_reader_that_went_away_ends_the_run_quietly() {
    for mode in [Mode::Stream, Mode::Json] {
        let mut err = Vec::new();
        let mut face = Face::new(mode, pipe(1, io::ErrorKind::BrokenPipe), &mut err);
        face.show(&delta("a")).unwrap();
        let gone = Progress::Finished(Ended::Failed);
        assert_eq!(face.show(&delta("b")).unwrap(), gone);
        assert_eq!(face.show(&error("boom")).unwrap(), gone);
        assert_eq!(face.cut_off().unwrap(), Ended::Failed);
        assert_eq!(String::from_utf8(err).unwrap(), "");
    }
    let mut face = Face::new(Mode::Print, pipe(0, io::ErrorKind::BrokenPipe), io::sink());
    face.show(&message("a")).unwrap();
    assert_eq!(
        face.show(&done()).unwrap(),
        Progress::Finished(Ended::Failed)
    );
}

#[test]
fn a_full_disk_is_an_error() {
    let mut face = Face::new(
        Mode::Stream,
        pipe(0, io::ErrorKind::StorageFull),
        io::sink(),
    );
    let error = face.show(&delta("a")).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
}

#[test]
fn a_closed_stderr_does_not_stop_the_answer() {
    let mut out = Vec::new();
    let mut face = Face::new(Mode::Stream, &mut out, pipe(0, io::ErrorKind::BrokenPipe));
    let mut last = Progress::Running;
    for notice in weather() {
        last = face.show(&notice).unwrap();
    }
    assert_eq!(last, Progress::Finished(Ended::Ok));
    assert_eq!(out, "Let me look.\nIt is warm.\n".as_bytes());
}

#[test]
fn exit_codes_are_those_of_the_manual() {
    let codes = [Ended::Ok, Ended::Failed, Ended::Aborted].map(Ended::exit_code);
    assert_eq!(codes, [0, 1, 130]);
}
