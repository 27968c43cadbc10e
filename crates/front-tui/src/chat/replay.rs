//! A conversation that was kept, as entries.

use zeug_paint::tool::State;
use zeug_paint::{Entry, Kind, User};
use zeug_transcript::{Content, Message, Part};

use super::pictures::in_content;
use super::{Chat, Source};

impl Chat {
    /// Shows a kept conversation behind what is there.
    pub(crate) fn replay(&mut self, messages: &[Message]) {
        for message in messages {
            match message {
                Message::User(user) => {
                    let mut shown = User::new(&Content::joined(&user.content));
                    shown.attachments = user.content.iter().filter_map(image).collect();
                    let entry = self.push(Kind::User(shown).into());
                    self.last_prompt = Some(entry);
                    self.await_kept(entry, &user.content);
                }
                Message::Assistant(answer) => {
                    for part in &answer.parts {
                        if let Part::Thinking { text, .. } = part {
                            self.thought(text);
                        }
                    }
                    self.answer(&answer.shown_text());
                    for call in answer.tool_calls() {
                        let owner = call.origin_extension.as_deref();
                        self.begin(call.id.clone(), &call.name, &call.args, owner);
                    }
                }
                Message::Tool(result) => {
                    let Some(at) = self.open.iter().position(|open| open.id == result.call_id)
                    else {
                        continue;
                    };
                    let entry = self.open.remove(at).entry;
                    if let Some(call) = self.list.get_mut(entry).and_then(Entry::call_mut) {
                        call.state = State::Settled(result.status);
                        let images = result.content.iter().filter_map(image);
                        let images = images.map(|image| format!("\n[{image}]"));
                        call.output = Content::joined(&result.content);
                        call.output.extend(images);
                    }
                    self.await_kept(entry, &result.content);
                }
            }
        }
    }

    fn await_kept(&mut self, entry: usize, content: &[Content]) {
        let images = in_content(content);
        if !images.is_empty() {
            self.await_images(entry, Source::These(images));
        }
    }

    fn thought(&mut self, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        let mut entry = Entry::thinking();
        if let Some(markdown) = entry.markdown_mut() {
            markdown.push(text);
            markdown.finish();
        }
        self.push(entry);
    }
}

fn image(content: &Content) -> Option<String> {
    match content {
        Content::Image(image) => Some(format!(
            "{}, {}",
            image.mime_type,
            zeug_paint::tool::bytes(image.byte_len())
        )),
        Content::Text { .. } => None,
    }
}
