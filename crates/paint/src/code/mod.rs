//! Colours for code: which part of a line is a keyword, a string, a comment.
//!
//! The grammars take some hundred milliseconds to load, so a thread loads them and code is plain
//! until then. What the parts look like is the theme's matter.

mod scopes;

use std::ops::Range;
use std::sync::OnceLock;
use std::thread;

use syntect::parsing::{ParseState, ScopeStack, SyntaxReference, SyntaxSet};
use zeug_skills::theme::Token;

use scopes::Scopes;

/// Lines longer than this stay plain: minified code, data.
const MAX_LINE_BYTES: usize = 1024;
/// A block's code past this stays plain: nobody reads so much of it here.
const MAX_BLOCK_BYTES: usize = 256 * 1024;

static GRAMMARS: OnceLock<SyntaxSet> = OnceLock::new();

/// What colours code. The default never does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Highlighter {
    is_on: bool,
}

impl Highlighter {
    /// Starts to load the grammars on a thread of its own, once per process.
    ///
    /// Code is plain until [`Highlighter::is_ready`], for ever if the thread cannot be started.
    #[must_use]
    pub fn start() -> Self {
        static STARTED: OnceLock<()> = OnceLock::new();
        STARTED.get_or_init(|| {
            let loader = thread::Builder::new().name("grammars".to_owned());
            // Nobody waits for it: `is_ready` is asked before each frame.
            drop(loader.spawn(|| {
                let set = two_face::syntax::extra_newlines();
                warm_up(&set);
                // Somebody in a hurry may have loaded them meanwhile.
                drop(GRAMMARS.set(set));
            }));
        });
        Self { is_on: true }
    }

    /// Loads the grammars now: for programs that paint once and end.
    #[must_use]
    pub fn ready() -> Self {
        grammars();
        Self { is_on: true }
    }

    /// Whether code gets its colours by now.
    #[must_use]
    pub fn is_ready(self) -> bool {
        self.is_on && GRAMMARS.get().is_some()
    }

    fn grammars(self) -> Option<&'static SyntaxSet> {
        GRAMMARS.get().filter(|_| self.is_on)
    }
}

fn grammars() -> &'static SyntaxSet {
    GRAMMARS.get_or_init(two_face::syntax::extra_newlines)
}

/// Some code in the languages that come up most. A grammar's expressions are compiled when they
/// are first needed, which takes longer than a frame may.
const WARM_UP: [(&str, &str); 9] = [
    (
        "rs",
        "use a::B; // c\npub fn f<T>(x: &str) -> u8 { let y = \"s\\n\"; match x { _ => 1 } }\n",
    ),
    (
        "py",
        "import a\nclass B(C):\n    def f(self, x=1): # c\n        return f\"s{x}\"\n",
    ),
    (
        "ts",
        "import {a} from 'b'; // c\nexport const f = async (x: string): Promise<void> => { return `s${x}`; }\n",
    ),
    (
        "js",
        "const a = require('b'); // c\nfunction f(x) { return {y: 1, z: [true]}; }\n",
    ),
    (
        "bash",
        "for x in \"$@\"; do echo ${x%.*} | grep -v 'y' > z; done # c\n",
    ),
    ("json", "{\"a\": [1, true, null, \"s\"]}\n"),
    (
        "go",
        "package a\nfunc (b *B) F(x int) error { return fmt.Errorf(\"s %d\", x) } // c\n",
    ),
    ("toml", "[a.b]\nc = \"s\" # d\ne = [1, true]\n"),
    ("yaml", "a: b # c\nd:\n  - 1\n  - \"s\"\n"),
];

fn warm_up(set: &SyntaxSet) {
    for (language, code) in WARM_UP {
        let Some(mut state) = find(set, language).map(ParseState::new) else {
            continue;
        };
        for line in code.split_inclusive('\n') {
            // What matters is that it was tried.
            drop(state.parse_line(line, set));
        }
    }
}

/// A part of a line and what it is.
pub(crate) type Part = (Range<usize>, Option<Token>);

/// Colours the lines of one text, in order.
#[derive(Debug, Clone)]
pub(crate) struct Painter {
    grammar: Option<Reading>,
    bytes_left: usize,
    buffer: String,
}

#[derive(Clone)]
struct Reading {
    set: &'static SyntaxSet,
    state: ParseState,
    stack: ScopeStack,
}

impl std::fmt::Debug for Reading {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reading").finish_non_exhaustive()
    }
}

impl Painter {
    /// For code in a language, by its name or its files' ending.
    pub(crate) fn new(code: Highlighter, language: &str) -> Self {
        Self::up_to(MAX_BLOCK_BYTES, code, language)
    }

    /// One that gives up after so many bytes.
    pub(crate) fn up_to(bytes: usize, code: Highlighter, language: &str) -> Self {
        let grammar = code.grammars().and_then(|set| {
            let syntax = find(set, language)?;
            Some(Reading {
                set,
                state: ParseState::new(syntax),
                stack: ScopeStack::new(),
            })
        });
        Self {
            grammar,
            bytes_left: bytes,
            buffer: String::new(),
        }
    }

    /// Whether it has no colours to give, so that lines cost nothing.
    pub(crate) fn is_plain(&self) -> bool {
        self.grammar.is_none()
    }

    /// The parts of the next line, which has no line feed; together they are all of it.
    pub(crate) fn line(&mut self, line: &str) -> Vec<Part> {
        let whole = || vec![(0..line.len(), None)];
        let Some(reading) = &mut self.grammar else {
            return whole();
        };
        if line.len() > MAX_LINE_BYTES || line.len() > self.bytes_left {
            // What follows would be read from a wrong state.
            self.grammar = None;
            return whole();
        }
        self.bytes_left -= line.len();
        self.buffer.clear();
        self.buffer.push_str(line);
        self.buffer.push('\n');
        match reading.line(&self.buffer, line.len()) {
            Some(parts) => parts,
            None => {
                self.grammar = None;
                whole()
            }
        }
    }
}

impl Reading {
    /// `None` when the grammar gives up on this line.
    fn line(&mut self, line: &str, len: usize) -> Option<Vec<Part>> {
        let ops = self.state.parse_line(line, self.set).ok()?;
        let mut parts: Vec<Part> = Vec::new();
        let mut at = 0;
        for (to, op) in ops {
            let to = to.min(len);
            self.push(at..to, &mut parts);
            at = at.max(to);
            self.stack.apply(&op).ok()?;
        }
        self.push(at..len, &mut parts);
        Some(parts)
    }

    fn push(&self, range: Range<usize>, parts: &mut Vec<Part>) {
        if range.is_empty() {
            return;
        }
        let token = Scopes::get().token(self.stack.as_slice());
        match parts.last_mut() {
            Some((last, known)) if *known == token && last.end == range.start => {
                last.end = range.end;
            }
            _ => parts.push((range, token)),
        }
    }
}

fn find<'a>(set: &'a SyntaxSet, language: &str) -> Option<&'a SyntaxReference> {
    let language = language.to_ascii_lowercase();
    let language = match &*language {
        "" | "text" | "txt" | "plain" | "plaintext" | "output" => return None,
        "shell" | "console" | "shell-session" | "sh-session" | "terminal" => "bash",
        "jsonc" | "json5" | "ndjson" | "jsonl" => "json",
        "typescriptreact" => "tsx",
        "javascriptreact" => "jsx",
        "c++" => "cpp",
        "golang" => "go",
        other => other,
    };
    set.find_syntax_by_token(language)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(language: &str, line: &str) -> Vec<(String, Option<Token>)> {
        let mut painter = Painter::new(Highlighter::ready(), language);
        let parts = painter.line(line);
        let text = |range: Range<usize>| line[range].to_owned();
        parts
            .into_iter()
            .map(|(at, token)| (text(at), token))
            .collect()
    }

    #[test]
    fn parts_of_code_are_told_apart() {
        let check = |language: &str, line: &str, part: &str, expect: Token| {
            let tokens = tokens(language, line);
            let found = tokens.iter().find(|(text, _)| text.trim() == part);
            let found = found.unwrap_or_else(|| panic!("{part} in {tokens:?}"));
            assert_eq!(found.1, Some(expect), "{line}: {tokens:?}");
        };
        check("rust", "fn main() {} // hi", "// hi", Token::Comment);
        check("rs", "let x = 42;", "42", Token::LiteralNumber);
        check(
            "python",
            "return \"text\"",
            "\"text\"",
            Token::LiteralString,
        );
        check("python", "return 1", "return", Token::Keyword);
        check(
            "typescript",
            "const a = true;",
            "true",
            Token::KeywordConstant,
        );
        check("shell", "# note", "# note", Token::Comment);
        check("json", "{\"a\": 1}", "1", Token::LiteralNumber);
    }

    #[test]
    fn what_is_unknown_or_too_long_stays_plain() {
        assert_eq!(
            tokens("nothing-like-it", "let x"),
            [("let x".to_owned(), None)]
        );
        let long = format!("// {}", "x".repeat(MAX_LINE_BYTES));
        assert_eq!(tokens("rust", &long), [(long.clone(), None)]);
        let mut plain = Painter::new(Highlighter::default(), "rust");
        assert_eq!(plain.line("fn a() {}"), [(0..9, None)]);
    }

    #[test]
    fn the_warm_up_is_in_languages_that_there_are() {
        let set = grammars();
        for (language, _) in WARM_UP {
            assert!(find(set, language).is_some(), "{language}");
        }
        warm_up(set);
    }

    #[test]
    fn the_parts_are_the_whole_line() {
        for line in ["", "fn main() { println!(\"é日本\"); }", "\"open", "  /* x"] {
            let text: String = tokens("rust", line).into_iter().map(|(t, _)| t).collect();
            assert_eq!(text, line);
        }
    }
}
