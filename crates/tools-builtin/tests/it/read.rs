//! `read` with real files.

use std::fs::{self, File};

use serde_json::json;
use zeug_transcript::{Content, Status};

use crate::bench::Bench;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";

#[tokio::test]
async fn a_short_file_comes_back_as_it_is() {
    let bench = Bench::new();
    bench.file("a.txt", "one\ntwo\n");
    assert_eq!(bench.ok("read", json!({"path": "a.txt"})).await, "one\ntwo");
    let absolute = bench.path("a.txt");
    assert_eq!(
        bench.ok("read", json!({"path": absolute})).await,
        "one\ntwo"
    );
    bench.file("empty", "");
    assert_eq!(
        bench.ok("read", json!({"path": "empty"})).await,
        "[the file is empty]"
    );
}

#[tokio::test]
async fn offset_and_limit_reach_lines_far_behind_the_cap() {
    let bench = Bench::new();
    let all: String = (1..=100_000).map(|n| format!("line {n}\n")).collect();
    bench.file("big", &all);
    let text = bench
        .ok("read", json!({"path": "big", "offset": 99_999, "limit": 5}))
        .await;
    assert_eq!(text, "line 99999\nline 100000");
    let text = bench
        .ok("read", json!({"path": "big", "offset": 50_000, "limit": 1}))
        .await;
    assert_eq!(
        text,
        "line 50000\n[lines 50000 to 50000 of a file of 1.0 MiB; go on with offset=50001]"
    );
    let text = bench
        .ok("read", json!({"path": "big", "limit": 9999}))
        .await;
    assert!(
        text.ends_with("line 2000\n[lines 1 to 2000 of a file of 1.0 MiB; go on with offset=2001]")
    );
    let said = bench
        .fails("read", json!({"path": "big", "offset": 100_001}))
        .await;
    assert_eq!(
        said,
        "read: big has 100000 lines, offset 100001 is past its end"
    );
}

#[tokio::test]
async fn an_image_is_told_by_its_bytes_not_by_its_name() {
    let bench = Bench::new();
    bench.file("picture.txt", PNG);
    let outcome = bench.run("read", json!({"path": "picture.txt"})).await;
    assert_eq!(outcome.status, Status::Completed);
    let [Content::Text { text }, Content::Image(image)] = outcome.content.as_slice() else {
        panic!("{outcome:?}");
    };
    assert_eq!(text, "[picture.txt: image/png, 16 bytes]");
    assert_eq!(image.mime_type, "image/png");
    assert_eq!(image.byte_len(), PNG.len());

    for (bytes, mime) in [
        (b"GIF89a\0".as_slice(), "image/gif"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "image/webp"),
    ] {
        bench.file("x", bytes);
        let outcome = bench.run("read", json!({"path": "x"})).await;
        assert!(
            matches!(&outcome.content[1], Content::Image(i) if i.mime_type == mime),
            "{mime}"
        );
    }
}

#[tokio::test]
async fn an_image_that_no_provider_takes_is_refused() {
    let bench = Bench::new();
    let path = bench.file("big.png", PNG);
    let file = File::options().write(true).open(path).unwrap();
    file.set_len(4 * 1024 * 1024).unwrap();
    let said = bench.fails("read", json!({"path": "big.png"})).await;
    assert!(
        said.contains("big.png has 4194304 bytes, the limit is 3932160; make a smaller copy"),
        "{said}"
    );
    file.set_len(3_932_160).unwrap();
    let outcome = bench.run("read", json!({"path": "big.png"})).await;
    assert_eq!(outcome.status, Status::Completed);
}

#[tokio::test]
async fn what_is_not_text_is_refused_with_the_next_step() {
    let bench = Bench::new();
    bench.file("program", b"\x7fELF\x02\x01\0\0");
    let said = bench.fails("read", json!({"path": "program"})).await;
    assert!(said.starts_with("read: program is a binary file"), "{said}");
    // A NUL far behind what is sniffed.
    bench.file("late", format!("{}\n\0", "x\n".repeat(10_000)));
    let said = bench
        .fails("read", json!({"path": "late", "offset": 10_000}))
        .await;
    assert!(said.contains("binary"), "{said}");
    bench.file("wide", b"\xff\xfea\0b\0");
    let said = bench.fails("read", json!({"path": "wide"})).await;
    assert!(said.contains("iconv"), "{said}");
}

#[tokio::test]
async fn text_in_another_encoding_is_shown_as_far_as_possible() {
    let bench = Bench::new();
    bench.file("latin1", b"caf\xe9\n");
    assert_eq!(
        bench.ok("read", json!({"path": "latin1"})).await,
        "caf\u{fffd}\n[bytes that are not UTF-8 are shown as \u{fffd}]"
    );
    bench.file("dos", "\u{feff}a\r\nb\r\n");
    assert_eq!(
        bench.ok("read", json!({"path": "dos"})).await,
        "a\nb\n[the lines end with CRLF; edit keeps that]"
    );
}

#[tokio::test]
async fn an_endless_line_is_cut_at_a_character_and_reading_goes_on_behind_it() {
    let bench = Bench::new();
    bench.file("long", format!("x{}\nnext\n", "é".repeat(100_000)));
    let text = bench.ok("read", json!({"path": "long"})).await;
    assert!(text.starts_with("xé") && text.len() < 52_000);
    assert!(
        text.contains("é\n[line 1 has 195.3 KiB, only its start is shown;"),
        "{}",
        &text[51_000..]
    );
    assert!(text.ends_with("go on with offset=2]"));
    let text = bench.ok("read", json!({"path": "long", "offset": 2})).await;
    assert_eq!(text, "next");
}

#[tokio::test]
async fn what_is_no_file_is_explained() {
    let bench = Bench::new();
    bench.file("src/main.rs", "");
    bench.file("src/deep/x", "");
    let said = bench.fails("read", json!({"path": "src"})).await;
    assert_eq!(
        said,
        "read: src is a directory; it contains deep/, main.rs; read a file of it"
    );
    let said = bench.fails("read", json!({"path": "src/mian.rs"})).await;
    assert_eq!(
        said,
        "read: no such file: src/mian.rs (did you mean src/main.rs?)"
    );
    let said = bench.fails("read", json!({"path": "/dev/null"})).await;
    assert!(said.contains("neither a file nor a directory"), "{said}");
    let said = bench.fails("read", json!({"path": ""})).await;
    assert!(said.contains("path is empty"), "{said}");
    let said = bench.fails("read", json!({"path": "src/main.rs/x"})).await;
    assert!(
        said.starts_with("read: cannot read src/main.rs/x:"),
        "{said}"
    );
}

#[tokio::test]
async fn a_tilde_is_the_home_directory() {
    let mut bench = Bench::new();
    fs::create_dir(bench.outside("home")).unwrap();
    fs::write(bench.outside("home/notes"), "hello").unwrap();
    bench.file("~x", "a name like any other");
    assert_eq!(bench.ok("read", json!({"path": "~/notes"})).await, "hello");
    assert_eq!(
        bench.ok("read", json!({"path": "~x"})).await,
        "a name like any other"
    );
    bench.options.home = None;
    let said = bench.fails("read", json!({"path": "~/notes"})).await;
    assert!(said.contains("no home directory is known"), "{said}");
}

#[tokio::test]
async fn a_cancelled_call_is_answered_at_once() {
    let bench = Bench::new();
    bench.file("a", "a");
    bench.cancel.cancel();
    for (tool, args) in [
        ("read", json!({"path": "a"})),
        ("write", json!({"path": "b", "content": ""})),
        (
            "edit",
            json!({"path": "a", "edits": [{"old_text": "a", "new_text": "b"}]}),
        ),
        ("bash", json!({"command": "touch b"})),
        ("grep", json!({"pattern": "a"})),
        ("glob", json!({"pattern": "*"})),
    ] {
        let outcome = bench.run(tool, args).await;
        assert_eq!(outcome.status, Status::Cancelled, "{tool}");
    }
    assert_eq!(
        (bench.names(), bench.content("a")),
        (vec!["a".to_owned()], "a".to_owned())
    );
}
