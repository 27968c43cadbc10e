//! The same question to a chain of eight extensions, against one.
//!
//! A single extension that is asked again and again stays where its caches are, which eight do
//! not; on some machines that is most of the time of a question. So the limit is against eight
//! questions to the same eight, each about a tool that only one of them wants to be asked about.

use crate::effort::Effort;
use crate::house;
use crate::row::Row;
use crate::samples::Samples;

use super::intercept::Asker;

const LENGTH: usize = 8;

/// A chain is no more than its questions: a quarter for noise. Eight of them in ten times the time
/// of one, so to speak.
const LIMIT: f64 = 1.25;

pub(super) fn run(effort: Effort) -> anyhow::Result<Vec<Row>> {
    house::runtime()?.block_on(measure(effort))
}

async fn measure(effort: Effort) -> anyhow::Result<Vec<Row>> {
    let dir = house::logs()?;
    let mut one = Asker::new(1, 100, dir.path()).await?;
    let mut eight = Asker::new(LENGTH, 100, dir.path()).await?;
    let rounds = effort.pick(40, 2);
    let trips = effort.pick(48, LENGTH);
    let (mut alone, mut in_turn, mut chain) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..=rounds {
        let (of_one, of_turns, of_eight);
        (one, of_one) = tokio::spawn(one.trips(trips)).await??;
        (eight, of_turns) = tokio::spawn(eight.trips_in_turn(trips * LENGTH)).await??;
        (eight, of_eight) = tokio::spawn(eight.trips(trips)).await??;
        // The first round warms up.
        if round > 0 {
            alone.extend(of_one);
            in_turn.extend(
                of_turns
                    .chunks(LENGTH)
                    .map(|eight| eight.iter().sum::<f64>()),
            );
            chain.extend(of_eight);
        }
    }
    one.house.host.stop().await;
    eight.house.host.stop().await;
    let name = format!("intercept, chain of {LENGTH}");
    let [alone, in_turn, chain] = [alone, in_turn, chain].map(Samples::new);
    Ok(vec![
        Row::new(&name, &chain, "8 questions to one each", &in_turn).limit(LIMIT),
        Row::new(&name, &chain, "a chain of 1", &alone),
    ])
}
