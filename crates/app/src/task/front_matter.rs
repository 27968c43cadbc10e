//! A few lines about a text, between two lines of dashes above it. Pure.
//!
//! Reads what people write there and no more of YAML than that: texts, lists on one line or one
//! item a line, texts of several lines. What it does not understand is left out.

/// What a line says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    Text(String),
    List(Vec<String>),
}

/// A text and what stands above it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Document<'a> {
    /// In order, by key in lower case; `None` when nothing is between dashes.
    pub(super) fields: Option<Vec<(String, Value)>>,
    pub(super) body: &'a str,
}

impl Document<'_> {
    /// The first of these keys that says something.
    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        let fields = self.fields.as_deref().unwrap_or_default();
        fields
            .iter()
            .find(|(k, _)| k == key)
            .map(|(_, value)| value)
    }

    /// As one text.
    pub(super) fn text(&self, key: &str) -> Option<String> {
        let text = match self.get(key)? {
            Value::Text(text) => text.clone(),
            Value::List(items) => items.join(", "),
        };
        Some(text).filter(|text| !text.is_empty())
    }

    /// As a list; a text is one with commas.
    pub(super) fn list(&self, key: &str) -> Option<Vec<String>> {
        let items = match self.get(key)? {
            Value::Text(text) => text.split(',').map(plain).collect(),
            Value::List(items) => items.clone(),
        };
        Some(items.into_iter().filter(|item| !item.is_empty()).collect())
    }
}

/// Takes a text apart.
pub(super) fn parse(text: &str) -> Document<'_> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let whole = Document {
        fields: None,
        body: text,
    };
    let Some((first, mut rest)) = next_line(text) else {
        return whole;
    };
    if first.trim_end() != "---" {
        return whole;
    }
    let mut lines = Vec::new();
    while let Some((line, after)) = next_line(rest) {
        rest = after;
        if matches!(line.trim_end(), "---" | "...") {
            return Document {
                fields: Some(fields(&lines)),
                body: rest,
            };
        }
        lines.push(line);
    }
    // Never closed: it was a line of dashes and nothing else.
    whole
}

fn next_line(text: &str) -> Option<(&str, &str)> {
    if text.is_empty() {
        return None;
    }
    let (line, rest) = text.split_once('\n').unwrap_or((text, ""));
    Some((line.strip_suffix('\r').unwrap_or(line), rest))
}

fn fields(lines: &[&str]) -> Vec<(String, Value)> {
    let mut fields = Vec::new();
    let mut lines = lines.iter().peekable();
    while let Some(line) = lines.next() {
        let Some((key, value)) = key_and_value(line) else {
            continue;
        };
        let mut below = Vec::new();
        while let Some(line) = lines.next_if(|line| belongs(line)) {
            below.push(*line);
        }
        fields.push((key, read(value, &below)));
    }
    fields
}

fn key_and_value(line: &str) -> Option<(String, &str)> {
    if line.starts_with([' ', '\t', '#', '-']) {
        return None;
    }
    let (key, value) = line.split_once(':')?;
    let key = key.trim().to_lowercase();
    (!key.is_empty()).then_some((key, value.trim()))
}

/// Whether the line goes on with what the line above began.
fn belongs(line: &str) -> bool {
    line.trim().is_empty() || line.starts_with([' ', '\t', '-'])
}

fn read(value: &str, below: &[&str]) -> Value {
    let item = |line: &&str| line.trim_start().strip_prefix('-').map(plain);
    if let Some(inner) = value.strip_prefix('[') {
        let inner = inner.strip_suffix(']').unwrap_or(inner);
        let items = inner.split(',').map(plain).filter(|i| !i.is_empty());
        return Value::List(items.collect());
    }
    if value.starts_with(['|', '>']) {
        let lines: Vec<&str> = below.iter().map(|line| line.trim()).collect();
        let between = if value.starts_with('|') { "\n" } else { " " };
        return Value::Text(lines.join(between).trim().to_owned());
    }
    if value.is_empty() && below.iter().any(|line| item(line).is_some()) {
        return Value::List(below.iter().filter_map(item).collect());
    }
    let mut text = plain(value);
    for line in below.iter().map(|line| line.trim()) {
        if !line.is_empty() {
            text = format!("{text} {line}").trim().to_owned();
        }
    }
    Value::Text(text)
}

/// A value without its quotes, or without the remark behind it.
fn plain(value: &str) -> String {
    let value = value.trim();
    for quote in ['"', '\''] {
        if let Some(quoted) = value.strip_prefix(quote)
            && let Some(end) = quoted.rfind(quote)
        {
            return quoted[..end].to_owned();
        }
    }
    let value = value.split(" #").next().unwrap_or(value);
    value.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> Vec<String> {
        parse(text).list("tools").unwrap_or_default()
    }

    #[test]
    fn texts_and_what_is_below_them() {
        let text = "\u{feff}---\r\nname: scout\r\nDescription: \"Looks: around\" # really\r\n---\r\nGo.\r\n";
        let document = parse(text);
        assert_eq!(document.text("name").as_deref(), Some("scout"));
        assert_eq!(
            document.text("description").as_deref(),
            Some("Looks: around")
        );
        assert_eq!(document.body, "Go.\r\n");
        assert_eq!(document.text("model"), None);
    }

    #[test]
    fn lists_in_every_form() {
        let expect = ["read", "grep"];
        assert_eq!(list("---\ntools: [read, 'grep']\n---\n"), expect);
        assert_eq!(list("---\ntools: read, grep\n---\n"), expect);
        assert_eq!(list("---\ntools:\n  - read\n  - \"grep\"\n---\n"), expect);
        assert_eq!(
            list("---\ntools:\n- read # this\n- grep\nmodel: x\n---\n"),
            expect
        );
        assert_eq!(list("---\ntools: []\n---\n"), [""; 0]);
    }

    #[test]
    fn texts_of_several_lines() {
        let check = |text: &str, expect: &str| {
            let document = parse(text);
            assert_eq!(document.text("description").as_deref(), Some(expect));
        };
        check(
            "---\ndescription: >\n  one\n  two\nname: x\n---\n",
            "one two",
        );
        check("---\ndescription: |-\n  one\n  two\n---\n", "one\ntwo");
        check("---\ndescription: one\n  two\n---\n", "one two");
    }

    #[test]
    fn what_is_no_front_matter_is_text() {
        for text in [
            "",
            "# Title\n",
            "---\nname: x\nnever closed",
            "-- -\n",
            "---",
        ] {
            let document = parse(text);
            assert_eq!((document.fields, document.body), (None, text));
        }
        let odd = parse("---\nno colon here\n: no key\n# remark\n\u{0}: nul\n---\nbody");
        assert_eq!(odd.body, "body");
        assert_eq!(odd.fields.map(|f| f.len()), Some(1));
    }
}
