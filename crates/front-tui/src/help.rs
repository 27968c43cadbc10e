//! The keys, as help shows them.

/// Keys and what they do.
const KEYS: [(&str, &str); 22] = [
    ("enter", "send; while something runs it waits for its turn"),
    ("shift+enter, ctrl+j, \\ enter", "begin a line"),
    ("esc", "close what is open, then take notes away, then stop"),
    ("ctrl+c", "empty the editor, stop; twice: leave"),
    ("ctrl+d", "leave, when the editor is empty"),
    ("up, down", "what was sent before; up takes back what waits"),
    ("ctrl+r", "look through what was sent before"),
    ("tab", "take what the pop-up offers"),
    (
        "page up, page down",
        "scroll; shift+up and shift+down by lines",
    ),
    ("ctrl+home, ctrl+end", "to the beginning, to the end"),
    ("ctrl+f", "search in the conversation"),
    ("alt+up", "select a message or a block, and copy it"),
    ("ctrl+o", "open or fold long output and thoughts"),
    (
        "ctrl+b",
        "the rail at the right, with widgets of extensions",
    ),
    ("ctrl+t", "leave the mouse to the terminal, to select text"),
    (
        "ctrl+w, alt+d, ctrl+u, ctrl+k",
        "cut a word or the rest of a line",
    ),
    ("ctrl+g", "write in your editor, $VISUAL or $EDITOR"),
    ("ctrl+y", "put back what was cut"),
    ("ctrl+z, alt+z", "undo, redo"),
    ("alt+b, alt+f, ctrl+a, ctrl+e", "move by words and lines"),
    ("ctrl+l", "draw everything anew"),
    (
        "@",
        "name a file; a dropped or pasted image goes with the prompt",
    ),
];

/// The keys, before what can be typed.
pub(crate) fn with_keys(commands: &str) -> String {
    let widest = KEYS.iter().map(|(key, _)| key.len()).max().unwrap_or(0);
    let mut text = String::new();
    for (key, what) in KEYS {
        text.push_str(&format!("{key:widest$}  {what}\n"));
    }
    text.push('\n');
    text.push_str(commands);
    text
}
