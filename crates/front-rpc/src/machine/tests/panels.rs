//! Who may press keys, and which there are.

use zeug_app::Key;

use super::kit::World;
use crate::machine::{Errand, PanelAct};

#[test]
fn only_a_full_face_presses_keys() {
    let mut world = World::ready();
    let key = r#"{"id":"1","type":"ext_panel_key","extension":"todo","panel_id":"p","key":"KEY"}"#;
    world.send(&key.replace("KEY", "up"));
    assert!(world.said()[0].contains("hello"));
    world.send(r#"{"type":"hello","interactive":true}"#);
    world.errands.clear();
    let keys = |keys: Vec<Key>| Errand::Panel(PanelAct::Keys("todo".into(), "p".into(), keys));
    let close = || Errand::Panel(PanelAct::Close("todo".into(), "p".into()));
    for (sent, expect) in [
        (
            key.replace("KEY", "pageup"),
            keys(vec![Key::named("pageup")]),
        ),
        (
            key.replace("KEY\"", "rune\",\"text\":\"hé\""),
            keys(vec![Key::rune("h"), Key::rune("é")]),
        ),
        (key.replace("KEY", "esc"), close()),
        (key.replace("KEY", "ctrl+c"), close()),
        (key.replace("_key", "_close"), close()),
        (
            r#"{"type":"ext_panel_resize","width":60,"height":18}"#.to_owned(),
            Errand::Panel(PanelAct::Resize(60, 18)),
        ),
    ] {
        world.send(&sent);
        let (_, errand) = world.errands.pop().expect(&sent);
        assert_eq!(errand, expect, "{sent}");
    }
    world.said();
    for (wrong, why) in [("f13", "is no key"), ("rune", "needs text")] {
        world.send(&key.replace("KEY", wrong));
        let said = world.said();
        assert!(said[0].contains(why), "{said:?}");
    }
}
