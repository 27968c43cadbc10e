# Chores. `just` lists them; each is one command that also works without just.

set shell := ["bash", "-euo", "pipefail", "-c"]

default:
    @{{ just_executable() }} --list

# the README's first command: a real turn, one extension's tool, one refusal
run:
    cargo run -q --locked -p zeug-cli -- -p -e examples/extensions/weather -e examples/extensions/guard \
      $'call weather {"city":"Berlin"}\ncall bash {"command":"rm -rf /tmp/nothing-here"}'

# zeug with arguments of your own: just zeug -p 'say hi'
[positional-arguments]
zeug *args:
    cargo run -q --locked -p zeug-cli -- "$@"

# all tests
test:
    cargo test --workspace --locked

# what the compiler, clippy and xtask have to say
lint:
    cargo clippy --workspace --all-targets --locked -- -D warnings
    cargo run --quiet --locked --package xtask -- check

# format everything
fmt:
    cargo fmt --all

# the hot paths, each as a ratio against its limit
bench:
    cargo run --release --locked -p zeug-benches

# write the generated files below protocol/
codegen:
    cargo run --quiet --locked --package xtask -- codegen

# everything that must hold before a change counts
ci *steps:
    .ci/run {{ steps }}
