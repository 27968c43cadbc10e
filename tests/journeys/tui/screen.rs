//! A terminal around the binary: what is typed goes in, the screen comes out.

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

use crate::support::World;

/// Longer than anything takes that is not stuck, on a busy machine, too.
const PATIENCE: Duration = Duration::from_secs(30);

pub(super) const ENTER: &str = "\r";
pub(super) const ESC: &str = "\x1b";
pub(super) const CTRL_C: &str = "\x03";

struct Shown {
    parser: vt100::Parser,
    /// Everything that came out, as it came.
    raw: Vec<u8>,
    is_over: bool,
}

/// The binary in a terminal.
pub(super) struct Screen {
    shown: Arc<(Mutex<Shown>, Condvar)>,
    pub(super) child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    keys: Arc<Mutex<Box<dyn Write + Send>>>,
}

impl Screen {
    /// Starts it with these arguments on so many columns and rows.
    pub(super) fn start<S: AsRef<OsStr>>(world: &World, size: (u16, u16), args: &[S]) -> Self {
        Self::start_with(world, size, args, &[])
    }

    /// On a terminal with a light background.
    pub(super) fn start_on_light(world: &World) -> Self {
        let colors = "\x1b]10;rgb:0000/0000/0000\x1b\\\x1b]11;rgb:ffff/ffff/ffff\x1b\\";
        Self::open(world, (80, 24), &["--yolo"], &[], colors)
    }

    /// With variables in its environment.
    pub(super) fn start_with<S: AsRef<OsStr>>(
        world: &World,
        size: (u16, u16),
        args: &[S],
        variables: &[(&str, &str)],
    ) -> Self {
        Self::open(world, size, args, variables, "")
    }

    /// `colors` is what the terminal answers to who asks for them.
    fn open<S: AsRef<OsStr>>(
        world: &World,
        size: (u16, u16),
        args: &[S],
        variables: &[(&str, &str)],
        colors: &'static str,
    ) -> Self {
        let size = PtySize {
            cols: size.0,
            rows: size.1,
            ..PtySize::default()
        };
        let pair = native_pty_system().openpty(size).expect("a terminal");
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_zeug"));
        command.args(args);
        command.cwd(world.project());
        command.env("ZEUG_HOME", world.home());
        command.env("TERM", "xterm-256color");
        command.env("LANG", "C.UTF-8");
        for name in [
            "ZEUG_LOG",
            "NO_COLOR",
            "LC_ALL",
            "COLORFGBG",
            "VISUAL",
            "EDITOR",
            "http_proxy",
        ] {
            command.env_remove(name);
        }
        for name in zeug_config::CREDENTIALS {
            command.env_remove(name);
        }
        for (name, value) in variables {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).expect("zeug starts");
        drop(pair.slave);
        let mut out = pair.master.try_clone_reader().expect("what it prints");
        let keys = pair.master.take_writer().expect("its keyboard");
        let keys = Arc::new(Mutex::new(keys));
        let answers = Arc::clone(&keys);
        let shown = Shown {
            parser: vt100::Parser::new(size.rows, size.cols, 0),
            raw: Vec::new(),
            is_over: false,
        };
        let shown = Arc::new((Mutex::new(shown), Condvar::new()));
        let seen = Arc::clone(&shown);
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            loop {
                let count = out.read(&mut bytes).unwrap_or(0);
                if bytes[..count].windows(3).any(|bytes| bytes == b"\x1b[c") {
                    // A terminal says what it is, and before that its colours, if it tells them.
                    let mut keys = answers.lock().unwrap();
                    drop(keys.write_all(format!("{colors}\x1b[?62;22c").as_bytes()));
                }
                let mut shown = seen.0.lock().unwrap();
                shown.parser.process(&bytes[..count]);
                shown.raw.extend_from_slice(&bytes[..count]);
                shown.is_over = count == 0;
                seen.1.notify_all();
                if count == 0 {
                    return;
                }
            }
        });
        Self {
            shown,
            child,
            master: pair.master,
            keys,
        }
    }

    /// Types this.
    pub(super) fn keys(&mut self, keys: &str) {
        let mut keyboard = self.keys.lock().unwrap();
        keyboard.write_all(keys.as_bytes()).expect("a keyboard");
        keyboard.flush().expect("a keyboard");
    }

    /// The terminal has another size from now on.
    pub(super) fn resize(&mut self, cols: u16, rows: u16) {
        // The parser first: what is printed after the change is for the new size.
        self.shown
            .0
            .lock()
            .unwrap()
            .parser
            .screen_mut()
            .set_size(rows, cols);
        let size = PtySize {
            cols,
            rows,
            ..PtySize::default()
        };
        self.master.resize(size).expect("another size");
    }

    /// Waits until the screen is as wanted; the screen.
    #[track_caller]
    pub(super) fn until(&self, what: &str, wanted: impl Fn(&str) -> bool) -> String {
        let deadline = Instant::now() + PATIENCE;
        let mut shown = self.shown.0.lock().unwrap();
        loop {
            let text = shown.parser.screen().contents();
            if wanted(&text) {
                return text;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(!left.is_zero() && !shown.is_over, "no {what} on:\n{text}");
            shown = self.shown.1.wait_timeout(shown, left).unwrap().0;
        }
    }

    /// Waits until the screen has this text.
    #[track_caller]
    pub(super) fn shows(&self, text: &str) -> String {
        self.until(text, |screen| screen.contains(text))
    }

    /// Waits until the screen has this text no more.
    #[track_caller]
    pub(super) fn hides(&self, text: &str) -> String {
        self.until(&format!("screen without {text}"), |screen| {
            !screen.contains(text)
        })
    }

    /// Waits for the end: the exit code, and everything that was printed.
    pub(super) fn ends(mut self) -> (u32, String) {
        let deadline = Instant::now() + PATIENCE;
        let mut shown = self.shown.0.lock().unwrap();
        while !shown.is_over {
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(
                !left.is_zero(),
                "it does not end:\n{}",
                shown.parser.screen().contents()
            );
            shown = self.shown.1.wait_timeout(shown, left).unwrap().0;
        }
        let text = String::from_utf8_lossy(&shown.raw).into_owned();
        drop(shown);
        let status = self.child.wait().expect("an exit code");
        (status.exit_code(), text)
    }
}
