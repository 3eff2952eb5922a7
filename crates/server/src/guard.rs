//! Who may ask, and what a browser may do with the answers.
//!
//! The page runs on the user's own machine, where every web site that is open in the browser can
//! send requests, too. So a request is answered only if it is addressed to us by a name of ours
//! (else a site could point its own name here: DNS rebinding), and if it comes from our own page or
//! from no page at all. Where others than this machine can connect, a token is needed as well.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::problem::{Problem, ProblemKind};

/// The cookie that holds the token for the page.
const COOKIE: &str = "sixproof-token";

/// What this machine calls itself.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// What a page of ours may do: nothing but its own files and this server, no inline script.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; manifest-src 'self'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The rules for requests.
#[derive(Debug)]
pub(crate) struct Guard {
    /// Our address and further names, without the port.
    hosts: Vec<String>,
    port: u16,
    token: Option<String>,
}

impl Guard {
    /// The rules for a server that listens at an address, with further names.
    pub(crate) fn new(address: SocketAddr, names: &[String], token: Option<String>) -> Guard {
        let mut hosts = Vec::new();
        if !address.ip().is_unspecified() {
            hosts.push(bracketed(address.ip()));
        }
        hosts.extend(names.iter().map(|name| name.to_lowercase()));
        Guard { hosts, port: address.port(), token }
    }

    /// Whether a `Host` or the rest of an `Origin` means us.
    fn is_ours(&self, host: &str) -> bool {
        let host = host.to_lowercase();
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, Some(port)),
            _ => (host.as_str(), None),
        };
        let is_named = self.hosts.iter().any(|ours| ours == name);
        let is_port = match port {
            Some(port) => port.parse() == Ok(self.port),
            // The usual port is left out.
            None => self.port == 80 || is_named,
        };
        // Addresses cannot be rebound; behind `--host 0.0.0.0` any of this machine's may be used,
        // and the token guards the rest.
        let is_address = self.token.is_some()
            && (name.parse::<IpAddr>().is_ok()
                || name.trim_matches(['[', ']']).parse::<IpAddr>().is_ok());
        is_port && (is_address || is_named || LOOPBACK.contains(&name))
    }

    /// Why a request is not answered.
    fn refuses(&self, method: &Method, headers: &HeaderMap) -> Option<Problem> {
        let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
        if !text(header::HOST).is_some_and(|host| self.is_ours(host)) {
            return Some(
                Problem::new(StatusCode::MISDIRECTED_REQUEST, "this server has another name")
                    .help("use the address that `sixproof serve` printed, or --name HOST"),
            );
        }
        let foreign = || {
            Problem::new(StatusCode::FORBIDDEN, "a page of another site may not ask")
                .help("open the address that `sixproof serve` printed")
        };
        if let Some(origin) = headers.get(header::ORIGIN) {
            let origin = origin.to_str().ok();
            let host =
                origin.and_then(|o| o.strip_prefix("http://").or(o.strip_prefix("https://")));
            if !host.is_some_and(|host| self.is_ours(host)) {
                return Some(foreign());
            }
        }
        // A link on another site may lead to the page, and nothing else may.
        let mode = text(HeaderName::from_static("sec-fetch-mode"));
        let is_link = method == Method::GET && mode == Some("navigate");
        let site = text(HeaderName::from_static("sec-fetch-site"));
        if matches!(site, Some("cross-site" | "same-site")) && !is_link {
            return Some(foreign());
        }
        let Some(token) = &self.token else { return None };
        let given = bearer(headers).or_else(|| cookie(headers));
        if given.is_some_and(|given| is_same(given.as_bytes(), token.as_bytes())) {
            return None;
        }
        let problem = Problem::new(StatusCode::UNAUTHORIZED, "a token is needed");
        Some(problem.kind(ProblemKind::TokenNeeded).help(
            "open the whole address that `sixproof serve` printed, or send the header \
             `Authorization: Bearer TOKEN`",
        ))
    }

    /// The page was opened with `?token=`: the cookie that it needs from now on.
    fn admission(&self, request: &Request) -> Option<Response> {
        let token = self.token.as_ref()?;
        let query = request.uri().query()?;
        let given = query.split('&').find_map(|pair| pair.strip_prefix("token="))?;
        if !is_same(given.as_bytes(), token.as_bytes()) {
            return None;
        }
        let cookie = format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict");
        let headers = [(header::SET_COOKIE, cookie), (header::LOCATION, "/".to_string())];
        Some((StatusCode::SEE_OTHER, headers).into_response())
    }
}

/// Lets a request through, or says why not; and tells browsers what they may do with the answer.
pub(crate) async fn guard(
    State(guard): State<Arc<Guard>>,
    request: Request,
    next: Next,
) -> Response {
    let is_api = request.uri().path().starts_with("/api");
    let admission = if is_api { None } else { guard.admission(&request) };
    let refused = guard.refuses(request.method(), request.headers());
    let needs_token = |problem: &Problem| problem.status == StatusCode::UNAUTHORIZED.as_u16();
    let mut response = match (refused, admission) {
        (Some(problem), Some(admission)) if needs_token(&problem) => admission,
        (Some(problem), _) => problem.into_response(),
        // The token is not to stay in the address.
        (None, Some(admission)) => admission,
        (None, None) => next.run(request).await,
    };
    let headers = response.headers_mut();
    let mut set = |name: HeaderName, value: &'static str| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    set(header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY);
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::X_FRAME_OPTIONS, "DENY");
    set(header::REFERRER_POLICY, "no-referrer");
    set(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    set(header::CACHE_CONTROL, if is_api { "no-store" } else { "no-cache" });
    response
}

/// An address as it stands in a URL.
pub(crate) fn bracketed(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    }
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ").map(str::trim)
}

fn cookie(headers: &HeaderMap) -> Option<&str> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = all.flat_map(|text| text.split(';'));
    pairs.find_map(|pair| pair.trim().strip_prefix(COOKIE)?.strip_prefix('='))
}

/// Compares in a time that does not tell how much is right.
fn is_same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |wrong, (x, y)| wrong | (x ^ y)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(token: Option<&str>) -> Guard {
        let address = SocketAddr::from(([127, 0, 0, 1], 6266));
        Guard::new(address, &["board.example.org".to_string()], token.map(str::to_string))
    }

    fn verdict(guard: &Guard, method: &Method, headers: &[(&'static str, &'static str)]) -> u16 {
        let headers: HeaderMap = headers
            .iter()
            .map(|&(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
            .collect();
        guard.refuses(method, &headers).map_or(200, |problem| problem.status)
    }

    #[test]
    fn only_our_own_names_are_answered() {
        let guard = guard(None);
        for (host, expected) in [
            ("127.0.0.1:6266", 200),
            ("localhost:6266", 200),
            ("LOCALHOST:6266", 200),
            ("[::1]:6266", 200),
            ("board.example.org", 200),
            ("board.example.org:6266", 200),
            ("localhost", 421),
            ("localhost:80", 421),
            ("evil.example:6266", 421),
            ("127.0.0.1.evil.example:6266", 421),
            ("10.0.0.1:6266", 421),
            ("", 421),
        ] {
            assert_eq!(verdict(&guard, &Method::GET, &[("host", host)]), expected, "{host}");
        }
        assert_eq!(verdict(&guard, &Method::GET, &[]), 421);
    }

    #[test]
    fn pages_of_other_sites_may_not_ask() {
        let guard = guard(None);
        let host = ("host", "127.0.0.1:6266");
        for (headers, expected) in [
            (vec![("origin", "http://127.0.0.1:6266")], 200),
            (vec![("origin", "http://localhost:6266")], 200),
            (vec![("origin", "http://evil.example")], 403),
            (vec![("origin", "http://127.0.0.1:8000")], 403),
            (vec![("origin", "null")], 403),
            (vec![("sec-fetch-site", "cross-site")], 403),
            (vec![("sec-fetch-site", "same-site")], 403),
            (vec![("sec-fetch-site", "same-origin")], 200),
            (vec![("sec-fetch-site", "none")], 200),
        ] {
            let headers: Vec<_> = headers.into_iter().chain([host]).collect();
            assert_eq!(verdict(&guard, &Method::POST, &headers), expected, "{headers:?}");
        }
        let link = [host, ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")];
        assert_eq!(verdict(&guard, &Method::GET, &link), 200);
        assert_eq!(verdict(&guard, &Method::POST, &link), 403);
    }

    #[test]
    fn where_a_token_is_needed_nothing_goes_without() {
        let guard = guard(Some("secret"));
        let host = ("host", "127.0.0.1:6266");
        for (headers, expected) in [
            (vec![], 401),
            (vec![("authorization", "Bearer secret")], 200),
            (vec![("authorization", "Bearer secre")], 401),
            (vec![("authorization", "secret")], 401),
            (vec![("cookie", "a=b; sixproof-token=secret")], 200),
            (vec![("cookie", "sixproof-token=other")], 401),
            (vec![("cookie", "xsixproof-token=secret")], 401),
        ] {
            let headers: Vec<_> = headers.into_iter().chain([host]).collect();
            assert_eq!(verdict(&guard, &Method::GET, &headers), expected, "{headers:?}");
        }
        // Any address of this machine will do.
        let headers = [("host", "10.0.0.1:6266"), ("authorization", "Bearer secret")];
        assert_eq!(verdict(&guard, &Method::GET, &headers), 200);
    }
}
