//! The terminal while the face has it: taken over, and given back whatever happens.

use std::io::{Write, stdout};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use base64::Engine as _;
use crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
    KeyboardEnhancementFlags, PopKeyboardEnhancementFlags, PushKeyboardEnhancementFlags,
};
use crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{cursor, execute};

/// The most bytes that terminals take for the clipboard.
const CLIPBOARD_BYTES: usize = 74_000;

/// Whether the terminal is ours now.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// Whether another program has it on our behalf.
static LENT: AtomicBool = AtomicBool::new(false);

/// Whether another program has the terminal on the face's behalf: what ctrl+c means then is for
/// that program to say.
#[must_use]
pub fn is_lent() -> bool {
    LENT.load(Ordering::SeqCst)
}

/// Gives the terminal back when it is dropped.
#[derive(Debug)]
pub(crate) struct Guard {
    has_mouse: bool,
}

impl Guard {
    /// Takes the terminal over.
    ///
    /// # Errors
    /// When it is none, or refuses.
    pub(crate) fn take(has_mouse: bool) -> std::io::Result<Self> {
        restore_on_panic();
        let guard = Self { has_mouse };
        guard.enter()?;
        Ok(guard)
    }

    /// Gives the terminal to another program for a while.
    pub(crate) fn lend(&mut self) {
        restore();
        LENT.store(true, Ordering::SeqCst);
    }

    /// Takes the terminal over again.
    ///
    /// # Errors
    /// When it refuses.
    pub(crate) fn take_back(&mut self) -> std::io::Result<()> {
        LENT.store(false, Ordering::SeqCst);
        self.enter()
    }

    fn enter(&self) -> std::io::Result<()> {
        TAKEN.store(true, Ordering::SeqCst);
        enable_raw_mode()?;
        // Terminals that do not know the flags pass over them; those that do tell shift+enter from
        // enter.
        let flags = KeyboardEnhancementFlags::DISAMBIGUATE_ESCAPE_CODES;
        execute!(
            stdout(),
            EnterAlternateScreen,
            EnableBracketedPaste,
            PushKeyboardEnhancementFlags(flags),
        )?;
        self.mouse(self.has_mouse)
    }

    /// Whether the terminal reports the mouse from now on.
    pub(crate) fn set_mouse(&mut self, has_mouse: bool) -> std::io::Result<()> {
        self.has_mouse = has_mouse;
        self.mouse(has_mouse)
    }

    fn mouse(&self, has_mouse: bool) -> std::io::Result<()> {
        if has_mouse {
            execute!(stdout(), EnableMouseCapture)
        } else {
            execute!(stdout(), DisableMouseCapture)
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        restore();
    }
}

/// Gives the terminal back if the face has it: for whoever ends the process at once.
pub fn restore() {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    // A terminal that is gone needs nothing back.
    drop(execute!(
        stdout(),
        DisableMouseCapture,
        PopKeyboardEnhancementFlags,
        DisableBracketedPaste,
        LeaveAlternateScreen,
        cursor::Show,
    ));
    drop(disable_raw_mode());
}

/// A panic of the face is told on a terminal that is in order again; those of tasks that are caught
/// go into the log, and the face goes on.
fn restore_on_panic() {
    static ONCE: Once = Once::new();
    let face = std::thread::current().id();
    ONCE.call_once(|| {
        let told = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if std::thread::current().id() == face || !TAKEN.load(Ordering::SeqCst) {
                restore();
                told(panic);
            } else {
                tracing::error!("{panic}");
            }
        }));
    });
}

/// Puts a text into the clipboard, also over ssh: OSC 52. False when it is too long for that.
pub(crate) fn copy(text: &str) -> std::io::Result<bool> {
    let encoded = base64::engine::general_purpose::STANDARD.encode(text);
    if encoded.len() > CLIPBOARD_BYTES {
        return Ok(false);
    }
    let mut out = stdout();
    write!(out, "\x1b]52;c;{encoded}\x07")?;
    out.flush()?;
    Ok(true)
}

/// Rings the bell, once.
pub(crate) fn bell() -> std::io::Result<()> {
    let mut out = stdout();
    out.write_all(b"\x07")?;
    out.flush()
}
