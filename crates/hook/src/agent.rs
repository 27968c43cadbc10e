//! Whose doing something is, when it is not the main agent's.

/// A sub-agent. What happens in it is told and asked like what happens in the agent that the user
/// talks to, with this beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent {
    /// Names the sub-agent; survives a resume.
    pub agent_id: String,
    /// Names this run of it; pairs its start with its stop.
    pub agent_run_id: String,
    /// What it is called, for people.
    pub name: String,
    /// How many agents are above it, the main agent included.
    pub depth: u32,
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use async_trait::async_trait;

    use super::*;
    use crate::{
        Board, Chain, Listener, Matcher, Meta, Observation, Observer, OnFailure, Silence,
        StepFacts, TurnAnswer, TurnStart,
    };

    type Heard = Arc<Mutex<Vec<Option<String>>>>;

    struct Plain(Meta, Heard);
    struct Attentive(Meta, Heard);

    impl Observer for Plain {
        fn observe(&self, _: &Observation) {
            self.1.lock().unwrap().push(None);
        }
    }

    impl Observer for Attentive {
        fn observe(&self, _: &Observation) {
            self.1.lock().unwrap().push(None);
        }

        fn observe_in(&self, agent: &Agent, _: &Observation) {
            self.1.lock().unwrap().push(Some(agent.name.clone()));
        }
    }

    fn go() -> Result<TurnAnswer, Silence> {
        let context = String::new();
        Ok(TurnAnswer::Go { context })
    }

    #[async_trait]
    impl Listener<TurnStart> for Plain {
        fn meta(&self) -> &Meta {
            &self.0
        }

        async fn ask(&self, _: &StepFacts, _: &String) -> Result<TurnAnswer, Silence> {
            self.1.lock().unwrap().push(None);
            go()
        }
    }

    #[async_trait]
    impl Listener<TurnStart> for Attentive {
        fn meta(&self) -> &Meta {
            &self.0
        }

        async fn ask(&self, _: &StepFacts, _: &String) -> Result<TurnAnswer, Silence> {
            self.1.lock().unwrap().push(None);
            go()
        }

        async fn ask_in(
            &self,
            agent: &Agent,
            _: &StepFacts,
            _: &String,
        ) -> Result<TurnAnswer, Silence> {
            self.1.lock().unwrap().push(Some(agent.name.clone()));
            go()
        }
    }

    fn meta(order: u32) -> Meta {
        Meta {
            extension: "x".into(),
            order: zeug_stdx::claims::Order(order),
            priority: 0,
            seq: 0,
            id: None,
            matcher: Matcher::default(),
            on_failure: OnFailure::Allow,
        }
    }

    fn scout() -> Agent {
        Agent {
            agent_id: "a".into(),
            agent_run_id: "r".into(),
            name: "scout".into(),
            depth: 1,
        }
    }

    #[test]
    fn who_does_not_care_hears_sub_agents_like_everything_else() {
        let heard = Heard::default();
        let board = Board::default();
        board.observe_with(Arc::new(Plain(meta(1), heard.clone())));
        board.observe_with(Arc::new(Attentive(meta(2), heard.clone())));
        board.announce(&Observation::SessionStart);
        board.announce_in(Some(&scout()), &Observation::TurnStart { step: 1 });
        let expect = [None, None, None, Some("scout".to_owned())];
        assert_eq!(*heard.lock().unwrap(), expect);
    }

    #[tokio::test]
    async fn who_does_not_care_is_asked_about_sub_agents_like_everything_else() {
        let heard = Heard::default();
        let board = Board::default();
        board
            .turn_start
            .join(Arc::new(Plain(meta(1), heard.clone())));
        board
            .turn_start
            .join(Arc::new(Attentive(meta(2), heard.clone())));
        let facts = StepFacts { step: 1 };
        for agent in [None, Some(Arc::new(scout()))] {
            let chain = Chain::<TurnStart>::of(&board.turn_start, &facts).within(agent);
            chain.run(&facts, String::new()).await;
        }
        let expect = [None, None, None, Some("scout".to_owned())];
        assert_eq!(*heard.lock().unwrap(), expect);
    }
}
