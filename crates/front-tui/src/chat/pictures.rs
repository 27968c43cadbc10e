//! Images of the conversation: which entries wait for theirs, until they are decoded.

use zeug_paint::{Kind, Picture};
use zeug_rpc_protocol::Block;
use zeug_transcript::{Content, Image, Message};

use super::Chat;

/// The latest images of a kept conversation that are shown.
const MAX_KEPT: usize = 16;

/// Where images are to be found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    /// In what the user said last.
    User,
    /// In the result of this call.
    Call(String),
    /// Here.
    These(Vec<Image>),
}

/// An entry that waits for its images.
#[derive(Debug)]
pub(super) struct Awaited {
    id: u64,
    pub(super) entry: usize,
    source: Option<Source>,
}

impl Chat {
    /// An entry has images, which are not decoded yet.
    pub(super) fn await_images(&mut self, entry: usize, source: Source) {
        self.last_awaited += 1;
        self.awaited.push(Awaited {
            id: self.last_awaited,
            entry,
            source: Some(source),
        });
        let kept = |awaited: &Awaited| matches!(awaited.source, Some(Source::These(_)));
        let over = self.awaited.iter().filter(|it| kept(it)).count();
        let mut over = over.saturating_sub(MAX_KEPT);
        self.awaited.retain(|awaited| {
            let is_over = over > 0 && kept(awaited);
            over -= usize::from(is_over);
            !is_over
        });
    }

    /// Images that somebody is to decode, by the number under which they come back.
    pub(crate) fn wanted_images(&mut self) -> Vec<(u64, Source)> {
        let awaited = self.awaited.iter_mut();
        awaited
            .filter_map(|awaited| Some((awaited.id, awaited.source.take()?)))
            .collect()
    }

    /// Images were decoded, or could not be: then there are none.
    pub(crate) fn pictures(&mut self, id: u64, pictures: Vec<Picture>) {
        let Some(at) = self.awaited.iter().position(|awaited| awaited.id == id) else {
            return;
        };
        let awaited = self.awaited.remove(at);
        if pictures.is_empty() {
            return;
        }
        match self
            .list
            .get_mut(awaited.entry)
            .map(zeug_paint::Entry::kind_mut)
        {
            Some(Kind::User(user)) => user.pictures = pictures,
            Some(Kind::Tool(call)) => call.pictures = pictures,
            _ => {}
        }
    }
}

/// The images of a source, in a conversation.
pub(crate) fn images(source: Source, messages: &[Message]) -> Vec<Image> {
    let mut latest = messages.iter().rev();
    let content = match source {
        Source::These(images) => return images,
        Source::User => latest.find_map(|message| match message {
            Message::User(user) => Some(&user.content),
            _ => None,
        }),
        Source::Call(id) => latest.find_map(|message| match message {
            Message::Tool(result) if result.call_id == id => Some(&result.content),
            _ => None,
        }),
    };
    content.map_or_else(Vec::new, |content| in_content(content))
}

/// The images of a message.
pub(super) fn in_content(content: &[Content]) -> Vec<Image> {
    let images = content.iter().filter_map(|content| match content {
        Content::Image(image) => Some(image.clone()),
        Content::Text { .. } => None,
    });
    images.collect()
}

/// Whether there are images among blocks.
pub(super) fn has_images(blocks: &[Block]) -> bool {
    blocks
        .iter()
        .any(|block| matches!(block, Block::Image { .. }))
}
