//! From the scopes of grammars to the parts of code that a theme knows.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use syntect::parsing::Scope;
use zeug_skills::theme::Token;

/// Beginnings of scopes, the longer one wins.
const KNOWN: &[(&str, Token)] = &[
    ("comment", Token::Comment),
    ("punctuation.definition.comment", Token::Comment),
    ("string", Token::LiteralString),
    ("punctuation.definition.string", Token::LiteralString),
    ("constant.character.escape", Token::LiteralStringEscape),
    ("constant.numeric", Token::LiteralNumber),
    ("constant.language", Token::KeywordConstant),
    ("constant", Token::KeywordConstant),
    ("keyword", Token::Keyword),
    ("keyword.operator", Token::Operator),
    ("keyword.operator.word", Token::Keyword),
    ("keyword.operator.logical.python", Token::Keyword),
    ("keyword.control.import", Token::KeywordNamespace),
    ("keyword.other.import", Token::KeywordNamespace),
    ("keyword.control.directive", Token::CommentPreproc),
    ("keyword.declaration", Token::KeywordDeclaration),
    ("storage.modifier", Token::KeywordDeclaration),
    ("storage.type", Token::KeywordDeclaration),
    ("storage.type.primitive", Token::KeywordType),
    ("storage.type.numeric", Token::KeywordType),
    ("support.type", Token::KeywordType),
    ("support.class", Token::NameClass),
    ("support.function", Token::NameBuiltin),
    ("support.macro", Token::NameBuiltin),
    ("support.constant", Token::KeywordConstant),
    ("entity.name.function", Token::NameFunction),
    ("variable.function", Token::NameFunction),
    ("entity.name.type", Token::NameClass),
    ("entity.name.class", Token::NameClass),
    ("entity.name.struct", Token::NameClass),
    ("entity.name.enum", Token::NameClass),
    ("entity.name.trait", Token::NameClass),
    ("entity.name.impl", Token::NameClass),
    ("entity.name.namespace", Token::NameClass),
    ("entity.other.inherited-class", Token::NameClass),
    ("entity.name.tag", Token::Keyword),
    ("entity.other.attribute-name", Token::NameDecorator),
    ("variable.annotation", Token::NameDecorator),
    ("meta.annotation", Token::NameDecorator),
    ("variable.language", Token::KeywordConstant),
    ("meta.preprocessor", Token::CommentPreproc),
    ("meta.mapping.key", Token::NameFunction),
    ("markup.heading", Token::Keyword),
    ("markup.raw", Token::LiteralString),
    ("markup.inserted", Token::LiteralString),
    ("markup.deleted", Token::LiteralNumber),
    ("punctuation", Token::Punctuation),
];

/// The table, with the answers given so far.
pub(super) struct Scopes {
    known: Vec<(Scope, Token)>,
    /// Grammars have some thousand scopes; the map ends there by itself.
    answers: Mutex<HashMap<Scope, Option<Token>>>,
}

impl Scopes {
    pub(super) fn get() -> &'static Self {
        static SCOPES: OnceLock<Scopes> = OnceLock::new();
        SCOPES.get_or_init(|| {
            let known = KNOWN.iter();
            let known = known.filter_map(|(text, token)| Some((Scope::new(text).ok()?, *token)));
            Self {
                known: known.collect(),
                answers: Mutex::default(),
            }
        })
    }

    /// What text below these scopes is; the innermost that is known decides.
    pub(super) fn token(&self, stack: &[Scope]) -> Option<Token> {
        // Nothing panics while this is held, and a half-filled map would do no harm.
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        stack.iter().rev().find_map(|scope| {
            *answers
                .entry(*scope)
                .or_insert_with(|| self.look_up(*scope))
        })
    }

    fn look_up(&self, scope: Scope) -> Option<Token> {
        let fitting = self
            .known
            .iter()
            .filter(|(known, _)| known.is_prefix_of(scope));
        let best = fitting.max_by_key(|(known, _)| known.len())?;
        Some(best.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scope_of_the_table_can_be_read() {
        assert_eq!(Scopes::get().known.len(), KNOWN.len());
    }

    #[test]
    fn the_longest_beginning_wins() {
        let check = |scope: &str, expect: Option<Token>| {
            let scope = Scope::new(scope).expect("a scope");
            assert_eq!(Scopes::get().token(&[scope]), expect);
        };
        check("keyword.operator.assignment.rust", Some(Token::Operator));
        check("keyword.control.rust", Some(Token::Keyword));
        check("source.rust", None);
    }
}
