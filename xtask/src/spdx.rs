//! Licence expressions: `MIT OR (Apache-2.0 WITH LLVM-exception AND BSD-3-Clause)`.
//!
//! Also reads the old `MIT/Apache-2.0`, which means OR.

/// A licence expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Expression {
    /// `MIT`, or `Apache-2.0 WITH LLVM-exception` as one.
    License(String),
    /// Both apply.
    And(Box<Expression>, Box<Expression>),
    /// One may be chosen.
    Or(Box<Expression>, Box<Expression>),
}

impl Expression {
    /// Reads an expression; `None` when it is none.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let spaced = text
            .replace('(', " ( ")
            .replace(')', " ) ")
            .replace('/', " OR ");
        let tokens: Vec<&str> = spaced.split_whitespace().collect();
        let mut parser = Parser { rest: &tokens };
        let expression = parser.either()?;
        parser.rest.is_empty().then_some(expression)
    }

    /// Whether one may comply using licences that `allows` accepts.
    pub(crate) fn is_met(&self, allows: &dyn Fn(&str) -> bool) -> bool {
        match self {
            Self::License(name) => allows(name),
            Self::And(a, b) => a.is_met(allows) && b.is_met(allows),
            Self::Or(a, b) => a.is_met(allows) || b.is_met(allows),
        }
    }
}

/// From the loosest operator to the tightest: OR, AND, WITH.
struct Parser<'a> {
    rest: &'a [&'a str],
}

impl Parser<'_> {
    fn next_is(&mut self, word: &str) -> bool {
        let is = self
            .rest
            .first()
            .is_some_and(|t| t.eq_ignore_ascii_case(word));
        if is {
            self.rest = &self.rest[1..];
        }
        is
    }

    fn either(&mut self) -> Option<Expression> {
        let mut left = self.both()?;
        while self.next_is("OR") {
            left = Expression::Or(Box::new(left), Box::new(self.both()?));
        }
        Some(left)
    }

    fn both(&mut self) -> Option<Expression> {
        let mut left = self.one()?;
        while self.next_is("AND") {
            left = Expression::And(Box::new(left), Box::new(self.one()?));
        }
        Some(left)
    }

    fn one(&mut self) -> Option<Expression> {
        if self.next_is("(") {
            let inner = self.either()?;
            return self.next_is(")").then_some(inner);
        }
        let name = self.word()?;
        if self.next_is("WITH") {
            let exception = self.word()?;
            return Some(Expression::License(format!("{name} WITH {exception}")));
        }
        Some(Expression::License(name))
    }

    fn word(&mut self) -> Option<String> {
        let (word, rest) = self.rest.split_first()?;
        let reserved = ["AND", "OR", "WITH", "(", ")"];
        if reserved.iter().any(|r| r.eq_ignore_ascii_case(word)) {
            return None;
        }
        self.rest = rest;
        Some((*word).to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: bool) {
        let allowed = [
            "MIT",
            "Apache-2.0",
            "Apache-2.0 WITH LLVM-exception",
            "Zlib",
        ];
        let met = Expression::parse(text)
            .unwrap()
            .is_met(&|name| allowed.contains(&name));
        assert_eq!(met, expect, "{text}");
    }

    #[test]
    fn expressions_are_met() {
        check("MIT", true);
        check("GPL-3.0-only", false);
        check("MIT OR GPL-3.0-only", true);
        check("GPL-3.0-only OR MIT", true);
        check("MIT AND GPL-3.0-only", false);
        check("MIT AND Zlib", true);
        check("MIT/Apache-2.0", true);
        check("Apache-2.0 WITH LLVM-exception", true);
        check("MIT WITH LLVM-exception", false);
        check("Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT", true);
        // AND binds tighter than OR.
        check("GPL-3.0-only AND MIT OR Zlib", true);
        check("Zlib OR GPL-3.0-only AND MIT", true);
        check("(Zlib OR GPL-3.0-only) AND MIT", true);
        check("GPL-3.0-only AND (MIT OR Zlib)", false);
        check("(MIT OR Apache-2.0) AND Unicode-3.0", false);
        check("((MIT))", true);
    }

    #[test]
    fn what_is_no_expression_is_refused() {
        for text in [
            "",
            "OR",
            "MIT OR",
            "MIT Apache-2.0",
            "(MIT",
            "MIT)",
            "MIT WITH",
            "AND MIT",
        ] {
            assert_eq!(Expression::parse(text), None, "{text}");
        }
    }
}
