//! What stdout carries.

use zeug_front_text::{Ended, Mode};
use zeug_rpc_protocol::Event;
use zeug_transcript::{Status, StopReason};

use crate::script::*;

#[test]
fn print_writes_the_last_answer() {
    check(Mode::Print, &weather(), "It is warm.\n", "", Ended::Ok);
}

#[test]
fn stream_writes_answers_to_stdout_and_tools_to_stderr() {
    check(
        Mode::Stream,
        &weather(),
        "Let me look.\nIt is warm.\n",
        "[tool] weather {\"city\":\"Berlin\"}\n[tool] weather → Berlin: 16°C\n",
        Ended::Ok,
    );
}

#[test]
fn json_writes_every_event_and_nothing_else() {
    check(
        Mode::Json,
        &weather(),
        r#"{"type":"turn_start","step":1}
{"type":"assistant_start"}
{"type":"text_delta","delta":"Let me "}
{"type":"text_delta","delta":"look."}
{"type":"assistant_message","content":[{"type":"text","text":"Let me look."}],"time":"2026-01-02T03:04:05Z"}
{"type":"tool_call","id":"c1","name":"weather","args":{"city":"Berlin"}}
{"type":"turn_end","stop":"tool_use"}
{"type":"tool_execution_started","id":"c1","name":"weather"}
{"type":"tool_result","id":"c1","is_error":false,"content":[{"type":"text","text":"Berlin: 16°C"}],"status":"completed"}
{"type":"turn_start","step":2}
{"type":"assistant_start"}
{"type":"text_delta","delta":"It is "}
{"type":"text_delta","delta":"warm."}
{"type":"assistant_message","content":[{"type":"text","text":"It is warm."}],"time":"2026-01-02T03:04:05Z"}
{"type":"turn_end","stop":"end_turn"}
{"type":"done"}
"#,
        "",
        Ended::Ok,
    );
}

#[test]
fn an_answer_that_ends_its_line_gets_no_second_line_feed() {
    let run = [
        turn(1),
        start(),
        delta("a\n"),
        message("a\n"),
        turn_end(StopReason::EndTurn),
        done(),
    ];
    check(Mode::Print, &run, "a\n", "", Ended::Ok);
    check(Mode::Stream, &run, "a\n", "", Ended::Ok);
}

#[test]
fn a_held_back_answer_is_written_when_it_is_complete() {
    let run = [
        turn(1),
        start(),
        message("[redacted]"),
        turn_end(StopReason::EndTurn),
        done(),
    ];
    check(Mode::Print, &run, "[redacted]\n", "", Ended::Ok);
    check(Mode::Stream, &run, "[redacted]\n", "", Ended::Ok);
}

#[test]
fn a_replacement_of_streamed_words_follows_on_its_own_line() {
    let run = [
        turn(1),
        start(),
        delta("the original"),
        message("the replacement"),
        turn_end(StopReason::EndTurn),
        done(),
    ];
    check(Mode::Print, &run, "the replacement\n", "", Ended::Ok);
    check(
        Mode::Stream,
        &run,
        "the original\nthe replacement\n",
        "",
        Ended::Ok,
    );
}

#[test]
fn a_suppressed_answer_prints_nothing_not_an_earlier_one() {
    let run = [
        turn(1),
        start(),
        message("earlier"),
        call("c1", "a", "{}"),
        turn_end(StopReason::ToolUse),
        result("c1", Status::Completed, "1"),
        turn(2),
        start(),
        turn_end(StopReason::EndTurn),
        done(),
    ];
    check(Mode::Print, &run, "", "", Ended::Ok);
    let streamed = show(Mode::Stream, false, &run);
    assert_eq!(streamed.out, "earlier\n");
}

#[test]
fn an_answer_of_calls_only_keeps_the_words_before_it() {
    let run = [
        turn(1),
        start(),
        message("words"),
        turn_end(StopReason::ToolUse),
        turn(2),
        start(),
        message(""),
        turn_end(StopReason::EndTurn),
        done(),
    ];
    check(Mode::Print, &run, "words\n", "", Ended::Ok);
}

#[test]
fn a_retry_in_the_middle_of_an_answer_starts_a_new_line() {
    let run = [
        turn(1),
        start(),
        delta("It is "),
        event(Event::RetryScheduled {
            scope: zeug_rpc_protocol::RetryScope::Agent,
            attempt: 2,
            max_attempts: 4,
            delay_ms: 500,
        }),
        start(),
        delta("It is warm."),
        message("It is warm."),
        turn_end(StopReason::EndTurn),
        done(),
    ];
    check(
        Mode::Stream,
        &run,
        "It is \nIt is warm.\n",
        "[retry] attempt 2 of 4 in 500 ms\n",
        Ended::Ok,
    );
    check(Mode::Print, &run, "It is warm.\n", "", Ended::Ok);
}

#[test]
fn results_on_stderr_are_short_and_say_what_went_wrong() {
    let run = [
        turn(1),
        call("c1", "bash", r#"{"command":"x"}"#),
        event(Event::ToolCall {
            id: "c2".into(),
            name: "edit".into(),
            args: zeug_stdx::json::RawJson::null(),
            args_raw: Some("{\"path\":\n".into()),
            origin_extension: None,
        }),
        turn_end(StopReason::ToolUse),
        result("c2", Status::Failed, "no\nJSON"),
        result("c1", Status::Blocked, "guard: \u{1b}[31mno\u{1b}[0m"),
        result("c9", Status::Completed, &"x".repeat(1000)),
    ];
    let shown = show(Mode::Stream, false, &run);
    assert_eq!(
        shown.err,
        format!(
            "[tool] bash {{\"command\":\"x\"}}\n\
             [tool] edit {{\"path\": \n\
             [tool] edit failed → no JSON\n\
             [tool] bash blocked → guard: no\n\
             [tool] c9 → {}…\n",
            "x".repeat(200)
        )
    );
    assert_eq!(shown.ended, None);
}

#[test]
fn a_terminal_gets_plain_text_and_a_pipe_the_text_as_it_is() {
    let wild = "\u{1b}]0;owned\u{7}\u{1b}[31mred\tone\u{1b}[0m";
    let run = [
        turn(1),
        start(),
        delta(wild),
        message(wild),
        turn_end(StopReason::EndTurn),
        done(),
    ];
    for mode in [Mode::Print, Mode::Stream] {
        assert_eq!(show(mode, false, &run).out, format!("{wild}\n"));
        assert_eq!(show(mode, true, &run).out, "red    one\n");
    }
}
