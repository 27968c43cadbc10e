//! One name that several want: order decides, never time.

use std::sync::Arc;

use zeug_stdx::claims::Order;
use zeug_stdx::json::RawJson;
use zeug_tool::{Call, Context, Spec, Table, Tool};
use zeug_transcript::Outcome;

use crate::kit::*;

fn tool() -> serde_json::Value {
    json!({"type": "register_tool", "name": "look"})
}

fn command(name: &str) -> serde_json::Value {
    json!({"type": "register_command", "name": name})
}

async fn check_tools(first: &str, second: &str) {
    let mut rig = Rig::of(&["a", "b"]);
    let far1 = rig.joined(first, &[tool()]).await;
    let far2 = rig.joined(second, &[tool()]).await;
    let (mut a, mut b) = if first == "a" {
        (far1, far2)
    } else {
        (far2, far1)
    };
    let shadowed = "tool look of b is shadowed: a holds the name";
    let remark = News::Remark {
        extension: "b".to_owned(),
        message: shadowed.to_owned(),
    };
    assert_eq!(rig.waiting_news(), [remark], "{first} first");
    rig.diagnostic("b", shadowed);
    assert_eq!(rig.report("a").tools, ["look"]);
    assert_eq!(rig.report("b").tools, [""; 0]);
    assert_eq!(
        rig.report("b").shadowed_tools,
        [("look".to_owned(), "a".to_owned())]
    );
    let call = rig.call("look", "{}");
    let frame = a.hear_a("tool_call").await;
    a.answer(&frame, "a saw it").await;
    assert_eq!(text(&call.outcome().await), "a saw it");
    b.hear_nothing(s(1)).await;
}

#[tokio::test(start_paused = true)]
async fn the_earlier_in_load_order_keeps_a_tool_whoever_registers_first() {
    check_tools("a", "b").await;
    check_tools("b", "a").await;
}

#[tokio::test(start_paused = true)]
async fn tools_are_compared_exactly() {
    let mut rig = Rig::of(&["a", "b"]);
    rig.joined("a", &[tool()]).await;
    rig.joined("b", &[json!({"type": "register_tool", "name": "Look"})])
        .await;
    assert_eq!(rig.waiting_news(), []);
    assert_eq!(rig.report("b").tools, ["Look"]);
}

async fn check_commands(first: (&str, &str), second: (&str, &str)) {
    let mut rig = Rig::of(&["a", "b"]);
    let far1 = rig.joined(first.0, &[command(first.1)]).await;
    let far2 = rig.joined(second.0, &[command(second.1)]).await;
    let (mut a, _b) = if first.0 == "a" {
        (far1, far2)
    } else {
        (far2, far1)
    };
    let [News::Remark { extension, message }] = &rig.waiting_news()[..] else {
        panic!("not one remark")
    };
    assert_eq!(extension, "b");
    assert!(message.contains("a holds the name"), "{message}");
    rig.diagnostic("b", "is shadowed");
    let names: Vec<_> = rig.host.commands().into_iter().map(|(n, _)| n).collect();
    assert_eq!(names, ["Look"], "in the spelling of the winner");
    let run = rig.command("lOOK", "");
    let frame = a.hear_a("command_invoked").await;
    assert_eq!(frame["name"], "Look");
    run.abort();
}

#[tokio::test(start_paused = true)]
async fn the_earlier_in_load_order_keeps_a_command_in_whatever_case() {
    check_commands(("a", "Look"), ("b", "lOOk")).await;
    check_commands(("b", "lOOk"), ("a", "Look")).await;
}

#[tokio::test(start_paused = true)]
async fn the_next_in_order_takes_over_when_the_holder_goes() {
    let mut rig = Rig::of(&["a", "b"]);
    let a = rig.joined("a", &[tool(), command("say")]).await;
    let mut b = rig.joined("b", &[tool(), command("say")]).await;
    drop(a);
    while !matches!(rig.next_news().await, News::Gone { .. }) {}
    assert_eq!(rig.report("b").tools, ["look"]);
    assert_eq!(rig.report("b").commands, ["say"]);
    let call = rig.call("look", "{}");
    let frame = b.hear_a("tool_call").await;
    b.answer(&frame, "b saw it").await;
    assert_eq!(text(&call.outcome().await), "b saw it");
}

struct BuiltIn(Spec);

#[async_trait::async_trait]
impl Tool for BuiltIn {
    fn spec(&self) -> &Spec {
        &self.0
    }

    async fn execute(&self, _: &Call, _: &Context) -> Outcome {
        Outcome::ok("built in")
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_built_in_wins_against_everybody() {
    let table = Table::default();
    let own = BuiltIn(Spec::built_in("look", "", RawJson::empty_object()));
    table
        .register("zeug", Order::BUILT_IN, Arc::new(own))
        .unwrap();
    let mut rig = Rig::with(vec![Seat::new("a")], HostLimits::default(), table);
    rig.joined("a", &[tool(), command("Help")]).await;
    rig.diagnostic("a", "tool look of a is shadowed: zeug holds the name");
    rig.diagnostic("a", "command /Help of a is shadowed: zeug holds the name");
    let remarks = rig.waiting_news();
    assert!(
        matches!(&remarks[..], [News::Remark { .. }, News::Remark { .. }]),
        "{remarks:?}"
    );
    assert_eq!(text(&rig.call("look", "{}").outcome().await), "built in");
    assert_eq!(rig.host.commands(), []);
}

#[tokio::test(start_paused = true)]
async fn a_name_that_zeug_will_need_is_refused() {
    for name in ["codemode", "plan", "skill", "task"] {
        let mut rig = Rig::of(&["a"]);
        rig.joined("a", &[json!({"type": "register_tool", "name": name})])
            .await;
        rig.diagnostic("a", "reserved by zeug");
        assert_eq!(rig.table.names(), [], "{name}");
    }
    // Of the names that zut keeps to itself, those that zeug has no use for are free.
    let mut rig = Rig::of(&["a"]);
    rig.joined(
        "a",
        &[json!({"type": "register_tool", "name": "web_search"})],
    )
    .await;
    let held = ("web_search".to_owned(), "a".to_owned());
    assert_eq!(rig.table.names(), [held]);
}

#[tokio::test(start_paused = true)]
async fn the_same_one_wins_in_100_of_100_starts() {
    for round in 0..100u32 {
        let mut rig = Rig::of(&["a", "b", "c"]);
        let mut fars = Vec::new();
        for name in ["a", "b", "c"] {
            fars.push((name, rig.meet(name).await));
        }
        // Another order each time, and now and then all at once.
        fars.rotate_left((round % 3) as usize);
        if round % 2 == 0 {
            fars.swap(0, 1);
        }
        let race = fars.into_iter().map(|(name, mut far)| {
            tokio::spawn(async move {
                for _ in 0..(round * 7 + u32::from(name.as_bytes()[0])) % 5 {
                    tokio::task::yield_now().await;
                }
                far.join(name, &[tool(), command("say")]).await;
                far
            })
        });
        let mut guests = Vec::new();
        for guest in race.collect::<Vec<_>>() {
            guests.push(guest.await.unwrap());
        }
        rig.host.settled().await;
        assert_eq!(rig.table.names(), [("look".to_owned(), "a".to_owned())]);
        assert_eq!(rig.report("a").commands, ["say"]);
        for loser in ["b", "c"] {
            rig.diagnostic(loser, &format!("tool look of {loser} is shadowed"));
            rig.diagnostic(loser, &format!("command /say of {loser} is shadowed"));
        }
        assert_eq!(rig.report("a").diagnostics, [""; 0], "round {round}");
    }
}
