//! What can have a look of its own.

/// An enum with a list of its values, in order.
macro_rules! roles {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// What can have a look of its own.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Role { $($(#[$doc])* $name,)* }

        impl Role {
            /// All of them, in order.
            pub const ALL: [Self; Self::COUNT] = [$(Self::$name,)*];
            /// How many there are.
            pub const COUNT: usize = [$(stringify!($name),)*].len();
        }
    };
}

roles! {
    /// Everything that has no role of its own.
    Text,
    /// What matters less: hints, times, counts.
    Dim,
    /// What is active or wants to be seen.
    Accent,
    /// Lines around and between things.
    Border,
    /// The border of what has the keyboard.
    BorderActive,
    /// Behind everything.
    Background,
    /// The mark beside the user's messages.
    UserMark,
    /// The user's messages.
    User,
    /// The agent's answers.
    Assistant,
    /// The agent's reasoning.
    Thinking,
    /// A tool's name.
    Tool,
    /// What a tool is called with.
    ToolArgs,
    /// What a tool printed.
    ToolOutput,
    /// The mark of what runs.
    Running,
    /// The mark of what went well.
    Success,
    /// What went wrong.
    Error,
    /// A warning.
    Warning,
    /// A note of no weight.
    Info,
    /// The name of an extension beside what it says.
    Owner,
    /// A heading of the first two levels.
    Heading,
    /// A heading further down.
    Subheading,
    /// Text that is strongly emphasised.
    Strong,
    /// Text that is emphasised.
    Emphasis,
    /// Text that is struck out.
    Strike,
    /// The text of a link.
    Link,
    /// Where a link leads.
    LinkTarget,
    /// Code within text.
    Code,
    /// Code on its own.
    CodeBlock,
    /// The language of code.
    CodeLabel,
    /// A quotation.
    Quote,
    /// Bullets and numbers.
    ListMark,
    /// The head of a table.
    TableHead,
    /// Markup of another language.
    Html,
    /// A line that was added.
    DiffAdded,
    /// A line that was removed.
    DiffRemoved,
    /// The part of an added line that is new.
    DiffAddedPart,
    /// The part of a removed line that is gone.
    DiffRemovedPart,
    /// A line that is the same.
    DiffContext,
    /// Where a part of a file begins, and what is folded between.
    DiffFold,
    /// A file's name above its changes.
    DiffFile,
    /// Numbers of lines.
    LineNumber,
    /// What is selected.
    Selection,
    /// What a search found.
    SearchHit,
    /// The one of these at which the reader is.
    SearchCurrent,
    /// The status line.
    Status,
    /// A key that can be pressed.
    Key,
    /// What moves while the agent works.
    Spinner,
    /// The status line while a model thinks as hard as it can.
    ThinkingMax,
}

impl Role {
    /// Its place in [`Role::ALL`].
    pub(super) const fn at(self) -> usize {
        self as usize
    }
}
