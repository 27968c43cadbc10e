//! The looks that zeug has by itself: dark, light, and without colour.

use std::time::Duration;

use ratatui_core::style::{Color, Modifier, Style};

use super::{Depth, Mode, Role, Spinner, Symbols, Theme, Token};

const SPINNER_FRAMES: [&str; 10] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const SPINNER_INTERVAL: Duration = Duration::from_millis(80);

/// The colours of one background, by what they say.
struct Colors {
    dim: Color,
    border: Color,
    accent: Color,
    user: Color,
    user_behind: Color,
    code: Color,
    good: Color,
    bad: Color,
    warning: Color,
    info: Color,
    tool: Color,
    added_behind: Color,
    added_part_behind: Color,
    removed_behind: Color,
    removed_part_behind: Color,
    selected_behind: Color,
    hit_behind: Color,
    current_behind: Color,
    on_hit: Color,
    keyword: Color,
    name: Color,
    kind: Color,
    string: Color,
    number: Color,
    comment: Color,
}

const fn rgb(hex: u32) -> Color {
    let [_, r, g, b] = hex.to_be_bytes();
    Color::Rgb(r, g, b)
}

const DARK: Colors = Colors {
    dim: rgb(0x8a_8f_98),
    border: rgb(0x4b_50_5a),
    accent: rgb(0x7a_b7_ff),
    user: rgb(0xe6_e6_e6),
    user_behind: rgb(0x2a_2e_36),
    code: rgb(0xe5_c0_7b),
    good: rgb(0x8f_d1_8a),
    bad: rgb(0xff_7b_7b),
    warning: rgb(0xf2_c1_4e),
    info: rgb(0x7c_c7_d9),
    tool: rgb(0xb3_a4_f5),
    added_behind: rgb(0x17_33_20),
    added_part_behind: rgb(0x2a_5e_3a),
    removed_behind: rgb(0x3b_1c_20),
    removed_part_behind: rgb(0x74_2c_34),
    selected_behind: rgb(0x2f_43_60),
    hit_behind: rgb(0x6b_5a_1e),
    current_behind: rgb(0xf2_c1_4e),
    on_hit: rgb(0x1a_1a_1a),
    keyword: rgb(0xc6_8f_e6),
    name: rgb(0x7a_b7_ff),
    kind: rgb(0x7c_c7_d9),
    string: rgb(0x9f_d0_8c),
    number: rgb(0xe5_b0_7b),
    comment: rgb(0x7f_85_8f),
};

const LIGHT: Colors = Colors {
    dim: rgb(0x66_6b_74),
    border: rgb(0xb5_ba_c2),
    accent: rgb(0x0b_5c_c0),
    user: rgb(0x1c_1e_22),
    user_behind: rgb(0xec_ee_f2),
    code: rgb(0x8a_4b_00),
    good: rgb(0x1a_7f_37),
    bad: rgb(0xc3_20_2f),
    warning: rgb(0x8f_5f_00),
    info: rgb(0x0a_70_88),
    tool: rgb(0x5b_3f_c4),
    added_behind: rgb(0xdd_f4_e1),
    added_part_behind: rgb(0xa6_e3_b3),
    removed_behind: rgb(0xfc_e3_e4),
    removed_part_behind: rgb(0xf6_b5_b9),
    selected_behind: rgb(0xcf_e2_ff),
    hit_behind: rgb(0xff_ed_a8),
    current_behind: rgb(0xe0_9f_00),
    on_hit: rgb(0x1a_1a_1a),
    keyword: rgb(0x8a_2c_b0),
    name: rgb(0x0b_5c_c0),
    kind: rgb(0x0a_70_88),
    string: rgb(0x1a_7f_37),
    number: rgb(0xa0_4a_00),
    comment: rgb(0x6e_74_7d),
};

pub(super) fn theme(mode: Mode) -> Theme {
    let (name, colors) = match mode {
        Mode::Dark => ("dark", &DARK),
        Mode::Light => ("light", &LIGHT),
    };
    let mut theme = empty(name, mode);
    for role in Role::ALL {
        theme.set(role, style(role, colors));
    }
    for token in Token::ALL {
        theme.patch_code(*token, code(*token, colors));
    }
    theme
}

/// What is left of a look when there is no colour.
pub(super) fn without_colour() -> Theme {
    let mut theme = empty("plain", Mode::Dark);
    for role in Role::ALL {
        theme.set(role, Style::new().add_modifier(modifiers(role)));
    }
    theme
}

fn empty(name: &str, mode: Mode) -> Theme {
    Theme {
        name: name.to_owned(),
        mode,
        depth: Depth::Rgb,
        symbols: Symbols::unicode(),
        spinner: Spinner {
            frames: SPINNER_FRAMES.map(str::to_owned).to_vec(),
            messages: Vec::new(),
            interval: SPINNER_INTERVAL,
        },
        styles: [Style::new(); Role::COUNT],
        code: [Style::new(); Token::ALL.len()],
    }
}

fn style(role: Role, colors: &Colors) -> Style {
    let base = Style::new();
    match role {
        Role::Text | Role::Assistant | Role::Background | Role::DiffContext => base,
        Role::Dim
        | Role::ToolArgs
        | Role::ToolOutput
        | Role::CodeLabel
        | Role::LineNumber
        | Role::Html
        | Role::Status => base.fg(colors.dim),
        Role::LinkTarget => base.fg(colors.dim),
        Role::Thinking | Role::Quote => base.fg(colors.dim).add_modifier(Modifier::ITALIC),
        Role::Border => base.fg(colors.border),
        Role::BorderActive | Role::Accent | Role::Running | Role::ListMark | Role::Spinner => {
            base.fg(colors.accent)
        }
        Role::UserMark => base.fg(colors.accent),
        Role::User => base.fg(colors.user).bg(colors.user_behind),
        Role::Tool => base.fg(colors.tool).add_modifier(Modifier::BOLD),
        Role::Owner => base.fg(colors.tool),
        Role::Success => base.fg(colors.good),
        Role::Error => base.fg(colors.bad),
        Role::Warning => base.fg(colors.warning),
        Role::Info => base.fg(colors.info),
        Role::Heading => base.fg(colors.accent).add_modifier(Modifier::BOLD),
        Role::Subheading | Role::Strong | Role::TableHead => base.add_modifier(Modifier::BOLD),
        Role::Emphasis => base.add_modifier(Modifier::ITALIC),
        Role::Strike => base.add_modifier(Modifier::CROSSED_OUT),
        Role::Link => base.fg(colors.accent).add_modifier(Modifier::UNDERLINED),
        Role::Code => base.fg(colors.code),
        Role::CodeBlock => base,
        Role::DiffAdded => base.bg(colors.added_behind),
        Role::DiffAddedPart => base.bg(colors.added_part_behind),
        Role::DiffRemoved => base.bg(colors.removed_behind),
        Role::DiffRemovedPart => base.bg(colors.removed_part_behind),
        Role::DiffFold => base.fg(colors.info),
        Role::DiffFile => base.add_modifier(Modifier::BOLD),
        Role::Selection => base.bg(colors.selected_behind),
        Role::SearchHit => base.bg(colors.hit_behind),
        Role::SearchCurrent => base.fg(colors.on_hit).bg(colors.current_behind),
        Role::Key => base.add_modifier(Modifier::BOLD),
        Role::ThinkingMax => base.fg(colors.warning).add_modifier(Modifier::BOLD),
    }
}

fn code(token: Token, colors: &Colors) -> Style {
    let base = Style::new();
    match token {
        Token::Keyword
        | Token::KeywordDeclaration
        | Token::KeywordNamespace
        | Token::KeywordReserved => base.fg(colors.keyword),
        Token::KeywordConstant | Token::LiteralNumber | Token::LiteralStringEscape => {
            base.fg(colors.number)
        }
        Token::KeywordType | Token::NameClass | Token::NameBuiltin => base.fg(colors.kind),
        Token::NameFunction => base.fg(colors.name),
        Token::NameDecorator | Token::CommentPreproc => base.fg(colors.warning),
        Token::LiteralString => base.fg(colors.string),
        Token::Comment => base.fg(colors.comment).add_modifier(Modifier::ITALIC),
        Token::Operator | Token::Punctuation | Token::Text => base,
    }
}

fn modifiers(role: Role) -> Modifier {
    match role {
        Role::Accent
        | Role::BorderActive
        | Role::UserMark
        | Role::User
        | Role::Tool
        | Role::Error
        | Role::Warning
        | Role::Subheading
        | Role::Strong
        | Role::TableHead
        | Role::DiffAdded
        | Role::DiffFile
        | Role::Key
        | Role::ThinkingMax => Modifier::BOLD,
        Role::Heading => Modifier::BOLD.union(Modifier::UNDERLINED),
        Role::Emphasis | Role::Thinking => Modifier::ITALIC,
        Role::Strike => Modifier::CROSSED_OUT,
        Role::Link => Modifier::UNDERLINED,
        Role::DiffAddedPart | Role::DiffRemovedPart | Role::SearchHit => {
            Modifier::UNDERLINED.union(Modifier::BOLD)
        }
        Role::Selection => Modifier::REVERSED,
        Role::SearchCurrent => Modifier::REVERSED.union(Modifier::BOLD),
        Role::Dim
        | Role::Border
        | Role::ToolArgs
        | Role::ToolOutput
        | Role::LinkTarget
        | Role::CodeLabel
        | Role::LineNumber
        | Role::DiffFold
        | Role::Html => Modifier::DIM,
        Role::Text
        | Role::Background
        | Role::Assistant
        | Role::Running
        | Role::Success
        | Role::Info
        | Role::Owner
        | Role::Code
        | Role::CodeBlock
        | Role::Quote
        | Role::ListMark
        | Role::DiffRemoved
        | Role::DiffContext
        | Role::Status
        | Role::Spinner => Modifier::empty(),
    }
}
