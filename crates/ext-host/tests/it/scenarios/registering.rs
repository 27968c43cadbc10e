//! Registrations and subscriptions that are taken back, replaced or refused.

use serde_json::Value;

use crate::kit::*;

/// A guest that registered this beside a good tool, a good command and a good subscription; gives
/// what was remarked about it.
async fn remarked(frame: Value) -> Vec<String> {
    let mut rig = Rig::of(&["a"]);
    let good = [
        json!({"type": "register_tool", "name": "good_tool"}),
        json!({"type": "register_command", "name": "good_command"}),
        json!({"type": "subscribe", "events": ["turn_start"], "intercept": ["tool_call"]}),
    ];
    rig.joined("a", &[&[frame], &good[..]].concat()).await;
    let report = rig.report("a");
    assert_eq!(report.state, State::Ready("ready"));
    assert!(report.tools.contains(&"good_tool".to_owned()));
    assert!(report.commands.contains(&"good_command".to_owned()));
    assert_eq!(rig.board.tool_call.snapshot().len(), 1);
    report.diagnostics
}

async fn refused(frame: Value, part: &str) {
    let shown = frame.to_string();
    let remarks = remarked(frame).await;
    assert!(
        matches!(remarks.as_slice(), [one] if one.contains(part)),
        "{shown}: {remarks:?}, not {part:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn an_illegal_name_is_refused_with_the_rule() {
    let long = "x".repeat(65);
    for name in ["", "no blanks", "no/slash", "no.dot", "ümlaut", &long] {
        let rule = "use letters, digits, '_' and '-'";
        refused(json!({"type": "register_tool", "name": name}), rule).await;
        refused(json!({"type": "register_command", "name": name}), rule).await;
    }
    let remarks = remarked(json!({"type": "register_tool", "name": "x".repeat(64)})).await;
    assert_eq!(remarks, [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn a_schema_that_describes_no_object_is_refused() {
    let check = async |schema: Value, part: &str| {
        let tool = json!({"type": "register_tool", "name": "bad", "schema": schema});
        refused(tool, part).await;
    };
    check(json!(3), "schema must be a JSON Schema object").await;
    check(json!([]), "schema must be a JSON Schema object").await;
    check(json!("object"), "schema must be a JSON Schema object").await;
    check(json!({"type": "array"}), r#"set "type":"object""#).await;
    check(
        json!({"type": "object", "properties": {"a": {"type": "nonsense"}}}),
        "schema is not usable",
    )
    .await;
    check(
        json!({"properties": {"a": {"$ref": "https://example.com/s.json"}}}),
        "schema is not usable",
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn no_schema_means_any_object() {
    for tool in [
        json!({"type": "register_tool", "name": "any"}),
        json!({"type": "register_tool", "name": "any", "schema": null}),
        json!({"type": "register_tool", "name": "any", "schema": {}}),
    ] {
        let mut rig = Rig::of(&["a"]);
        rig.joined("a", &[tool]).await;
        let entry = rig.table.lookup("any").unwrap();
        let args = |text: &str| zeug_stdx::json::RawJson::parse(text).unwrap();
        assert!(entry.schema.check(&args(r#"{"x":[1]}"#)).is_ok());
        assert!(entry.schema.check(&args("[1]")).is_err());
    }
}

#[tokio::test(start_paused = true)]
async fn an_unknown_exposure_is_refused_with_the_known_ones() {
    refused(
        json!({"type": "register_tool", "name": "bad", "exposure": "hidden"}),
        "use direct, codemode, deferred or model-only",
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn exposure_decides_what_the_model_is_offered() {
    let mut rig = Rig::of(&["a"]);
    let tool = |name: &str, extra: Value| {
        let mut tool = json!({"type": "register_tool", "name": name});
        tool.as_object_mut()
            .unwrap()
            .extend(extra.as_object().unwrap().clone());
        tool
    };
    rig.joined(
        "a",
        &[
            tool("direct", json!({"exposure": "direct"})),
            tool("scripts", json!({"exposure": "codemode"})),
            tool("later", json!({"exposure": "deferred"})),
            tool("later2", json!({"deferred": true})),
            tool("shown", json!({"deferred": true, "exposure": "direct"})),
            tool("model", json!({"exposure": "model-only"})),
        ],
    )
    .await;
    let offered = rig.table.offered();
    let names: Vec<_> = offered
        .iter()
        .map(|e| e.tool.spec().name.as_str())
        .collect();
    assert_eq!(names, ["direct", "model", "shown"]);
}

#[tokio::test(start_paused = true)]
async fn a_tool_says_about_itself_what_was_registered() {
    let mut rig = Rig::of(&["a"]);
    rig.joined(
        "a",
        &[
            json!({"type": "register_tool", "name": "look", "description": "Looks",
            "interactive": true, "annotations": {"read_only": true},
            "output_schema": {"type": "string"}}),
        ],
    )
    .await;
    let entry = rig.table.lookup("look").unwrap();
    let spec = entry.tool.spec();
    assert_eq!(spec.description, "Looks");
    assert_eq!(spec.source.to_string(), "extension a");
    assert!(spec.interactive);
    assert!(spec.annotations.read_only && !spec.annotations.destructive);
    let output = spec.output_schema.as_ref().unwrap();
    assert_eq!(output.get(), r#"{"type":"string"}"#);
}

#[tokio::test(start_paused = true)]
async fn scripts_find_all_tools_but_those_of_the_model_alone_each_in_its_group() {
    let mut rig = Rig::of(&["a"]);
    let tool = |name: &str, more: Value| {
        let mut frame = json!({"type": "register_tool", "name": name});
        frame
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        frame
    };
    rig.joined(
        "a",
        &[
            tool("both", json!({})),
            tool(
                "script",
                json!({"exposure": "codemode", "namespace": "weather",
                    "namespace_description": "Observations",
                    "namespace_instructions": "Celsius"}),
            ),
            tool("later", json!({"deferred": true, "namespace": " "})),
            tool("model", json!({"exposure": "model-only"})),
        ],
    )
    .await;
    let found: Vec<_> = rig
        .table
        .scripted()
        .iter()
        .map(|entry| {
            let spec = entry.tool.spec();
            let group = &spec.namespace;
            let told = format!(
                "{}|{}|{}",
                group.name, group.description, group.instructions
            );
            format!("{} {told}", spec.name)
        })
        .collect();
    assert_eq!(
        found,
        [
            "both a||",
            "later a||",
            "script weather|Observations|Celsius"
        ]
    );
    let offered = rig.table.offered();
    assert!(
        offered
            .iter()
            .all(|entry| entry.tool.spec().name != "script")
    );
}

#[tokio::test(start_paused = true)]
async fn an_unknown_event_is_refused_with_the_nearest_known_one() {
    let subscribe = |name: &str| json!({"type": "subscribe", "events": [name, "turn_end"]});
    refused(subscribe("turn_strat"), r#"did you mean "turn_start"?"#).await;
    refused(subscribe("Tool_Call"), r#"did you mean "tool_call"?"#).await;
    refused(subscribe("weather"), "known are assistant_message").await;
}

#[tokio::test(start_paused = true)]
async fn an_unknown_interception_is_refused_with_the_nearest_known_one() {
    let subscribe = |item: Value| json!({"type": "subscribe", "intercept": [item]});
    refused(
        subscribe(json!("tool-call")),
        r#"did you mean "tool_call"?"#,
    )
    .await;
    refused(
        subscribe(json!({"name": "before_agent_strat", "priority": 3})),
        r#"did you mean "before_agent_start"?"#,
    )
    .await;
    refused(subscribe(json!(7)), r#"write "tool_call" or {"name""#).await;
    refused(
        subscribe(json!({"name": "tool_call", "on_failure": "explode"})),
        "refused: write",
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn names_that_will_be_fired_one_day_are_accepted() {
    let remarks = remarked(json!({"type": "subscribe",
        "events": ["session_opened", "pre_compact", "subagent_start"]}))
    .await;
    assert_eq!(remarks, [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn match_on_a_moment_without_a_subject_is_accepted_with_a_warning() {
    let subscribe = |moment: &str| json!({"type": "subscribe", "intercept": [{"name": moment, "match": ["bash"]}]});
    for moment in ["turn_start", "assistant_message", "before_agent_start"] {
        refused(subscribe(moment), "match").await;
    }
    let mut rig = Rig::of(&["a"]);
    rig.joined("a", &[subscribe("turn_start")]).await;
    assert_eq!(rig.board.turn_start.snapshot().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_frame_of_a_wrong_shape_is_dropped_with_a_remark() {
    refused(
        json!({"type": "register_tool", "name": 7}),
        "bad register_tool frame",
    )
    .await;
    refused(json!({"type": "register_command"}), "missing field `name`").await;
    refused(json!({"type": "weather_report"}), "weather_report").await;
    refused(json!({"name": "no type"}), "has no \"type\"").await;
    refused(json!([1, 2]), "malformed json frame").await;
}

#[tokio::test(start_paused = true)]
async fn lines_that_are_no_frames_cost_a_remark_each() {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.joined("a", &[]).await;
    a.write(b"loading...\n\n \t \n{\"type\":\"notify\",\"message\":\"\xff\"}\n")
        .await;
    a.line(r#"{"type":"notify","message":"\ud800"}"#).await;
    assert_eq!(rig.caught_up(&mut a).await, []);
    let remarks = rig.report("a").diagnostics;
    let expect = [
        "malformed json frame",
        "blank line",
        "blank line",
        "invalid UTF-8 at byte 28",
        "half of a surrogate pair at byte 28",
    ];
    assert_eq!(remarks.len(), expect.len(), "{remarks:#?}");
    for (remark, part) in remarks.iter().zip(expect) {
        assert!(remark.contains(part), "{remark:?}, not {part:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_remark_is_bounded_and_the_101st_is_only_counted() {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.joined("a", &[]).await;
    let long = "x".repeat(1024 * 1024);
    for frame in [
        json!({"type": "register_tool", "name": &long}),
        json!({"type": &long}),
        json!({"type": "subscribe", "events": [&long], "intercept": [[&long]]}),
        json!({"type": "tool_result", "id": 7, "is_error": &long}),
    ] {
        a.say(frame).await;
    }
    for _ in 0..100 {
        a.say(json!({"type": "weather"})).await;
    }
    rig.caught_up(&mut a).await;
    let report = rig.report("a");
    assert_eq!(report.diagnostics.len(), 100);
    assert_eq!(report.diagnostics_dropped, 5);
    let longest = report.diagnostics.iter().map(String::len).max();
    assert!(longest < Some(10_000), "{longest:?}");
}

#[tokio::test(start_paused = true)]
async fn a_registration_may_be_taken_back() {
    let mut rig = Rig::of(&["a"]);
    let tool = json!({"type": "register_tool", "name": "look"});
    let command = json!({"type": "register_command", "name": "Say"});
    let mut a = rig.joined("a", &[tool, command]).await;
    a.say(json!({"type": "unregister_tool", "name": "look"}))
        .await;
    a.say(json!({"type": "unregister_command", "name": "sAY"}))
        .await;
    let registered = News::Registered {
        extension: "a".to_owned(),
    };
    assert_eq!(
        rig.caught_up(&mut a).await,
        [registered.clone(), registered]
    );
    assert!(rig.table.lookup("look").is_none());
    assert_eq!(rig.host.commands(), []);
}

#[tokio::test(start_paused = true)]
async fn taking_back_what_one_does_not_hold_costs_a_remark() {
    let mut rig = Rig::of(&["a", "b"]);
    let tool = json!({"type": "register_tool", "name": "look"});
    let command = json!({"type": "register_command", "name": "say"});
    rig.joined("a", &[tool, command]).await;
    let mut b = rig.joined("b", &[]).await;
    b.say(json!({"type": "unregister_tool", "name": "look"}))
        .await;
    b.say(json!({"type": "unregister_command", "name": "say"}))
        .await;
    assert_eq!(rig.caught_up(&mut b).await, []);
    rig.diagnostic("b", "no tool \"look\" of this extension");
    rig.diagnostic("b", "no command \"say\" of this extension");
    assert_eq!(rig.report("a").tools, ["look"]);
    assert_eq!(rig.report("a").commands, ["say"]);
}

#[tokio::test(start_paused = true)]
async fn registering_again_replaces() {
    let mut rig = Rig::of(&["a"]);
    let tool = |d: &str| json!({"type": "register_tool", "name": "look", "description": d});
    let mut a = rig.joined("a", &[tool("old"), tool("new")]).await;
    rig.caught_up(&mut a).await;
    let entry = rig.table.lookup("look").unwrap();
    assert_eq!(entry.tool.spec().description, "new");
    a.say(json!({"type": "register_tool", "name": "look", "schema": 3}))
        .await;
    rig.caught_up(&mut a).await;
    assert!(
        rig.table.lookup("look").is_some(),
        "a bad one replaces nothing"
    );
}

#[tokio::test(start_paused = true)]
async fn the_limit_of_registrations_counts_what_is_held() {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.joined("a", &[]).await;
    for n in 0..3000 {
        let name = format!("tool{}", n % 10);
        a.say(json!({"type": "register_tool", "name": &name})).await;
        a.say(json!({"type": "unregister_tool", "name": &name}))
            .await;
        if n % 50 == 0 {
            rig.caught_up(&mut a).await;
        }
    }
    a.say(json!({"type": "register_command", "name": "last"}))
        .await;
    rig.caught_up(&mut a).await;
    assert_eq!(rig.report("a").diagnostics, [""; 0]);
    assert_eq!(rig.report("a").commands, ["last"]);
}

#[tokio::test(start_paused = true)]
async fn the_1025th_tool_is_refused() {
    let mut rig = Rig::of(&["a"]);
    let mut a = rig.joined("a", &[]).await;
    for n in 0..1025 {
        a.say(json!({"type": "register_tool", "name": format!("tool{n}")}))
            .await;
        if n % 50 == 0 {
            rig.caught_up(&mut a).await;
        }
    }
    rig.caught_up(&mut a).await;
    assert_eq!(rig.report("a").tools.len(), 1024);
    rig.diagnostic("a", "tool tool1024 refused");
}

#[tokio::test(start_paused = true)]
async fn an_interception_with_an_id_may_be_disposed_of() {
    let mut rig = Rig::of(&["a"]);
    let item = |id: &str| json!({"name": "tool_call", "id": id});
    let mut a = rig
        .joined(
            "a",
            &[json!({"type": "subscribe", "intercept": [item("x"), item("y")]})],
        )
        .await;
    a.say(json!({"type": "unsubscribe", "id": "x"})).await;
    rig.caught_up(&mut a).await;
    let left: Vec<_> = rig
        .board
        .tool_call
        .snapshot()
        .iter()
        .map(|l| l.meta().id.clone())
        .collect();
    assert_eq!(left, [Some("y".to_owned())]);
}
