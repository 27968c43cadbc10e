//! The words of the format: roles that have a colour, and parts of code that have a style.

/// An enum whose values are words of the format.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$item:meta])* $value:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$item])* $value,)* }

        impl $name {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$value,)*];

            /// The word in a file.
            #[must_use]
            pub fn word(self) -> &'static str {
                match self { $(Self::$value => $word,)* }
            }

            /// The value for a word.
            #[must_use]
            pub fn of(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.word() == word)
            }
        }
    };
}

words! {
    /// What has a colour.
    Role {
        /// Text.
        Foreground = "fg",
        /// What matters less: dividers, hints.
        Muted = "muted",
        /// Prompt, headings, links, what is active.
        Accent = "accent",
        /// Behind everything; absent leaves it to the terminal.
        Background = "background",
        /// The user's label.
        User = "user",
        /// Behind the user's messages.
        UserBubbleBackground = "user_bubble_bg",
        /// The text of the user's messages.
        UserBubbleForeground = "user_bubble_fg",
        /// The agent's label.
        Assistant = "assistant",
        /// Names of tools, success, added lines.
        Tool = "tool",
        /// What tools print.
        ToolOutput = "tool_out",
        /// Errors, refusals, removed lines.
        Error = "error",
        /// Warnings.
        Warning = "warning",
        /// The spinner.
        Spinner = "spinner",
        /// The status line while a model thinks as hard as it can. `thinkingMax` in old files.
        ThinkingMax = "thinking_max",
        /// Behind what is selected.
        SelectionBackground = "selection_bg",
        /// The text of what is selected.
        SelectionForeground = "selection_fg",
    }
}

words! {
    /// A part of code.
    Token {
        /// A keyword.
        Keyword = "keyword",
        /// A keyword that is a value, such as `true`.
        KeywordConstant = "keyword_constant",
        /// A keyword that declares, such as `let`.
        KeywordDeclaration = "keyword_declaration",
        /// A keyword about modules, such as `import`.
        KeywordNamespace = "keyword_namespace",
        /// A reserved word.
        KeywordReserved = "keyword_reserved",
        /// A keyword that is a type.
        KeywordType = "keyword_type",
        /// A built-in name.
        NameBuiltin = "name_builtin",
        /// A function's name.
        NameFunction = "name_function",
        /// A class's name.
        NameClass = "name_class",
        /// A decorator or attribute.
        NameDecorator = "name_decorator",
        /// A string.
        LiteralString = "literal_string",
        /// An escape in a string.
        LiteralStringEscape = "literal_string_escape",
        /// A number.
        LiteralNumber = "literal_number",
        /// A comment.
        Comment = "comment",
        /// A preprocessor's line.
        CommentPreproc = "comment_preproc",
        /// An operator.
        Operator = "operator",
        /// Brackets, commas.
        Punctuation = "punctuation",
        /// Everything else.
        Text = "text",
    }
}
