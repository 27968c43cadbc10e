//! Installing from a directory: what is copied, what is refused, what is left behind.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::time::Duration;

use zeug_ext_catalog::{Builder, CatalogError, Lock, SourceKind};

use crate::support::{World, names, read};

/// Installs what `prepare` makes in `src` and expects a refusal that leaves nothing.
async fn refused(prepare: impl FnOnce(&World), expect: &str) {
    let world = World::new();
    world.complete("src", "w");
    prepare(&world);
    let error = world.install("src").await.unwrap_err().to_string();
    assert!(error.contains(expect), "{error}");
    assert_eq!(world.extensions(), [""; 0]);
    assert!(!world.places.lock.exists());
}

#[tokio::test]
async fn a_directory_is_copied_under_its_manifest_name_and_recorded() {
    let world = World::new();
    world.complete("src/some-dir", "weather");
    let installed = world.install("src/some-dir").await.unwrap();
    assert_eq!(installed.name, "weather");
    assert_eq!(installed.dir, world.path("home/extensions/weather"));
    assert_eq!(
        installed.notes,
        ["it declares no permissions and runs with all of your rights"]
    );
    assert_eq!(world.extensions(), ["weather"]);
    assert_eq!(
        names(&installed.dir),
        ["extension.json", "notes.txt", "run.sh"]
    );
    let mode = fs::metadata(installed.dir.join("run.sh"))
        .unwrap()
        .permissions();
    assert_eq!(mode.mode() & 0o777, 0o755);

    let lock = Lock::load(&world.places.lock).unwrap();
    let record = lock.get("weather").unwrap();
    assert_eq!(record.kind, SourceKind::Path);
    assert_eq!(record.source, world.path("src/some-dir").to_string_lossy());
    assert!(record.hash.starts_with("sha256:") && record.files.len() == 3);
    assert_eq!(lock.verify("weather", &installed.dir).unwrap(), None);
}

#[tokio::test]
async fn gitignore_counts_with_negation_but_manifest_and_program_always_come() {
    let world = World::new();
    world.write(
        "src/.gitignore",
        "*.log\n!keep.log\n/bin/\nextension.json\n",
    );
    world.manifest("src", r#"{"name":"w","exec":"./bin/run"}"#);
    world.write_program("src/bin/run", "#!/bin/sh\n");
    for file in [
        "bin/other",
        "a.log",
        "keep.log",
        "sub/b.log",
        ".git/HEAD",
        ".hidden",
    ] {
        world.write(&format!("src/{file}"), "");
    }
    let dir = world.install("src").await.unwrap().dir;
    assert_eq!(
        names(&dir),
        [
            ".gitignore",
            ".hidden",
            "bin",
            "extension.json",
            "keep.log",
            "sub"
        ]
    );
    assert_eq!(names(&dir.join("bin")), ["run"]);
    assert_eq!(names(&dir.join("sub")), [""; 0]);
}

#[tokio::test]
async fn a_link_inside_becomes_a_file_and_others_are_refused() {
    let world = World::new();
    world.complete("src", "w");
    symlink("notes.txt", world.path("src/link")).unwrap();
    let dir = world.install("src").await.unwrap().dir;
    assert!(!dir.join("link").is_symlink());
    assert_eq!(read(&dir, "link"), "one\n");

    let link = |to: &str| {
        let to = PathBuf::from(to);
        move |world: &World| {
            world.write("outside", "secret");
            fs::create_dir(world.path("src/dir")).unwrap();
            symlink(to, world.path("src/link")).unwrap();
        }
    };
    refused(
        link("../outside"),
        "link leads to ../outside; that is outside",
    )
    .await;
    refused(
        link("/etc/passwd"),
        "link leads to /etc/passwd; that is outside",
    )
    .await;
    refused(link("dir"), "that is no file").await;
    refused(link("nowhere"), "nothing is there").await;
}

#[tokio::test]
async fn a_linked_directory_does_not_lead_out() {
    refused(
        |world| {
            world.write("outside/secret", "");
            symlink("../outside", world.path("src/sub")).unwrap();
        },
        "that is outside",
    )
    .await;
}

#[tokio::test]
async fn incomplete_sources_are_refused_with_the_next_step() {
    let program = |text: &'static str| {
        move |world: &World| {
            world.manifest("src", text);
        }
    };
    refused(
        |world| fs::remove_file(world.path("src/extension.json")).unwrap(),
        "there is no extension.json; give the directory that holds it",
    )
    .await;
    refused(program("{"), "manifest: ").await;
    refused(
        program(r#"{"exec":"./run.sh"}"#),
        "manifest: name is required",
    )
    .await;
    refused(
        program(r#"{"name":"../up","exec":"./run.sh"}"#),
        "manifest: invalid extension name \"../up\"",
    )
    .await;
    refused(program(r#"{"name":"w"}"#), "manifest: exec is required").await;
    refused(
        program(r#"{"name":"w","exec":"../run.sh"}"#),
        "manifest: exec \"../run.sh\" escapes the extension directory",
    )
    .await;
    refused(
        program(r#"{"name":"w","exec":"./none"}"#),
        "executable \"./none\" is missing; build it first",
    )
    .await;
    refused(
        |world| {
            fs::set_permissions(world.path("src/run.sh"), PermissionsExt::from_mode(0o644)).unwrap()
        },
        "executable \"./run.sh\" is not executable; run: chmod +x ./run.sh",
    )
    .await;
    refused(
        |world| {
            world.write("src/bin/x", "");
            world.manifest("src", r#"{"name":"w","exec":"./bin"}"#);
        },
        "executable \"./bin\" is a directory",
    )
    .await;
}

#[tokio::test]
async fn what_is_no_directory_is_refused() {
    let world = World::new();
    world.write("file", "");
    let error = world.install("file").await.unwrap_err().to_string();
    assert!(error.contains("not a directory"), "{error}");
    let error = world.install("missing").await.unwrap_err().to_string();
    assert!(error.contains("No such file"), "{error}");
}

#[tokio::test]
async fn a_taken_name_is_refused_also_in_another_case() {
    let world = World::new();
    world.complete("a", "weather");
    world.complete("b", "Weather");
    world.bare("home/extensions/old-dir", "todo");
    world.complete("c", "todo");
    world.install("a").await.unwrap();
    for source in ["a", "b", "c"] {
        let error = world.install(source).await.unwrap_err();
        assert!(
            matches!(error, CatalogError::AlreadyInstalled { .. }),
            "{error}"
        );
        assert!(error.to_string().contains("zeug ext update"), "{error}");
    }
    assert_eq!(world.extensions(), ["old-dir", "weather"]);
}

#[tokio::test]
async fn the_home_may_lie_inside_the_source() {
    let world = World::new();
    world.complete("", "w");
    let dir = world.install(".").await.unwrap().dir;
    assert!(dir.join("home").is_dir());
    assert!(!dir.join("home/extensions").exists());
}

#[tokio::test]
async fn an_unwritable_record_leaves_nothing() {
    let world = World::new();
    world.complete("src", "w");
    // A directory where the lock file should be: it reads as an error.
    fs::create_dir_all(&world.places.lock).unwrap();
    assert!(world.install("src").await.is_err());
    assert_eq!(world.extensions(), [""; 0]);
}

#[tokio::test]
async fn a_theme_alone_is_installed() {
    let world = World::new();
    world.manifest("src", r#"{"name":"dark"}"#);
    world.write("src/theme.json", "{}");
    let installed = world.install("src").await.unwrap();
    assert_eq!(installed.notes, [""; 0]);
}

/// A `PATH` on which `program` is this script.
fn with_program(world: &mut World, program: &str, script: &str) {
    world.write_program(&format!("bin/{program}"), &format!("#!/bin/sh\n{script}\n"));
    let path = format!("{}:/usr/bin:/bin", world.path("bin").display());
    world.tools.path = Some(path.into());
}

#[tokio::test]
async fn go_builds_in_the_source_and_writes_into_the_copy() {
    let mut world = World::new();
    world.manifest("src", r#"{"name":"w","exec":"./bin/w"}"#);
    world.write("src/main.go", "package main");
    let script = r#"pwd > "$PWD/../where"; echo "$@" > "$PWD/../args"
printf '#!/bin/sh\n' > "$4"; chmod +x "$4""#;
    with_program(&mut world, "go", script);
    let dir = world
        .install_with("src", Some(Builder::Go))
        .await
        .unwrap()
        .dir;
    assert!(dir.join("bin/w").is_file());
    assert_eq!(
        read(&world.path(""), "where").trim(),
        world.path("src").to_string_lossy()
    );
    let args = read(&world.path(""), "args");
    assert!(args.starts_with("build -trimpath -o ") && args.ends_with("/payload/bin/w .\n"));
    assert_eq!(names(&world.path("src")), ["extension.json", "main.go"]);
    let lock = Lock::load(&world.places.lock).unwrap();
    assert_eq!(lock.get("w").unwrap().build.as_deref(), Some("go"));
}

#[tokio::test]
async fn npm_runs_in_the_copy_and_without_zeugs_credentials() {
    let mut world = World::new();
    world.complete("src", "w");
    world.write("src/package-lock.json", "{}");
    world.write("src/node_modules/stale/x", "");
    let script = r#"echo "$@" "${ZEUG_TEST_SECRET-none}" > npm-was-here"#;
    with_program(&mut world, "npm", script);
    let dir = world
        .install_with("src", Some(Builder::Npm))
        .await
        .unwrap()
        .dir;
    assert_eq!(
        read(&dir, "npm-was-here"),
        "ci --omit=dev --no-audit --no-fund none\n"
    );
    assert!(!dir.join("node_modules").exists() && !world.path("src/npm-was-here").exists());
}

#[tokio::test]
async fn cargo_says_where_it_builds() {
    let mut world = World::new();
    world.manifest("src", r#"{"name":"w","exec":"./w"}"#);
    world.write("src/target/huge", "");
    let script = r#"if [ "$1" = metadata ]; then
  echo "{\"target_directory\":\"$PWD/target\",\"packages\":[]}"
else
  touch Cargo.lock; mkdir -p target/release; printf '#!/bin/sh\n' > target/release/w; chmod +x target/release/w
fi"#;
    with_program(&mut world, "cargo", script);
    let dir = world
        .install_with("src", Some(Builder::Cargo))
        .await
        .unwrap()
        .dir;
    assert_eq!(names(&dir), ["Cargo.lock", "extension.json", "w"]);
}

#[tokio::test]
async fn a_failed_build_shows_its_last_words_and_leaves_nothing() {
    let mut world = World::new();
    world.complete("src", "w");
    with_program(
        &mut world,
        "go",
        "echo 'main.go:3: undefined: x' >&2; exit 2",
    );
    let error = world
        .install_with("src", Some(Builder::Go))
        .await
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("go build failed: exit status 2") && error.contains("undefined: x"),
        "{error}"
    );
    assert_eq!(world.extensions(), [""; 0]);
}

#[tokio::test]
async fn a_build_needs_a_program_inside_the_extension() {
    let world = World::new();
    world.bare("src", "w");
    let error = world
        .install_with("src", Some(Builder::Go))
        .await
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("needs an exec inside the extension"),
        "{error}"
    );
    assert_eq!(world.extensions(), [""; 0]);
}

#[tokio::test]
async fn a_cancellation_in_mid_build_ends_the_builder_and_leaves_nothing() {
    let mut world = World::new();
    world.complete("src", "w");
    let fifo = world.path("started");
    rustix::fs::mkfifoat(rustix::fs::CWD, &fifo, rustix::fs::Mode::RWXU).unwrap();
    // Its child would outlive it, were not the whole group ended; both hold the pipe open.
    let script = format!(
        "exec 3> {}; sleep 600 & echo started >&3; wait",
        fifo.display()
    );
    with_program(&mut world, "npm", &script);
    let cancel = world.tools.cancel.clone();
    let ended = tokio::task::spawn_blocking(move || {
        let mut lines = BufReader::new(fs::File::open(fifo).unwrap());
        lines.read_line(&mut String::new()).unwrap();
        cancel.cancel();
        lines.read_to_end(&mut Vec::new()).unwrap();
    });
    let error = world
        .install_with("src", Some(Builder::Npm))
        .await
        .unwrap_err();
    assert!(matches!(error, CatalogError::Cancelled), "{error}");
    assert_eq!(world.extensions(), [""; 0]);
    let patience = Duration::from_secs(30);
    tokio::time::timeout(patience, ended)
        .await
        .unwrap()
        .unwrap();
}

#[tokio::test]
async fn a_cancellation_before_the_copy_leaves_nothing() {
    let world = World::new();
    world.complete("src", "w");
    world.tools.cancel.cancel();
    let error = world.install("src").await.unwrap_err();
    assert!(matches!(error, CatalogError::Cancelled));
    assert_eq!(world.extensions(), [""; 0]);
}
