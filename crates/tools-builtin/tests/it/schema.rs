//! What the tools say about themselves.

use serde_json::{Value, json};
use zeug_stdx::claims::Order;
use zeug_stdx::json::RawJson;
use zeug_tool::{Filter, Schema, Table, valid_name};

use crate::bench::Bench;

fn accepts(tool: &str, args: &Value) -> bool {
    let tool = Bench::new().tool(tool);
    let schema = Schema::compile(&tool.spec().schema).unwrap();
    schema.check(&RawJson::from_value(args)).is_ok()
}

#[tokio::test]
async fn every_tool_can_be_registered() {
    let table = Table::new(Filter::All);
    for tool in zeug_tools_builtin::all(Bench::new().options) {
        let spec = tool.spec();
        assert!(valid_name(&spec.name) && !spec.description.contains("  "));
        table.register("zeug", Order(0), tool).unwrap();
    }
    let names: Vec<String> = table.names().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["bash", "edit", "glob", "grep", "read", "write"]);
}

#[tokio::test]
async fn a_wrong_type_an_unknown_key_and_a_missing_key_are_refused() {
    for (tool, good) in [
        ("read", json!({"path": "a", "offset": 1, "limit": null})),
        ("write", json!({"path": "a", "content": ""})),
        (
            "edit",
            json!({"path": "a", "edits": [{"old_text": "a", "new_text": "b"}]}),
        ),
        ("bash", json!({"command": "ls", "timeout": 5})),
        (
            "grep",
            json!({"pattern": "x", "glob": "*.rs", "ignore_case": true, "context": 2}),
        ),
        ("glob", json!({"pattern": "*", "path": "src", "limit": 5})),
    ] {
        assert!(accepts(tool, &good), "{tool} {good}");
        let first = good.as_object().unwrap().keys().next().unwrap().clone();
        let mut wrong = good.clone();
        wrong[&first] = json!(7);
        assert!(!accepts(tool, &wrong), "{tool} {wrong}");
        let mut unknown = good.clone();
        unknown["surprise"] = json!(1);
        assert!(!accepts(tool, &unknown), "{tool} {unknown}");
        let mut missing = good.clone();
        missing.as_object_mut().unwrap().remove(&first);
        assert!(!accepts(tool, &missing), "{tool} {missing}");
    }
}

#[tokio::test]
async fn the_bounds_are_part_of_the_schema() {
    assert!(!accepts("bash", &json!({"command": "ls", "timeout": 0})));
    assert!(!accepts("bash", &json!({"command": "ls", "timeout": 3601})));
    assert!(!accepts("read", &json!({"path": "a", "limit": 0})));
    assert!(!accepts("edit", &json!({"path": "a", "edits": []})));
    let half = json!({"path": "a", "edits": [{"old_text": "a"}]});
    assert!(!accepts("edit", &half));
    let camel = json!({"path": "a", "edits": [{"oldText": "a", "newText": "b"}]});
    assert!(accepts("edit", &camel));
}

#[tokio::test]
async fn schemas_carry_no_ballast_and_describe_every_argument() {
    for tool in zeug_tools_builtin::all(Bench::new().options) {
        let schema = tool.spec().schema.to_value();
        for word in ["$schema", "$defs", "\"title\"", "\"format\""] {
            assert!(!schema.to_string().contains(word), "{word} in {schema}");
        }
        for (name, property) in schema["properties"].as_object().unwrap() {
            assert!(property["description"].is_string(), "{name} in {schema}");
        }
    }
}

#[tokio::test]
async fn annotations_tell_looking_from_changing() {
    for tool in zeug_tools_builtin::all(Bench::new().options) {
        let spec = tool.spec();
        let looks = ["read", "grep", "glob"].contains(&spec.name.as_str());
        assert_eq!(spec.annotations.read_only, looks, "{}", spec.name);
        assert_eq!(spec.annotations.destructive, !looks, "{}", spec.name);
    }
}

#[tokio::test]
async fn arguments_that_nobody_checked_are_refused_in_words() {
    let bench = Bench::new();
    for tool in zeug_tools_builtin::all(bench.options.clone()) {
        let name = tool.spec().name.clone();
        let said = bench.fails(&name, json!({"surprise": 1})).await;
        let start = format!("{name}: the arguments do not fit: unknown field `surprise`");
        assert!(said.starts_with(&start), "{said}");
    }
}

#[tokio::test]
async fn a_whole_number_may_be_written_with_a_fraction() {
    let bench = Bench::new();
    bench.file("a", "1\n2\n3\n");
    let args = json!({"path": "a", "offset": 2.0, "limit": 1.0});
    assert!(accepts("read", &args));
    assert!(bench.ok("read", args).await.starts_with("2\n["));
    let said = bench
        .fails("read", json!({"path": "a", "offset": 2.5}))
        .await;
    assert!(said.contains("floating point `2.5`"), "{said}");
}
