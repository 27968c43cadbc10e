//! The library sends through here: its requests become ours, our answers become its own.

use ::http::{HeaderMap, HeaderName, HeaderValue, Request, Response, StatusCode};
use bytes::Bytes;
use futures::StreamExt as _;
use rig_core::http_client::{
    Error, HttpClientExt, LazyBody, MultipartForm, Result, StreamingResponse,
};
use rig_core::wasm_compat::WasmCompatSend;

use crate::http::{Body, Client, Headers, HttpRequest, HttpResponse, Mask, TransportError};

/// The most bytes read of an answer that is an error; what people and programs need is at its
/// beginning.
const ERROR_BYTES: usize = 64 * 1024;
/// The most bytes of an answer that came whole though a stream was asked for.
const WHOLE_BYTES: usize = 32 * 1024 * 1024;
const EVENT_STREAM: &str = "text/event-stream";

/// Our client in the library's shape.
#[derive(Clone)]
pub(crate) struct Seam {
    client: Client,
}

impl Seam {
    pub(crate) fn new(client: Client) -> Self {
        Self { client }
    }

    pub(crate) fn mask(&self) -> &Mask {
        self.client.mask()
    }

    async fn stream(&self, request: HttpRequest) -> Result<StreamingResponse> {
        let wants_events = request.headers.get("accept") == Some(EVENT_STREAM);
        let answer = self.client.send(request).await.map_err(Error::instance)?;
        if !(200..300).contains(&answer.status) {
            return Err(rejected(answer, self.client.mask()).await);
        }
        let answer = if wants_events {
            as_events(answer).await?
        } else {
            answer
        };
        let mut response = head(&answer)?.body(lent(answer.body))?;
        // Any success is one: the library wants exactly this one.
        *response.status_mut() = StatusCode::OK;
        Ok(response)
    }
}

impl HttpClientExt for Seam {
    fn send<T, U>(
        &self,
        request: Request<T>,
    ) -> impl Future<Output = Result<Response<LazyBody<U>>>> + WasmCompatSend + 'static
    where
        T: Into<Bytes> + WasmCompatSend,
        U: From<Bytes> + WasmCompatSend + 'static,
    {
        let request = ours(request.map(Into::into), self.client.mask());
        let client = self.client.clone();
        async move {
            let answer = client.send(request?).await.map_err(Error::instance)?;
            let builder = head(&answer)?;
            let mask = client.mask().clone();
            let failed = answer.status >= 400;
            let body: LazyBody<U> = Box::pin(async move {
                let bytes = read(answer.body, WHOLE_BYTES).await?;
                if failed {
                    let text = mask.text(&String::from_utf8_lossy(&bytes));
                    return Ok(U::from(Bytes::from(text)));
                }
                Ok(U::from(bytes))
            });
            Ok(builder.body(body)?)
        }
    }

    fn send_multipart<U>(
        &self,
        _: Request<MultipartForm>,
    ) -> impl Future<Output = Result<Response<LazyBody<U>>>> + WasmCompatSend + 'static
    where
        U: From<Bytes> + WasmCompatSend + 'static,
    {
        let what = "forms are not sent".to_owned();
        std::future::ready(Err(Error::instance(TransportError::Unsendable(what))))
    }

    fn send_streaming<T>(
        &self,
        request: Request<T>,
    ) -> impl Future<Output = Result<StreamingResponse>> + WasmCompatSend
    where
        T: Into<Bytes> + WasmCompatSend,
    {
        let request = ours(request.map(Into::into), self.client.mask());
        async move { self.stream(request?).await }
    }
}

/// The library's request as ours. A key in the query moves into a header, where no proxy's log
/// finds it.
#[expect(clippy::result_large_err, reason = "the library's error")]
fn ours(request: Request<Bytes>, mask: &Mask) -> Result<HttpRequest> {
    let (parts, body) = request.into_parts();
    let mut headers: Headers = parts
        .headers
        .iter()
        .map(|(name, value)| (name.as_str(), String::from_utf8_lossy(value.as_bytes())))
        .collect();
    let url = parts.uri.to_string();
    let url = match url.split_once('?') {
        Some((path, query)) => {
            let (keys, rest): (Vec<&str>, Vec<&str>) = query
                .split('&')
                .partition(|pair| pair.starts_with("key=") && (mask.hits(pair) || *pair == "key="));
            if let Some(key) = keys.first().and_then(|pair| pair.strip_prefix("key="))
                && !key.is_empty()
            {
                headers.set("x-goog-api-key", key);
            }
            if rest.is_empty() {
                path.to_owned()
            } else {
                format!("{path}?{}", rest.join("&"))
            }
        }
        None => url,
    };
    Ok(HttpRequest {
        method: parts.method.as_str().to_owned(),
        url,
        headers,
        body,
    })
}

#[expect(clippy::result_large_err, reason = "the library's error")]
fn head(answer: &HttpResponse) -> Result<::http::response::Builder> {
    let status = StatusCode::from_u16(answer.status).map_err(::http::Error::from)?;
    let mut builder = Response::builder().status(status);
    if let Some(headers) = builder.headers_mut() {
        *headers = header_map(&answer.headers);
    }
    Ok(builder)
}

fn header_map(headers: &Headers) -> HeaderMap {
    let mut map = HeaderMap::new();
    for header in headers.iter() {
        if let (Ok(name), Ok(value)) = (
            HeaderName::from_bytes(header.name.as_bytes()),
            HeaderValue::from_str(&header.value),
        ) {
            map.append(name, value);
        }
    }
    map
}

#[expect(clippy::result_large_err, reason = "the library's error")]
fn lent(body: Body) -> rig_core::http_client::BoxedStream {
    Box::pin(body.map(|piece| piece.map_err(Error::instance)))
}

/// The beginning of a body, up to `limit` bytes.
async fn read(mut body: Body, limit: usize) -> Result<Bytes> {
    let mut all = Vec::new();
    while let Some(piece) = body.next().await {
        let piece = piece.map_err(Error::instance)?;
        let room = limit - all.len();
        all.extend_from_slice(&piece[..piece.len().min(room)]);
        if all.len() == limit {
            break;
        }
    }
    Ok(all.into())
}

/// An answer that is an error, with its body as far as it could be read.
async fn rejected(answer: HttpResponse, mask: &Mask) -> Error {
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::BAD_GATEWAY);
    let headers = header_map(&answer.headers);
    let body = read(answer.body, ERROR_BYTES).await.unwrap_or_default();
    let body = mask.text(&String::from_utf8_lossy(&body));
    Error::non_success_with_details(status, headers, body)
}

/// Some servers answer with a whole document though events were asked for, errors above all, and
/// some do not say what they answer with. The library reads a whole document as one event.
async fn as_events(mut answer: HttpResponse) -> Result<HttpResponse> {
    let kind = answer.headers.get("content-type").unwrap_or_default();
    if kind.trim().is_empty() {
        answer.headers.set("content-type", EVENT_STREAM);
    } else if kind.starts_with("application/json") {
        let document = read(answer.body, WHOLE_BYTES).await?;
        let one_line = serde_json::from_slice::<serde_json::Value>(&document).map_or_else(
            |_| String::from_utf8_lossy(&document).replace('\n', " "),
            |v| v.to_string(),
        );
        let event = Bytes::from(format!("data: {one_line}\n\n"));
        answer.body = futures::stream::iter([Ok(event)]).boxed();
        answer.headers.set("content-type", EVENT_STREAM);
    }
    Ok(answer)
}
