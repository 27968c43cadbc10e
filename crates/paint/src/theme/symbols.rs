//! Characters that draw something, with and without Unicode.

/// Characters that draw something. Each takes one cell, unless it says otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Symbols {
    /// Whether characters beyond ASCII may be drawn.
    pub is_unicode: bool,
    /// Something is missing here; up to three cells.
    pub ellipsis: &'static str,
    /// Bullets of lists, by depth.
    pub bullets: [&'static str; 3],
    /// A task that is done; two or three cells.
    pub task_done: &'static str,
    /// A task that is open; as wide as `task_done`.
    pub task_open: &'static str,
    /// Beside a quotation.
    pub quote: &'static str,
    /// Beside the user's messages.
    pub user: &'static str,
    /// Before an answer or a tool.
    pub mark: &'static str,
    /// Before what belongs to the line above.
    pub branch: &'static str,
    /// At the start of what continues the line above.
    pub wrapped: &'static str,
    /// A line across.
    pub horizontal: &'static str,
    /// A line down.
    pub vertical: &'static str,
    /// Where both cross.
    pub cross: &'static str,
    /// Corners of a box: top left, top right, bottom left, bottom right.
    pub corners: [&'static str; 4],
    /// Ends of a line across inside of a box: left, right.
    pub tees: [&'static str; 2],
    /// What is done well.
    pub success: &'static str,
    /// What failed.
    pub failure: &'static str,
    /// What is marked in a list.
    pub pointer: &'static str,
    /// Something folded.
    pub folded: &'static str,
    /// Something unfolded.
    pub unfolded: &'static str,
    /// The part of a scroll bar that is seen.
    pub thumb: &'static str,
    /// Between two parts of one line.
    pub dot: &'static str,
    /// Leads to; up to two cells.
    pub arrow: &'static str,
}

impl Symbols {
    /// For a terminal that can draw them.
    #[must_use]
    pub const fn unicode() -> Self {
        Self {
            is_unicode: true,
            ellipsis: "…",
            bullets: ["•", "◦", "▪"],
            task_done: "[✓]",
            task_open: "[ ]",
            quote: "▎",
            user: "▌",
            mark: "●",
            branch: "└",
            wrapped: "↪",
            horizontal: "─",
            vertical: "│",
            cross: "┼",
            corners: ["╭", "╮", "╰", "╯"],
            tees: ["├", "┤"],
            success: "✓",
            failure: "✗",
            pointer: "▸",
            folded: "▸",
            unfolded: "▾",
            thumb: "█",
            dot: "·",
            arrow: "→",
        }
    }

    /// For every terminal.
    #[must_use]
    pub const fn ascii() -> Self {
        Self {
            is_unicode: false,
            ellipsis: "...",
            bullets: ["*", "-", "+"],
            task_done: "[x]",
            task_open: "[ ]",
            quote: "|",
            user: ">",
            mark: "*",
            branch: "`",
            wrapped: "\\",
            horizontal: "-",
            vertical: "|",
            cross: "+",
            corners: ["+", "+", "+", "+"],
            tees: ["+", "+"],
            success: "+",
            failure: "x",
            pointer: ">",
            folded: ">",
            unfolded: "v",
            thumb: "#",
            dot: "-",
            arrow: "->",
        }
    }
}
