//! `bash` with a real bash.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::time::timeout;
use zeug_stdx::json::RawJson;
use zeug_tool::Schema;
use zeug_transcript::{Outcome, Status};

use crate::bench::{Bench, call, names, text};

/// Longer than anything here takes, shorter than what the commands would like to take.
const SOON: Duration = Duration::from_secs(20);

fn structured(outcome: &Outcome) -> Value {
    outcome.structured.as_ref().unwrap().to_value()
}

/// Waits until a file has a line in it: a command has come so far.
async fn line_in(path: &Path) -> String {
    let wait = async {
        loop {
            if let Ok(text) = fs::read_to_string(path)
                && let Some(line) = text.strip_suffix('\n')
            {
                return line.to_owned();
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(SOON, wait).await.unwrap()
}

/// Waits until a process has ended; a zombie has.
async fn gone(pid: &str) {
    let wait = async {
        loop {
            let stat = fs::read_to_string(format!("/proc/{pid}/stat"));
            let state = stat.as_deref().ok().and_then(|s| s.rsplit(") ").next());
            if state.is_none_or(|state| state.starts_with('Z')) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(SOON, wait).await.unwrap();
}

#[tokio::test]
async fn both_outputs_come_in_order_and_in_the_project_directory() {
    let bench = Bench::new();
    let text = bench
        .ok(
            "bash",
            json!({"command": "echo out; echo err >&2; echo out; pwd; [[ a == a ]] && cat"}),
        )
        .await;
    let cwd = bench.path("").display().to_string();
    assert_eq!(
        text,
        format!("out\nerr\nout\n{}\n", cwd.trim_end_matches('/'))
    );
    assert_eq!(
        bench.ok("bash", json!({"command": "true"})).await,
        "[no output]"
    );
}

#[tokio::test]
async fn a_failing_command_is_an_error_with_its_output() {
    let bench = Bench::new();
    let outcome = bench
        .run("bash", json!({"command": "printf oops; exit 3"}))
        .await;
    assert_eq!(outcome.status, Status::Failed);
    assert_eq!(text(&outcome), "oops\n[exit 3]");
    let result = structured(&outcome);
    assert_eq!(result["exit_code"], 3);
    assert_eq!(result["output"], "oops");
    assert_eq!(result["truncated"], false);
    assert!(result["wall_time_seconds"].as_f64().unwrap() > 0.0);

    let outcome = bench.run("bash", json!({"command": "kill -SEGV $$"})).await;
    assert_eq!(text(&outcome), "[killed by SIGSEGV]");
    assert_eq!(structured(&outcome)["exit_code"], 139);
}

#[tokio::test]
async fn the_result_for_scripts_fits_its_schema() {
    let bench = Bench::new();
    let tool = bench.tool("bash");
    let schema = Schema::compile(tool.spec().output_schema.as_ref().unwrap()).unwrap();
    for command in ["true", "seq 1 100000", "kill -9 $$"] {
        let outcome = bench.run("bash", json!({"command": command})).await;
        schema.check(outcome.structured.as_ref().unwrap()).unwrap();
    }
    assert!(schema.check(&RawJson::empty_object()).is_err());
}

#[tokio::test]
async fn a_long_output_keeps_head_and_tail_and_the_rest_is_in_a_file() {
    let bench = Bench::new();
    let outcome = bench
        .run("bash", json!({"command": "seq 1 1000000; exit 1"}))
        .await;
    let text = text(&outcome);
    assert!(text.len() < 60_000);
    assert!(
        text.starts_with("1\n2\n") && text.ends_with("\n1000000\n[exit 1]"),
        "{text}"
    );
    let result = structured(&outcome);
    assert_eq!(result["truncated"], true);
    let path = result["full_output_path"].as_str().unwrap();
    assert!(
        text.contains(&format!(
            "[998000 lines, 6.5 MiB left out; all of it is in {path}]"
        )),
        "{text}"
    );
    let all = fs::read_to_string(path).unwrap();
    assert_eq!(all.lines().count(), 1_000_000);
    assert!(Path::new(path).starts_with(bench.outside("temp")));
}

#[tokio::test]
async fn a_short_output_leaves_no_file() {
    let bench = Bench::new();
    bench.ok("bash", json!({"command": "seq 1 100"})).await;
    assert!(!bench.outside("temp").exists());
}

#[tokio::test]
async fn bytes_that_are_no_text_do_no_harm() {
    let bench = Bench::new();
    let text = bench
        .ok("bash", json!({"command": r"printf 'a\xff\0b\xc3\xa9'"}))
        .await;
    assert_eq!(text, "a\u{fffd}\u{fffd}bé");
    let text = bench
        .ok("bash", json!({"command": "head -c 1000000 /dev/urandom"}))
        .await;
    assert!(text.len() < 60_000);
}

#[tokio::test]
async fn a_timeout_ends_the_whole_tree() {
    let bench = Bench::new();
    let started = Instant::now();
    let command =
        "(trap '' TERM; setsid sleep 1000 & echo $! > grandchild; sleep 1000) & echo began; wait";
    let outcome = bench
        .run("bash", json!({"command": command, "timeout": 1}))
        .await;
    assert!(started.elapsed() < SOON);
    assert_eq!(outcome.status, Status::TimedOut);
    assert_eq!(
        text(&outcome),
        "began\n[ended after 1 s; give a longer timeout (at most 3600 s) if it needs one]"
    );
    assert_eq!(structured(&outcome)["exit_code"], Value::Null);
    gone(&line_in(&bench.path("grandchild")).await).await;
}

#[tokio::test]
async fn a_cancelled_command_ends_at_once_with_its_children() {
    let bench = Bench::new();
    let (tool, cx) = (bench.tool("bash"), bench.context());
    let command = "echo partly; sleep 1000 & echo $! > child; wait";
    let call = call("bash", json!({"command": command}));
    let running = tokio::spawn(async move { tool.execute(&call, &cx).await });
    let child = line_in(&bench.path("child")).await;
    bench.cancel.cancel();
    let outcome = timeout(SOON, running).await.unwrap().unwrap();
    assert_eq!(outcome.status, Status::Cancelled);
    assert_eq!(text(&outcome), "partly\n[cancelled]");
    gone(&child).await;
}

#[tokio::test]
async fn a_dropped_call_ends_the_command() {
    let bench = Bench::new();
    let (tool, cx) = (bench.tool("bash"), bench.context());
    let call = call(
        "bash",
        json!({"command": "sleep 1000 & echo $! > child; wait"}),
    );
    let running = tokio::spawn(async move { tool.execute(&call, &cx).await });
    let child = line_in(&bench.path("child")).await;
    running.abort();
    gone(&child).await;
}

#[tokio::test]
async fn a_process_left_in_the_background_does_not_stall() {
    let bench = Bench::new();
    let command = "sleep 1000 & echo $! > child; echo done";
    let outcome = timeout(SOON, bench.run("bash", json!({"command": command})))
        .await
        .unwrap();
    assert_eq!(outcome.status, Status::Completed);
    assert_eq!(
        text(&outcome),
        "done\n[processes left in the background were ended]"
    );
    gone(&line_in(&bench.path("child")).await).await;
}

#[tokio::test]
async fn a_background_process_that_writes_without_pause_does_not_stall() {
    let bench = Bench::new();
    let outcome = timeout(
        SOON,
        bench.run("bash", json!({"command": "yes & echo done"})),
    )
    .await
    .unwrap();
    assert_eq!(outcome.status, Status::Completed);
    assert!(text(&outcome).len() < 60_000);
}

#[tokio::test]
async fn a_command_that_writes_without_pause_can_be_ended() {
    let bench = Bench::new();
    let outcome = timeout(
        SOON,
        bench.run("bash", json!({"command": "yes", "timeout": 1})),
    )
    .await
    .unwrap();
    assert_eq!(outcome.status, Status::TimedOut);
    let path = structured(&outcome)["full_output_path"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(fs::metadata(path).unwrap().len() <= 100 * 1024 * 1024);
    assert_eq!(names(&bench.outside("temp")).len(), 1);
}

#[tokio::test]
async fn progress_shows_the_lines_as_they_come() {
    let bench = Bench::new();
    let (cx, mut lines) = bench.context_with_progress(10);
    let tool = bench.tool("bash");
    let command = "echo first; while [ ! -e go ]; do sleep 0.01; done; echo second";
    let call = call("bash", json!({"command": command}));
    let running = tokio::spawn(async move { tool.execute(&call, &cx).await });
    let first = timeout(SOON, lines.recv()).await.unwrap();
    assert_eq!(first.as_deref(), Some("first"));
    bench.file("go", "");
    let second = timeout(SOON, lines.recv()).await.unwrap();
    assert_eq!(second.as_deref(), Some("second"));
    assert_eq!(text(&running.await.unwrap()), "first\nsecond\n");
}

#[tokio::test]
async fn credentials_do_not_reach_the_command() {
    let mut bench = Bench::new();
    // Any variable that is there for sure.
    let command = r#"echo "${CARGO_MANIFEST_DIR-gone}" "$GIT_TERMINAL_PROMPT""#;
    let text = bench.ok("bash", json!({"command": command})).await;
    assert_eq!(text, format!("{} 0\n", env!("CARGO_MANIFEST_DIR")));
    bench.options.env_remove = vec![OsString::from("CARGO_MANIFEST_DIR")];
    let text = bench.ok("bash", json!({"command": command})).await;
    assert_eq!(text, "gone 0\n");
}

#[tokio::test]
async fn a_preview_shows_the_command_line() {
    let bench = Bench::new();
    let preview = bench.preview("bash", json!({"command": "rm -rf x"})).await;
    assert_eq!(preview.unwrap(), "rm -rf x");
    let args = json!({"command": "x".repeat(20_000)});
    let preview = bench.preview("bash", args).await.unwrap();
    assert!(preview.ends_with("x\n[3616 more bytes are not shown]"));
    let args = json!({"command": "x", "timeout": 9999});
    let why = bench.preview("bash", args).await.unwrap_err();
    assert_eq!(
        why,
        "bash: timeout 9999 is out of range; give 1 to 3600 seconds"
    );
}

#[tokio::test]
async fn a_project_directory_that_is_gone_is_named() {
    let bench = Bench::new();
    fs::remove_dir(bench.path("")).unwrap();
    let said = bench.fails("bash", json!({"command": "true"})).await;
    assert!(
        said.starts_with("bash: cannot start \"bash\": its working directory "),
        "{said}"
    );
}
