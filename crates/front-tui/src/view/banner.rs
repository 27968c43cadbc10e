//! The first lines of the conversation.

use ratatui::text::{Line, Span};
use zeug_paint::{Canvas, Role, safe};

use crate::model::{Facts, Model};

/// Who speaks, where, and what can be done.
pub(crate) fn banner(canvas: &Canvas, version: &str, facts: &Facts) -> Vec<Line<'static>> {
    let dot = canvas.symbols().dot;
    let key = |key: &str| canvas.span(Role::Key, key);
    let dim = |text: String| canvas.span(Role::Dim, text);
    let model = if facts.provider == facts.model {
        facts.model.clone()
    } else {
        format!("{}/{}", facts.provider, facts.model)
    };
    let model = safe::plain_line(&model).into_owned();
    let mut lines = vec![
        Line::from(vec![
            canvas.span(Role::Accent, "zeug "),
            dim(format!("{version} {dot} ")),
            canvas.span(Role::Text, model),
        ]),
        Line::from(dim(safe::plain_line(&facts.cwd).into_owned())),
        Line::default(),
    ];
    let tips: [&[Span<'static>]; 2] = [
        &[
            key("/"),
            dim(" commands   ".to_owned()),
            key("@"),
            dim(" files   ".to_owned()),
            key("!"),
            dim(" shell   ".to_owned()),
            key("/help"),
            dim(" keys".to_owned()),
        ],
        &[
            key("esc"),
            dim(" stops   ".to_owned()),
            key("ctrl+j"),
            dim(" new line   ".to_owned()),
            key("ctrl+c"),
            dim(" twice leaves".to_owned()),
        ],
    ];
    lines.extend(tips.map(|tip| Line::from(tip.to_vec())));
    lines
}

/// What stays on the normal screen: the last exchange, and how to go on with it.
pub(crate) fn farewell(model: &mut Model) -> String {
    let width = usize::from(model.size.0).clamp(20, 120);
    let mut text = String::new();
    for line in model.chat.last_exchange(width) {
        text.push_str(line.to_string().trim_end());
        text.push('\n');
    }
    let session = model.facts.session.as_ref();
    let is_kept = session.filter(|session| session.path.is_some());
    if let Some(session) = is_kept
        && !text.is_empty()
    {
        text.push_str(&format!("zeug --resume {} goes on with this\n", session.id));
    }
    text
}
