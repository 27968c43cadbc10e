//! Lines and blocks, as tables.

use super::*;

fn say(text: &str) -> Step {
    Step::Say(text.into())
}

fn call(name: &str, args: &str) -> Step {
    Step::Call {
        name: name.into(),
        args: args.into(),
    }
}

fn fail(status: u16, message: &str, always: bool) -> Step {
    Step::Fail {
        status,
        message: message.into(),
        always,
    }
}

fn check(text: &str, expect: &[Block]) {
    assert_eq!(parse(text), expect, "{text:?}");
}

fn steps(text: &str, expect: &[Step]) {
    check(text, &[Block::Steps(expect.to_vec())]);
}

fn plain(text: &str, expect: &str) {
    check(text, &[Block::Plain(expect.into())]);
}

#[test]
fn every_directive_is_read() {
    steps(
        r#"call weather {"city":"Berlin"}"#,
        &[call("weather", r#"{"city":"Berlin"}"#)],
    );
    steps("call ls", &[call("ls", "")]);
    steps("say It is warm.", &[say("It is warm.")]);
    steps("think hm, hm", &[Step::Think("hm, hm".into())]);
    steps("wait 200ms", &[Step::Wait(Duration::from_millis(200))]);
    steps("wait 2s", &[Step::Wait(Duration::from_secs(2))]);
    steps("fail 529 overloaded", &[fail(529, "overloaded", false)]);
    steps("fail! 400 bad request", &[fail(400, "bad request", true)]);
    steps("fail 500", &[fail(500, "", false)]);
    steps(
        "usage 1200 80",
        &[Step::Usage {
            input: 1200,
            output: 80,
        }],
    );
}

#[test]
fn malformed_arguments_pass_as_written() {
    steps(
        r#"call edit {"path": "a", }"#,
        &[call("edit", r#"{"path": "a", }"#)],
    );
    steps("call edit {", &[call("edit", "{")]);
    steps("call edit [1] [2]", &[call("edit", "[1] [2]")]);
    steps(
        "call grüße {\"ö\":\"世界 🌍\"}",
        &[call("grüße", "{\"ö\":\"世界 🌍\"}")],
    );
}

#[test]
fn a_word_counts_only_at_the_start_of_a_line_and_alone() {
    plain("callback foo", "callback foo");
    plain("please call weather", "please call weather");
    plain("  say hi", "say hi");
    plain("Say hi", "Say hi");
    plain("sayhi", "sayhi");
    plain("say: hi", "say: hi");
    plain("then we go", "then we go");
    plain("failed 500", "failed 500");
    plain("js-free", "js-free");
    plain("usage: foo", "usage: foo");
}

#[test]
fn odd_white_space_does_not_matter() {
    steps(
        "call\tweather\t{\"a\": 1}  ",
        &[call("weather", "{\"a\": 1}")],
    );
    steps("call   weather    {}", &[call("weather", "{}")]);
    steps("fail   529   too  much ", &[fail(529, "too  much", false)]);
    steps("wait   1s ", &[Step::Wait(Duration::from_secs(1))]);
    steps(
        "usage\t1  2\t",
        &[Step::Usage {
            input: 1,
            output: 2,
        }],
    );
    steps("\u{feff}say hi", &[say("hi")]);
    steps("\n\n  \nsay hi\n\n", &[say("hi")]);
}

#[test]
fn said_text_keeps_its_white_space() {
    steps("say   two in front ", &[say("  two in front ")]);
    steps("say", &[say("")]);
    steps("say ", &[say("")]);
    steps("think", &[Step::Think(String::new())]);
}

#[test]
fn lines_may_end_the_windows_way() {
    check(
        "call a {}\r\nthen\r\nsay x\r\nsay y",
        &[
            Block::Steps(vec![call("a", "{}")]),
            Block::Steps(vec![say("x"), say("y")]),
        ],
    );
}

#[test]
fn then_splits_turns_and_empty_turns_do_not_count() {
    let a = || Block::Steps(vec![call("a", "")]);
    let x = || Block::Steps(vec![say("x")]);
    check("call a\nthen\nsay x", &[a(), x()]);
    check("call a\nthen  \nsay x", &[a(), x()]);
    check("call a\nthen", &[a()]);
    check("then\nsay x", &[x()]);
    check("call a\nthen\n\nthen\nsay x\nthen\n", &[a(), x()]);
    check(
        "call a\nthen\nthanks",
        &[a(), Block::Plain("thanks".into())],
    );
    check("then", &[Block::Plain(String::new())]);
}

#[test]
fn without_directives_the_text_is_text() {
    plain("", "");
    plain(" \n\t\n", "");
    plain("hello\nworld\n", "hello\nworld");
    plain("wie geht’s? 👋", "wie geht’s? 👋");
}

#[test]
fn lines_for_people_between_directives_are_skipped() {
    steps(
        "Please do this:\ncall a\nand this:\ncall b",
        &[call("a", ""), call("b", "")],
    );
}

#[test]
fn js_takes_the_rest_of_its_block() {
    let code = |code: &str| call("codemode", &serde_json::json!({ "code": code }).to_string());
    steps("js return 1", &[code("return 1")]);
    steps(
        "js\nconst a = \"x\";\n\n  say(a)\ncall b",
        &[code("const a = \"x\";\n\n  say(a)\ncall b")],
    );
    steps("js let a = 1\r\nreturn a", &[code("let a = 1\nreturn a")]);
    check(
        "say first\njs return 1\nthen\nsay x",
        &[
            Block::Steps(vec![say("first"), code("return 1")]),
            Block::Steps(vec![say("x")]),
        ],
    );
    steps("js", &[code("")]);
}

#[test]
fn an_unreadable_directive_is_explained_among_others_and_is_text_alone() {
    for line in [
        "wait for me",
        "wait 200",
        "wait -1s",
        "wait 1.5s",
        "fail to see",
        "fail 70000 x",
        "fail! 9",
        "usage 12",
        "usage a b",
        "usage 1 2 3",
        "call",
    ] {
        plain(line, line);
        let blocks = parse(&format!("{line}\nsay x"));
        let [Block::Steps(steps)] = blocks.as_slice() else {
            panic!("{line}: {blocks:?}");
        };
        let [Step::Unclear(hint), Step::Say(_)] = steps.as_slice() else {
            panic!("{line}: {steps:?}");
        };
        assert!(
            hint.starts_with(&format!("cannot read `{line}`: write ")),
            "{hint}"
        );
    }
}
