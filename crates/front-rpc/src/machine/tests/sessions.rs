//! Another conversation takes the place of the open one.

use super::kit::World;

#[test]
fn another_conversation_refuses_what_waits_and_holds_back_what_comes() {
    let mut world = World::ready();
    for id in ["1", "2"] {
        world.send(&format!(r#"{{"id":"{id}","type":"prompt","message":"a"}}"#));
    }
    world.start();
    assert_eq!(world.said(), ["prompt 1 ok"]);
    world.send(r#"{"id":"f","type":"fork"}"#);
    world.send(r#"{"id":"3","type":"prompt","message":"b"}"#);
    let said = world.said();
    assert_eq!(said.len(), 1);
    assert!(said[0].starts_with("prompt 2 failed: another"), "{said:?}");
    world.end();
    assert_eq!(world.said(), ["done"]);
    assert!(
        world.handed.is_empty(),
        "the new conversation is not there yet"
    );
    world.grant_all();
    world.start();
    assert_eq!(world.said(), ["fork f ok", "prompt 3 ok"]);
}

#[test]
fn a_look_at_sessions_holds_nothing_back() {
    let mut world = World::ready();
    for line in [
        r#"{"type":"sessions"}"#,
        r#"{"type":"tree"}"#,
        r#"{"type":"branches"}"#,
        r#"{"type":"rename","title":"x"}"#,
        r#"{"type":"export","path":"x"}"#,
        r#"{"type":"delete_session","session":"x"}"#,
    ] {
        world.send(line);
    }
    world.send(r#"{"id":"1","type":"prompt","message":"a"}"#);
    world.start();
    assert_eq!(world.said(), ["prompt 1 ok"]);
    assert_eq!(world.wishes.len(), 6);
    assert!(world.wishes.iter().all(|(_, wish)| !wish.changes()));
}
