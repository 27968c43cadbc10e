//! What extensions show, line by line.

use zeug_rpc_protocol::{Event, NoteLevel, PanelData};

use crate::lines::check;

#[test]
fn what_extensions_show() {
    check(
        Event::ExtAlert {
            extension: "ask".into(),
            kind: "bell".into(),
            reason: String::new(),
        },
        r#"{"type":"ext_alert","extension":"ask","kind":"bell","reason":""}"#,
    );
    check(
        Event::ExtStatus {
            extension: "phases".into(),
            key: "plan".into(),
            level: NoteLevel::Success,
            text: "1/3".into(),
        },
        r#"{"type":"ext_status","extension":"phases","key":"plan","level":"success","text":"1/3"}"#,
    );
    check(
        Event::ExtWidget {
            extension: "phases".into(),
            id: "plan".into(),
            position: "right_bar".into(),
            title: None,
            lines: vec!["[x] a".into()],
        },
        r#"{"type":"ext_widget","extension":"phases","id":"plan","position":"right_bar","lines":["[x] a"]}"#,
    );
    check(
        Event::ExtWidgetClear {
            extension: "phases".into(),
            id: "plan".into(),
        },
        r#"{"type":"ext_widget_clear","extension":"phases","id":"plan"}"#,
    );
    check(
        Event::ExtChromeClear {
            extension: "phases".into(),
        },
        r#"{"type":"ext_chrome_clear","extension":"phases"}"#,
    );
    let panel = |footer: Option<&str>| PanelData {
        extension: "todo".into(),
        panel_id: "todos".into(),
        title: "Todos".into(),
        lines: vec!["one".into()],
        footer: footer.map(str::to_owned),
    };
    check(
        Event::ExtPanelOpen(panel(None)),
        r#"{"type":"ext_panel_open","extension":"todo","panel_id":"todos","title":"Todos","lines":["one"]}"#,
    );
    check(
        Event::ExtPanelRender(panel(Some("q quits"))),
        r#"{"type":"ext_panel_render","extension":"todo","panel_id":"todos","title":"Todos","lines":["one"],"footer":"q quits"}"#,
    );
    check(
        Event::ExtPanelClose {
            extension: "todo".into(),
            panel_id: "todos".into(),
        },
        r#"{"type":"ext_panel_close","extension":"todo","panel_id":"todos"}"#,
    );
}
