//! The tool `skill`, as the engine calls it.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use zeug_skills::{Shelf, SkillTool};
use zeug_stdx::claims::Order;
use zeug_stdx::json::RawJson;
use zeug_tool::{Call, Context, Filter, Origin, Progress, Table, Tool};
use zeug_transcript::{Content, Outcome, Status};

use crate::world::World;

async fn call(shelf: &Shelf, args: Value, origin: Origin, cancel: CancellationToken) -> Outcome {
    let call = Call {
        id: "t1".to_owned(),
        name: "skill".to_owned(),
        args: RawJson::from_value(&args),
    };
    let context = Context {
        cancel,
        cwd: Arc::new("/".into()),
        can_interact: false,
        origin,
        progress: Progress::nowhere(),
        nested: zeug_tool::Nested::default(),
    };
    SkillTool::new(shelf.clone()).execute(&call, &context).await
}

async fn ask(shelf: &Shelf, name: &str) -> (Status, String) {
    let cancel = CancellationToken::new();
    let outcome = call(shelf, json!({"name": name}), Origin::Model, cancel).await;
    (outcome.status, Content::joined(&outcome.content))
}

#[tokio::test]
async fn a_skill_comes_with_name_description_and_body() {
    let mut world = World::new();
    world.roots.built_in = true;
    world.write(
        "state/skills/a/SKILL.md",
        "---\nname: a\ndescription: Does a.\nallowed-tools: read, bash\n---\n\n1. Look.\n\n---\n2. Do.\n",
    );
    let shelf = Shelf::new(world.discover().skills);
    let (status, text) = ask(&shelf, "a").await;
    assert_eq!(status, Status::Completed);
    assert_eq!(
        text,
        format!(
            "# Skill: a\n\nDoes a.\n\n---\n\n1. Look.\n\n---\n2. Do.\n\n[files it names are relative to {}; tools it is meant to use: read, bash]",
            world.path("state/skills/a").display()
        )
    );
    let (_, text) = ask(&shelf, "write-zeug-extension").await;
    assert!(
        text.starts_with("# Skill: write-zeug-extension\n\nBuild, "),
        "{text}"
    );
    assert!(
        !text.trim_end().ends_with(']') && !text.contains("\n\nname: "),
        "{text}"
    );
}

#[tokio::test]
async fn an_edit_and_a_reload_count_at_once() {
    let world = World::new();
    world.skill("state/skills/a", "a");
    let shelf = Shelf::new(world.discover().skills);
    world.write(
        "state/skills/a/SKILL.md",
        "---\ndescription: new\n---\nEdited.",
    );
    assert!(ask(&shelf, "a").await.1.contains("Edited."));
    world.skill("state/skills/b", "b");
    assert_eq!(ask(&shelf, "b").await.0, Status::Failed);
    shelf.replace(world.discover().skills);
    assert_eq!(ask(&shelf, "b").await.0, Status::Completed);
}

#[tokio::test]
async fn a_wrong_call_is_an_answer_with_the_next_step() {
    let world = World::new();
    world.skill("state/skills/review", "review");
    let shelf = Shelf::new(world.discover().skills);
    let (status, text) = ask(&shelf, "reveiw").await;
    assert_eq!(status, Status::Failed);
    assert_eq!(
        text,
        "skill: no skill is named \"reveiw\" (did you mean review?); there are review"
    );
    let outcome = call(
        &shelf,
        json!({"nme": 1}),
        Origin::Model,
        CancellationToken::new(),
    )
    .await;
    let text = Content::joined(&outcome.content);
    assert!(
        text.starts_with("skill: the arguments do not fit: unknown field `nme`"),
        "{text}"
    );
}

#[tokio::test]
async fn what_only_the_user_may_start_is_refused_to_the_model() {
    let world = World::new();
    world.write(
        "state/skills/deploy/SKILL.md",
        "---\ndescription: d\ndisable-model-invocation: true\n---\nShip.",
    );
    let shelf = Shelf::new(world.discover().skills);
    let (status, text) = ask(&shelf, "deploy").await;
    assert_eq!(status, Status::Failed);
    assert!(text.contains("/skill:deploy"), "{text}");
    let args = json!({"name": "deploy"});
    let outcome = call(&shelf, args, Origin::User, CancellationToken::new()).await;
    assert_eq!(outcome.status, Status::Completed);
}

#[tokio::test]
async fn a_cancelled_call_says_so() {
    let world = World::new();
    let cancel = CancellationToken::new();
    cancel.cancel();
    let shelf = Shelf::new(world.discover().skills);
    let outcome = call(&shelf, json!({"name": "a"}), Origin::Model, cancel).await;
    assert_eq!(outcome.status, Status::Cancelled);
}

#[tokio::test]
async fn the_tool_can_be_registered_and_checks_its_arguments() {
    let table = Table::new(Filter::All);
    let tool = Arc::new(SkillTool::new(Shelf::default()));
    assert!(tool.spec().annotations.read_only);
    table.register("zeug", Order::BUILT_IN, tool).unwrap();
    let schema = table.lookup("skill").unwrap().schema;
    let fits = |args: Value| schema.check(&RawJson::from_value(&args)).is_ok();
    assert!(fits(json!({"name": "a"})));
    for args in [json!({}), json!({"name": 1}), json!({"name": "a", "x": 1})] {
        assert!(!fits(args.clone()), "{args}");
    }
}
