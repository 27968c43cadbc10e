//! Which licences the dependencies have. What is allowed stands in `deny.toml` and nowhere else.

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::metadata::{self, Package};
use crate::spdx::Expression;
use crate::{Problems, repository};

/// The part of `deny.toml` that is read here.
#[derive(Deserialize)]
struct Deny {
    licenses: Licenses,
}

#[derive(Deserialize)]
struct Licenses {
    allow: Vec<String>,
}

/// Every crate, ours included, that cannot be used under an allowed licence.
pub(crate) fn check() -> Result<Problems> {
    let deny: Deny =
        toml::from_str(&repository::read("deny.toml")?).context("reading deny.toml")?;
    let packages = metadata::everything()?.packages;
    Ok(packages
        .iter()
        .filter_map(|package| problem(package, &deny.licenses.allow))
        .collect())
}

fn problem(package: &Package, allowed: &[String]) -> Option<String> {
    let who = format!("{} {}", package.name, package.version);
    let Some(license) = &package.license else {
        return Some(format!("{who} names no licence in its manifest"));
    };
    let Some(expression) = Expression::parse(license) else {
        return Some(format!(
            "{who} has a licence that cannot be read: {license}"
        ));
    };
    let met = expression.is_met(&|name| allowed.iter().any(|one| one == name));
    (!met).then(|| format!("{who} is licensed under {license}, which deny.toml does not allow"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_names_crate_and_licence() {
        let check = |license: Option<&str>, expect: Option<&str>| {
            let json = serde_json::json!({
                "name": "x", "version": "1.2.3", "license": license, "description": null,
                "source": null, "dependencies": [],
            });
            let package: Package = serde_json::from_value(json).unwrap();
            let found = problem(&package, &["MIT".to_owned()]);
            assert_eq!(found.as_deref(), expect);
        };
        check(Some("MIT OR GPL-3.0-only"), None);
        check(
            Some("GPL-3.0-only"),
            Some("x 1.2.3 is licensed under GPL-3.0-only, which deny.toml does not allow"),
        );
        check(None, Some("x 1.2.3 names no licence in its manifest"));
        check(
            Some("see LICENSE"),
            Some("x 1.2.3 has a licence that cannot be read: see LICENSE"),
        );
    }
}
