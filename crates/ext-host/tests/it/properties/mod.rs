//! Whatever happens in whatever order: everybody who waits is told exactly once, and nobody gets
//! the answer to somebody else's question.

mod play;

use proptest::prelude::*;

use crate::kit::*;
use play::Play;

/// What may be waited for.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Tool,
    Command,
    Question,
}

impl Kind {
    fn deadline(self) -> Duration {
        match self {
            Self::Tool => s(60),
            Self::Command => s(30),
            Self::Question => s(5),
        }
    }

    fn answer(self) -> &'static str {
        match self {
            Self::Tool => "tool_result",
            Self::Command => "command_response",
            Self::Question => "event_intercept_response",
        }
    }
}

/// What the host, the extension, the user and time do. Numbers choose among what is there.
#[derive(Debug, Clone)]
enum Step {
    Ask(Kind),
    Cancel(usize),
    Drop(usize),
    /// The extension reads what is there; without this it is deaf.
    Hear,
    Answer(usize),
    WrongKind(usize),
    Malformed(usize),
    Progress(usize),
    Nobodys,
    Time(u64),
    ShutMouth,
    ShutEars,
    Die,
    Stop,
}

fn step() -> impl Strategy<Value = Step> {
    let kind = prop_oneof![
        Just(Kind::Tool),
        Just(Kind::Tool),
        Just(Kind::Command),
        Just(Kind::Question)
    ];
    prop_oneof![
        12 => kind.prop_map(Step::Ask),
        4 => any::<usize>().prop_map(Step::Cancel),
        3 => any::<usize>().prop_map(Step::Drop),
        12 => Just(Step::Hear),
        10 => any::<usize>().prop_map(Step::Answer),
        2 => any::<usize>().prop_map(Step::WrongKind),
        2 => any::<usize>().prop_map(Step::Malformed),
        2 => any::<usize>().prop_map(Step::Progress),
        1 => Just(Step::Nobodys),
        4 => prop_oneof![1..300u64, 1_000..20_000u64].prop_map(Step::Time),
        1 => Just(Step::ShutMouth),
        1 => Just(Step::ShutEars),
        1 => Just(Step::Die),
        1 => Just(Step::Stop),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn everybody_is_told_exactly_once(
        pipe_bytes in prop_oneof![Just(16usize), Just(100), Just(65536)],
        steps in prop::collection::vec(step(), 1..60),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .start_paused(true)
            .build()
            .unwrap();
        runtime.block_on(async {
            let mut play = Play::new(pipe_bytes).await;
            for step in steps {
                play.step(step).await;
            }
            play.finish().await;
        });
    }
}
