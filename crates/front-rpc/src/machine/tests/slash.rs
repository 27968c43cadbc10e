//! Lines of the client and of extensions.

use zeug_app::{Notice, Prompt, Slashed};

use super::kit::World;
use crate::machine::Slash;

fn done(world: &mut World, result: Result<Slashed, String>) {
    let slash: Slash = world.lines.remove(0);
    world.machine.slashed(slash, result);
    world.look();
}

fn submits(world: &mut World, text: &str) {
    world.machine.notice(Notice::SlashSubmitted {
        extension: "remote".into(),
        text: text.into(),
    });
    world.look();
}

#[test]
fn a_line_that_changes_the_conversation_holds_prompts_back() {
    let mut world = World::ready();
    world.send(r#"{"id":"1","type":"slash","line":"/New"}"#);
    world.send(r#"{"id":"2","type":"prompt","message":"a"}"#);
    assert!(world.handed.is_empty());
    done(&mut world, Ok(Slashed::Said("new".into())));
    world.start();
    assert_eq!(world.said(), ["slash 1 ok", "prompt 2 ok"]);
}

#[test]
fn a_line_that_is_a_prompt_waits_like_one() {
    let mut world = World::ready();
    world.send(r#"{"id":"1","type":"prompt","message":"a"}"#);
    world.start();
    world.send(r#"{"id":"2","type":"slash","line":"hello"}"#);
    done(&mut world, Ok(Slashed::Prompt(Prompt::text("hello"))));
    assert_eq!(world.said(), ["prompt 1 ok", "slash 2 ok"]);
    world.end();
    world.start();
    world.end();
    assert_eq!(world.said(), ["done", "done"]);
}

#[test]
fn an_extension_types_only_where_somebody_is() {
    let mut world = World::ready();
    submits(&mut world, "/clear");
    assert!(world.lines.is_empty());
    assert!(world.asides[0].contains("not run"), "{:?}", world.asides);
    world.send(r#"{"type":"hello","interactive":true}"#);
    submits(&mut world, "/clear");
    done(&mut world, Err("no".into()));
    assert!(
        world.asides[1].contains("remote: /clear: no"),
        "{:?}",
        world.asides
    );
}

#[test]
fn lines_wait_for_extensions_and_have_a_bound() {
    let mut world = World::new(None);
    for n in 0..65 {
        world.send(&format!(r#"{{"id":"{n}","type":"slash","line":"/x"}}"#));
    }
    assert!(world.lines.is_empty());
    assert!(world.said()[0].contains("64 slash commands"));
    world.machine.set_ready();
    world.look();
    assert_eq!(world.lines.len(), 64);
}
