//! How a conversation ends.

use zeug_app::Action;

use super::kit::World;
use crate::machine::{DONE, FAILED};

#[test]
fn the_end_of_requests_finishes_what_was_begun() {
    let mut world = World::ready();
    world.send(r#"{"type":"prompt","message":"a"}"#);
    world.send(r#"{"type":"prompt","message":"b"}"#);
    world.send(r#"{"type":"ext_command","name":"hi"}"#);
    world.machine.end_of_requests(DONE);
    world.look();
    world.send(r#"{"type":"ping"}"#);
    world.start();
    world.end();
    world.reply(Ok(Action::Prompt("c".into())));
    for _ in 0..2 {
        assert_eq!(world.machine.over(), None);
        world.start();
        world.end();
    }
    assert_eq!(world.machine.over(), Some(DONE));
    let expect = [
        "prompt ok",
        "done",
        "ext_command ok",
        "prompt ok",
        "done",
        "done",
    ];
    assert_eq!(world.said(), expect);
}

#[test]
fn nothing_was_asked_and_nothing_is_left() {
    let mut world = World::new(None);
    world.note("early");
    world.machine.end_of_requests(DONE);
    assert_eq!(world.machine.over(), Some(DONE));
    assert_eq!(world.said(), [""; 0]);
}

#[test]
fn a_stop_refuses_what_waits_and_aborts_what_runs() {
    let mut world = World::ready();
    world.send(r#"{"id":"1","type":"prompt","message":"a"}"#);
    world.send(r#"{"id":"2","type":"prompt","message":"b"}"#);
    world.send(r#"{"id":"3","type":"ext_command","name":"hi"}"#);
    world.start();
    world.said();
    world.machine.stop(130);
    world.look();
    assert_eq!(world.aborts, 1);
    let said = world.said();
    assert!(
        said[0].starts_with("prompt 2 failed: zeug is stopping"),
        "{said:?}"
    );
    assert!(said[1].starts_with("ext_command 3 failed"), "{said:?}");
    world.reply(Ok(Action::Prompt("late".into())));
    world.end();
    assert_eq!(world.said(), ["done"]);
    assert_eq!(world.machine.over(), Some(130));
}

#[test]
fn an_agent_that_is_gone_ends_what_ran() {
    let mut world = World::ready();
    world.send(r#"{"id":"1","type":"prompt","message":"a"}"#);
    world.send(r#"{"id":"2","type":"prompt","message":"b"}"#);
    world.start();
    world.said();
    world.machine.cut_off();
    let said = world.said();
    assert!(said[0].starts_with("prompt 2 failed"), "{said:?}");
    assert_eq!(said[2], "done");
    assert!(said[1].starts_with("error"), "{said:?}");
    assert_eq!(world.machine.over(), Some(FAILED));
}

#[test]
fn a_stop_between_handing_over_and_starting_leaves_the_answer_to_the_agent() {
    for starts in [true, false] {
        let mut world = World::ready();
        world.send(r#"{"id":"1","type":"prompt","message":"a"}"#);
        world.machine.stop(130);
        world.look();
        assert_eq!(world.said(), [""; 0]);
        assert_eq!((world.aborts, world.machine.over()), (1, None));
        if starts {
            world.start();
            world.end();
            assert_eq!(world.said(), ["prompt 1 ok", "done"]);
        } else {
            world.end_unstarted();
            let said = world.said();
            assert!(said[0].starts_with("prompt 1 failed"), "{said:?}");
            assert_eq!(said.len(), 1, "what never started is not done");
        }
        assert_eq!(world.machine.over(), Some(130));
    }
}
