//! Between the library's wire and the seam: the request gets what the wire cannot say, the
//! answer's frames are looked at.

use futures::TryStreamExt as _;
use rig_core::driver::{Exchange, Opening, Transport};
use rig_core::wire::{Body, Encoded, Wire, WireFrame};
use serde_json::Value;

use super::calls::CallIds;
use super::marks;
use super::seam::Seam;
use crate::http::Mask;

/// What a body still lacks when the wire has made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Adjust {
    /// Nothing.
    Nothing,
    /// The points up to which Anthropic caches.
    CacheMarks,
    /// A model that does not reason refuses a request for what its reasoning is encrypted to.
    NoCiphertext,
}

/// Carries one request.
#[derive(Clone)]
pub(crate) struct Carrier {
    pub(crate) seam: Seam,
    pub(crate) ids: CallIds,
    pub(crate) adjust: Adjust,
    /// Whether the last block of the conversation is hidden context.
    pub(crate) hidden: bool,
}

impl<W> Transport<W> for Carrier
where
    W: Wire<Payload = Encoded, Frame = WireFrame>,
{
    fn send(&self, mut payload: Encoded, exchange: Exchange) -> Opening<WireFrame> {
        self.adjust(payload.request.body_mut());
        let opening = Transport::<W>::send(&self.seam, payload, exchange);
        let ids = self.ids.clone();
        let mask = self.seam.mask().clone();
        Opening::new(async move {
            let opened = opening.await?;
            Ok(opened.map_frames(|frames| {
                frames.map_ok(move |frame| {
                    let frame = masked(frame, &mask);
                    ids.look(&frame.as_str());
                    frame
                })
            }))
        })
    }
}

/// An error that repeats a key, without it: the library logs what an error says. What a model
/// says is left alone: it may have read the key in a file that it is to change.
fn masked(frame: WireFrame, mask: &Mask) -> WireFrame {
    let text = frame.as_str();
    if !mask.hits(&text) {
        return frame;
    }
    let is_error = serde_json::from_str::<Value>(&text).is_ok_and(|frame| {
        let kind = frame.get("type").and_then(Value::as_str);
        let error = frame.get("error").is_some_and(|error| !error.is_null());
        error || matches!(kind, Some("error" | "response.failed"))
    });
    if is_error {
        return WireFrame::Text(mask.text(&text));
    }
    frame
}

impl Carrier {
    fn adjust(&self, body: &mut Body) {
        if self.adjust == Adjust::Nothing {
            return;
        }
        let Body::Bytes(bytes) = body else {
            return;
        };
        let Ok(mut document) = serde_json::from_slice::<Value>(bytes) else {
            return;
        };
        match self.adjust {
            Adjust::Nothing => return,
            Adjust::CacheMarks => marks::place(&mut document, self.hidden),
            Adjust::NoCiphertext => {
                if let Some(fields) = document.as_object_mut() {
                    fields.shift_remove("include");
                }
            }
        }
        *bytes = document.to_string().into_bytes();
    }
}
