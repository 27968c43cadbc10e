//! The first law of the house: a crate depends only on lower floors.
//!
//! Reads manifests alone. Development dependencies are exempt: tests may stand anywhere.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::metadata::{self, Package};
use crate::{Problems, repository};

const FILE: &str = "xtask/floors.toml";

/// `xtask/floors.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Exceptions {
    /// The crate of floor 0 that all others of floor 0 may stand on.
    ground: String,
    #[serde(default)]
    same_floor: Vec<SameFloor>,
}

/// An edge within a floor, with its reason.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SameFloor {
    from: String,
    to: String,
    reason: String,
}

/// A crate of the workspace as far as floors are concerned.
#[derive(Debug)]
struct Room {
    name: String,
    rank: Option<u64>,
    described: bool,
    /// Crates of the workspace that it needs to be built.
    needs: Vec<String>,
}

impl From<Package> for Room {
    fn from(package: Package) -> Self {
        Self {
            rank: package.rank(),
            described: package.description.is_some_and(|text| !text.is_empty()),
            needs: package
                .dependencies
                .into_iter()
                .filter(|d| d.path.is_some() && d.kind.as_deref() != Some("dev"))
                .map(|d| d.name)
                .collect(),
            name: package.name,
        }
    }
}

/// Every edge that leads up or sideways, and every crate without a floor or a description.
pub(crate) fn check() -> Result<Problems> {
    let exceptions: Exceptions =
        toml::from_str(&repository::read(FILE)?).with_context(|| format!("reading {FILE}"))?;
    let packages = metadata::workspace()?.packages;
    let rooms: Vec<Room> = packages.into_iter().map(Room::from).collect();
    Ok(problems(&rooms, &exceptions))
}

fn problems(rooms: &[Room], exceptions: &Exceptions) -> Problems {
    let mut problems = Problems::new();
    let mut ranks: BTreeMap<&str, u64> = BTreeMap::new();
    for Room { name, .. } in rooms.iter().filter(|room| !room.described) {
        problems.push(format!(
            "{name} has no `description`: one sentence says what it is"
        ));
    }
    for Room { name, rank, .. } in rooms {
        match rank {
            Some(rank) => {
                ranks.insert(name, *rank);
            }
            None => problems.push(format!(
                "{name} has no floor: add [package.metadata.floor] with a `rank` to its Cargo.toml"
            )),
        }
    }
    for room in rooms {
        for need in &room.needs {
            let (Some(from), Some(to)) = (ranks.get(&*room.name), ranks.get(&**need)) else {
                continue; // a crate without a floor is reported above
            };
            if to < from || (to == from && exceptions.allow(&room.name, need, *from)) {
                continue;
            }
            problems.push(format!(
                "{} (floor {from}) depends on {need} (floor {to}): a crate depends only on lower \
                 floors. Move what it needs to a lower floor, or let the owner above hand it in",
                room.name
            ));
        }
    }
    problems.extend(exceptions.stale(rooms));
    problems
}

impl Exceptions {
    fn allow(&self, from: &str, to: &str, rank: u64) -> bool {
        let on_the_ground = rank == 0 && to == self.ground;
        on_the_ground || self.same_floor.iter().any(|e| e.from == from && e.to == to)
    }

    /// Exceptions that nobody needs, or that give no reason.
    fn stale(&self, rooms: &[Room]) -> Problems {
        let is_used = |e: &SameFloor| {
            rooms
                .iter()
                .any(|room| room.name == e.from && room.needs.contains(&e.to))
        };
        let unused = self.same_floor.iter().filter(|e| !is_used(e)).map(|e| {
            let SameFloor { from, to, .. } = e;
            format!("{FILE} excuses {from} for depending on {to}, which it does not: remove it")
        });
        let unreasoned = self
            .same_floor
            .iter()
            .filter(|e| e.reason.trim().is_empty())
            .map(|e| format!("{FILE} gives no reason for {} on {}", e.from, e.to));
        unused.chain(unreasoned).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn room(name: &str, rank: u64, needs: &[&str]) -> Room {
        Room {
            name: name.into(),
            rank: Some(rank),
            described: true,
            needs: needs.iter().map(|need| (*need).into()).collect(),
        }
    }

    fn exceptions(text: &str) -> Exceptions {
        toml::from_str(text).unwrap()
    }

    #[track_caller]
    fn finds(rooms: &[Room], text: &str, expect: &[&str]) {
        let found = problems(rooms, &exceptions(text));
        assert_eq!(found.len(), expect.len(), "{found:#?}");
        for (found, expect) in found.iter().zip(expect) {
            assert!(found.contains(expect), "{found}");
        }
    }

    const GROUND: &str = r#"ground = "stdx""#;

    #[test]
    fn no_crate_of_this_workspace_depends_upward() {
        let found = check().unwrap();
        assert!(found.is_empty(), "{found:#?}");
    }

    #[test]
    fn downward_is_fine() {
        let rooms = [
            room("a", 2, &["b", "c"]),
            room("b", 1, &[]),
            room("c", 0, &[]),
        ];
        finds(&rooms, GROUND, &[]);
    }

    #[test]
    fn an_upward_edge_is_named_with_both_floors() {
        let rooms = [room("a", 1, &["b"]), room("b", 3, &[])];
        finds(&rooms, GROUND, &["a (floor 1) depends on b (floor 3)"]);
    }

    #[test]
    fn the_two_machines_never_meet() {
        let rooms = [room("engine", 3, &["ext-host"]), room("ext-host", 3, &[])];
        finds(&rooms, GROUND, &["engine (floor 3) depends on ext-host"]);
    }

    #[test]
    fn the_ground_carries_floor_0_only() {
        let rooms = [room("stdx", 0, &[]), room("words", 0, &["stdx"])];
        finds(&rooms, GROUND, &[]);
        let rooms = [room("stdx", 1, &[]), room("words", 1, &["stdx"])];
        finds(&rooms, GROUND, &["words (floor 1) depends on stdx"]);
        let rooms = [room("stdx", 0, &["words"]), room("words", 0, &[])];
        finds(&rooms, GROUND, &["stdx (floor 0) depends on words"]);
    }

    #[test]
    fn an_exception_excuses_a_sideways_edge_and_no_upward_one() {
        let text = r#"
            ground = "stdx"
            [[same_floor]]
            from = "a"
            to = "b"
            reason = "made of it"
        "#;
        finds(&[room("a", 0, &["b"]), room("b", 0, &[])], text, &[]);
        let upward = [room("a", 0, &["b"]), room("b", 1, &[])];
        finds(&upward, text, &["a (floor 0) depends on b (floor 1)"]);
        finds(
            &[room("a", 0, &[]), room("b", 0, &[])],
            text,
            &["remove it"],
        );
    }

    #[test]
    fn a_crate_needs_a_floor_and_a_sentence() {
        let mut bare = room("a", 0, &[]);
        bare.rank = None;
        bare.described = false;
        finds(&[bare], GROUND, &["no `description`", "no floor"]);
    }
}
