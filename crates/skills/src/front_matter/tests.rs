//! Heads as they are found in the wild.

use super::*;

fn read(text: &str) -> (FrontMatter, Vec<usize>) {
    let document = parse(text).unwrap();
    let flaws = document.flaws.into_iter().map(|flaw| flaw.line);
    (document.head, flaws.collect())
}

fn matter(name: &str, description: &str, tools: &[&str]) -> FrontMatter {
    FrontMatter {
        name: (!name.is_empty()).then(|| name.to_owned()),
        description: (!description.is_empty()).then(|| description.to_owned()),
        disable_model_invocation: false,
        allowed_tools: tools.iter().map(|tool| (*tool).to_owned()).collect(),
    }
}

#[test]
fn head_and_body_are_told_apart() {
    let document = parse("---\nname: a\ndescription: Does a.\n---\n\n# A\n\n---\nmore\n").unwrap();
    assert_eq!(document.head, matter("a", "Does a.", &[]));
    assert_eq!(document.body, "# A\n\n---\nmore");
    assert!(document.flaws.is_empty());
    let windows = parse("\u{feff}---\r\ndescription: x\r\n---\r\nbody\r\n").unwrap();
    assert_eq!(windows.head, matter("", "x", &[]));
    assert_eq!(windows.body, "body");
    assert_eq!(parse("---\n---\n").unwrap().head, FrontMatter::default());
    assert_eq!(parse("---\nname: a\n...\nb").unwrap().body, "b");
}

#[test]
fn a_file_without_a_head_is_refused() {
    for (text, why) in [
        ("", "no head"),
        ("# Title\n", "no head"),
        ("----\nname: a\n---\n", "no head"),
        ("---\nname: a\n", "no end"),
        ("---", "no head"),
    ] {
        let flaw = parse(text).unwrap_err();
        assert!(
            flaw.line == 1 && flaw.what.contains(why),
            "{text:?} {flaw:?}"
        );
    }
    let long = format!("---\n{}---\n", "# comment\n".repeat(2000));
    assert!(parse(&long).unwrap_err().what.contains("16 KiB"));
}

#[test]
fn tools_come_as_inline_list_block_list_or_text() {
    let check = |value: &str, expect: &[&str]| {
        let (head, flaws) = read(&format!("---\nallowed-tools:{value}\n---\n"));
        assert_eq!(
            (head.allowed_tools, flaws),
            (matter("", "", expect).allowed_tools, vec![])
        );
    };
    check(" [read, bash]", &["read", "bash"]);
    check("\n  - read\n  - bash", &["read", "bash"]);
    check("\n- read\n- \"bash\"", &["read", "bash"]);
    check(" read, bash", &["read", "bash"]);
    check(
        " Read Grep Bash(git log:*)",
        &["Read", "Grep", "Bash(git log:*)"],
    );
    check(" read", &["read"]);
    check(" []", &[]);
    check("", &[]);
}

#[test]
fn unknown_keys_and_odd_types_do_no_harm() {
    let text = "---\nname: 2048\ndescription: >\n  Two\n  lines\npermissions:\n  bash: ['git *']\nversion: 1\n---\n";
    assert_eq!(read(text), (matter("2048", "Two lines\n", &[]), vec![]));
    let (head, flaws) = read("---\ndescription: x\nname: [a]\nallowed-tools: {a: 1}\n---\n");
    assert_eq!((head, flaws), (matter("", "x", &[]), vec![3, 4]));
}

#[test]
fn the_switch_understands_words_and_doubts_in_favour_of_off() {
    for (word, hidden, flaws) in [
        ("true", true, 0),
        ("yes", true, 0),
        ("'on'", true, 0),
        ("false", false, 0),
        ("no", false, 0),
        ("", false, 0),
        ("perhaps", true, 1),
    ] {
        let (head, lines) = read(&format!("---\ndisable-model-invocation: {word}\n---\n"));
        assert_eq!(head.disable_model_invocation, hidden, "{word}");
        assert_eq!(lines, [2].repeat(flaws), "{word}");
    }
}

#[test]
fn what_is_no_yaml_is_read_line_by_line_and_said_with_its_line() {
    let text = "---\nname: fix\ndescription: Use when: tests fail\nallowed-tools:\n  - read\n  - bash\ndisable-model-invocation: yes\n---\nbody";
    let document = parse(text).unwrap();
    let mut expect = matter("fix", "Use when: tests fail", &["read", "bash"]);
    expect.disable_model_invocation = true;
    assert_eq!(document.head, expect);
    let [flaw] = &document.flaws[..] else {
        panic!("{:?}", document.flaws)
    };
    assert_eq!(flaw.line, 3);
    assert!(!flaw.what.contains("at line"), "{}", flaw.what);
}

#[test]
fn lines_keep_quotes_apart_and_join_what_is_indented() {
    let text = "---\nname: \"a\"\n\tbad tab\ndescription: >-\n  One: two\n  three\nallowed-tools: [read, 'bash']\n---\n";
    let (head, flaws) = read(text);
    assert_eq!(head, matter("a", "One: two three", &["read", "bash"]));
    assert_eq!(flaws.len(), 1);
    let (head, _) = read("---\njust words\n---\n");
    assert_eq!(head, FrontMatter::default());
}

#[test]
fn aliases_that_multiply_end_in_a_flaw() {
    let mut text = "---\na: &a [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for (name, of) in ["b", "c", "d", "e", "f", "g", "h", "i", "j"]
        .iter()
        .zip(["a", "b", "c", "d", "e", "f", "g", "h", "i"])
    {
        text += &format!(
            "{name}: &{name} [{}]\n",
            vec![format!("*{of}"); 9].join(", ")
        );
    }
    text += "description: fine\n---\n";
    let (head, flaws) = read(&text);
    assert_eq!(head.description.as_deref(), Some("fine"));
    assert_eq!(flaws.len(), 1);
}
