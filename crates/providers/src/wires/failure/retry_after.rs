//! How long a server asks to wait. The clock is an argument.

use std::time::Duration;

use ::http::HeaderMap;
use jiff::Timestamp;
use jiff::fmt::rfc2822;

/// Nobody waits longer than a day for one request; past that a number is a mistake.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// What the headers ask for: `retry-after-ms`, or `retry-after` as seconds or as a date.
pub(crate) fn of(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    let wait = match text("retry-after-ms").and_then(|ms| ms.parse::<f64>().ok()) {
        Some(ms) => seconds(ms / 1000.0)?,
        None => value(text("retry-after")?, now)?,
    };
    Some(wait.min(LONGEST))
}

fn value(text: &str, now: Timestamp) -> Option<Duration> {
    if let Ok(number) = text.parse::<f64>() {
        return seconds(number);
    }
    let at = rfc2822::DateTimeParser::new().parse_timestamp(text).ok()?;
    // A date in the past asks for nothing more than a next attempt.
    Some(Duration::try_from(at.duration_since(now)).unwrap_or_default())
}

/// Seconds as Google and others write them into bodies: `34s`, `1.5s`.
pub(crate) fn written(text: &str) -> Option<Duration> {
    seconds(text.strip_suffix('s')?.parse().ok()?)
}

fn seconds(number: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(number).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    fn check(headers: &[(&'static str, &'static str)], expect_ms: Option<u64>) {
        let now: Timestamp = "1994-11-06T08:49:00Z".parse().unwrap();
        let headers: HeaderMap = headers
            .iter()
            .map(|(name, value)| {
                let name = ::http::HeaderName::from_static(name);
                (name, HeaderValue::from_static(value))
            })
            .collect();
        let found = of(&headers, now);
        assert_eq!(found, expect_ms.map(Duration::from_millis), "{headers:?}");
    }

    #[test]
    fn seconds_milliseconds_and_dates_are_understood() {
        check(&[("retry-after", "7")], Some(7000));
        check(&[("retry-after", "0.5")], Some(500));
        check(
            &[("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT")],
            Some(37_000),
        );
        check(&[("retry-after", "Sun, 06 Nov 1994 08:48:37 GMT")], Some(0));
        check(
            &[("retry-after", "7"), ("retry-after-ms", "250")],
            Some(250),
        );
        check(&[("retry-after", "99999999")], Some(86_400_000));
        check(&[("retry-after", "soon")], None);
        check(&[("retry-after", "-1")], None);
        check(&[], None);
    }

    #[test]
    fn durations_in_bodies_are_understood() {
        assert_eq!(written("34s"), Some(Duration::from_secs(34)));
        assert_eq!(written("1.5s"), Some(Duration::from_millis(1500)));
        assert_eq!(written("34"), None);
    }
}
