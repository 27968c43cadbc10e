//! The manifests in the repository are valid by the published schema and by the reader.

use std::fs;
use std::path::PathBuf;

use zeug_ext_protocol::manifest::{FILE, Manifest};

use crate::{repository, validate, validator};

fn manifests() -> Vec<PathBuf> {
    let folders = ["examples/extensions", "tests/compat"];
    let inside = folders.map(|folder| fs::read_dir(repository(folder)).unwrap());
    inside
        .into_iter()
        .flatten()
        .map(|entry| entry.unwrap().path().join(FILE))
        .filter(|path| path.exists())
        .chain([repository("tests/bad-guest").join(FILE)])
        .collect()
}

#[test]
fn manifests_of_the_repository_are_valid() {
    let schema = validator("extension-manifest.schema.json");
    let manifests = manifests();
    assert!(manifests.len() > 5, "{manifests:?}");
    for path in manifests {
        let text = fs::read_to_string(&path).unwrap();
        let manifest = Manifest::parse(&text).unwrap();
        let title = path.display().to_string();
        assert!(manifest.other.is_empty(), "{title}: {:?}", manifest.other);
        validate(&schema, &serde_json::from_str(&text).unwrap(), &title);
    }
}
