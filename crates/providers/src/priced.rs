//! A provider whose counts say what they cost.
//!
//! Knows no price: whoever makes it does.

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use futures::StreamExt as _;
use tokio_util::sync::CancellationToken;
use zeug_provider::{Delta, DeltaStream, Failure, Provider, Request};

use crate::catalog::Price;

/// Lets a provider tell what its answers cost, by the names of its models. A model without a price
/// has no cost, rather than none to pay.
#[must_use]
pub fn priced(provider: Arc<dyn Provider>, prices: HashMap<String, Price>) -> Arc<dyn Provider> {
    Arc::new(Priced { provider, prices })
}

struct Priced {
    provider: Arc<dyn Provider>,
    prices: HashMap<String, Price>,
}

#[async_trait]
impl Provider for Priced {
    fn key(&self) -> &str {
        self.provider.key()
    }

    async fn stream(
        &self,
        request: Request,
        cancel: CancellationToken,
    ) -> Result<DeltaStream, Failure> {
        let price = self.prices.get(&request.model).copied();
        let answer = self.provider.stream(request, cancel).await?;
        let Some(price) = price else {
            return Ok(answer);
        };
        Ok(Box::pin(answer.map(move |delta| match delta {
            Ok(Delta::Usage(mut usage)) => {
                usage.cost_usd = Some(price.cost(&usage).total());
                Ok(Delta::Usage(usage))
            }
            other => other,
        })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::TryStreamExt as _;
    use zeug_transcript::{Content, Message, Timestamp, Usage, Usd, UserMessage};

    async fn counted(model: &str) -> Option<Usage> {
        let price = Price {
            input: 2.0,
            output: 10.0,
            cache_read: None,
            cache_write: None,
        };
        let prices = HashMap::from([("dear".to_owned(), price)]);
        let provider = priced(crate::puppet(), prices);
        let said = UserMessage {
            content: vec![Content::text("usage 1000 100\nsay hi")],
            time: Timestamp::UNIX_EPOCH,
        };
        let request = Request {
            model: model.to_owned(),
            messages: vec![Message::User(said)],
            ..Request::default()
        };
        let answer = provider.stream(request, CancellationToken::new()).await;
        let deltas: Vec<Delta> = answer.unwrap().try_collect().await.unwrap();
        deltas.into_iter().rev().find_map(|delta| match delta {
            Delta::Usage(usage) => Some(usage),
            _ => None,
        })
    }

    #[tokio::test]
    async fn a_count_has_the_cost_of_its_model() {
        let usage = counted("dear").await.unwrap();
        assert_eq!((usage.input_tokens, usage.output_tokens), (1000, 100));
        assert_eq!(usage.cost_usd, Some(Usd::of(0.003)));
        assert_eq!(counted("unknown").await.unwrap().cost_usd, None);
    }
}
