//! Answers that follow each other: blocks, results, several prompts, restarts.

use zeug_transcript::Image;

use super::*;

#[tokio::test]
async fn each_turn_plays_its_block() {
    let talk = Talk::new("call a\nthen\ncall b\nthen\nsay done")
        .play()
        .await;
    let talk = talk.ok("a", "1");
    assert_eq!(talk.answer().await.tool_calls().next().unwrap().name, "b");
    let talk = talk.play().await.ok("b", "2");
    let answer = talk.answer().await;
    assert_eq!(answer.text("|"), "done");
    assert_eq!(answer.stop, StopReason::EndTurn);
}

#[tokio::test]
async fn a_new_puppet_goes_on_where_the_old_one_was() {
    let mut talk = Talk::new("call a\nthen\nsay second")
        .play()
        .await
        .ok("a", "1");
    talk.puppet = crate::puppet();
    assert_eq!(talk.text().await, "second");
}

#[tokio::test]
async fn results_that_nobody_spoke_about_are_told() {
    let talk = Talk::new("call weather\ncall time").play().await;
    let talk = talk.ok("weather", "Berlin: 16°C\n").ok("time", "noon");
    let answer = talk.answer().await;
    assert_eq!(answer.text("|"), "weather → Berlin: 16°C\ntime → noon");
    assert_eq!(answer.stop, StopReason::EndTurn);
}

#[tokio::test]
async fn only_the_last_round_is_told() {
    let talk = Talk::new("call a\nthen\ncall b").play().await.ok("a", "1");
    let talk = talk.play().await.ok("b", "2");
    assert_eq!(talk.text().await, "b → 2");
}

#[tokio::test]
async fn a_result_is_told_as_it_is() {
    let check = async |content: Vec<Content>, expect: &str| {
        let talk = Talk::new("call t").play().await;
        let talk = talk.result("t", content, Status::Failed);
        assert_eq!(talk.text().await, expect);
    };
    check(
        vec![Content::text("\n first\n  second\n\nthird \n")],
        "t → first\n  second\n\nthird",
    )
    .await;
    check(vec![Content::text("a"), Content::text("b")], "t → a\nb").await;
    check(
        vec![
            Content::text("shot"),
            Content::Image(Image::from_bytes("image/png", &[1, 2])),
        ],
        "t → shot\n[image/png, 2 bytes]",
    )
    .await;
    check(
        vec![Content::Image(Image::from_bytes("image/gif", &[1]))],
        "t → [image/gif, 1 bytes]",
    )
    .await;
    check(vec![], "t →").await;
}

#[tokio::test]
async fn a_last_turn_without_words_tells_the_results() {
    let talk = Talk::new("call a\nthen\nthink hm\nusage 1 2").play().await;
    let answer = talk.ok("a", "1").answer().await;
    assert_eq!(answer.text("|"), "a → 1");
    assert!(matches!(&answer.parts[0], Part::Thinking { text, .. } if text == "hm"));
}

#[tokio::test]
async fn words_beside_a_call_do_not_hide_its_result() {
    let talk = Talk::new("say looking\ncall a").play().await.ok("a", "1");
    assert_eq!(talk.text().await, "a → 1");
}

#[tokio::test]
async fn plain_text_after_then_is_repeated() {
    let talk = Talk::new("call a\nthen\nthank you")
        .play()
        .await
        .ok("a", "1");
    assert_eq!(talk.text().await, "you said: thank you");
}

#[tokio::test]
async fn the_last_prompt_counts_and_starts_at_its_first_block() {
    let talk = Talk::new("call a\nthen\nsay old").play().await.ok("a", "1");
    let talk = talk.user("call b\nthen\nsay new").play().await;
    let Some(Message::Assistant(answer)) = talk.request.messages.last() else {
        panic!("{:?}", talk.request.messages);
    };
    assert_eq!(answer.tool_calls().next().unwrap().name, "b");
    assert_eq!(talk.ok("b", "2").text().await, "new");
}

#[tokio::test]
async fn results_of_an_earlier_prompt_are_not_told_again() {
    let talk = Talk::new("call a").play().await.ok("a", "1");
    assert_eq!(talk.user("think hm").text().await, "");
}

#[tokio::test]
async fn a_script_that_is_over_without_results_says_so() {
    let talk = Talk::new("say once").play().await;
    assert_eq!(talk.text().await, "nothing is left of the script");
}

#[tokio::test]
async fn the_same_request_has_the_same_answer() {
    let talk = Talk::new("think a b\ncall x {}\nsay c");
    assert_eq!(talk.deltas().await, talk.deltas().await);
}

#[tokio::test]
async fn ids_are_new_also_after_the_conversation_became_shorter() {
    let mut talk = Talk::new("call a").play().await.ok("a", "1");
    talk = talk.user("call b").play().await.ok("b", "2").user("call c");
    let ids = |talk: &Talk| {
        let request = talk.request.clone();
        let calls = request.messages.iter().filter_map(|m| match m {
            Message::Assistant(answer) => answer.tool_calls().next().map(|c| c.id.clone()),
            _ => None,
        });
        calls.collect::<Vec<_>>()
    };
    assert_eq!(ids(&talk), ["puppet-1-1", "puppet-4-1"]);
    // What is kept is shorter than what was: the next id would be one that is still in use.
    talk.request.messages.drain(..3);
    let talk = talk.play().await;
    assert_eq!(ids(&talk), ["puppet-4-1", "puppet-4-2"]);
}
