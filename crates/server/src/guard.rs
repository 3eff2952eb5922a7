//! Which requests are answered, and what a browser may do with the answers.
//!
//! The page runs on the user's own machine, where every web site that is open in the browser can
//! send requests, too. So the server answers a request only if its `Host` is a name of the server
//! (else a site could point its own name here: DNS rebinding), and if it comes from the server's
//! own page or from no page at all. Where other machines can connect, a token is needed as well.
//!
//! A right token is answered at once, a wrong one after a delay and with a line in the log. The
//! delay costs its client a socket: clients with the token do not wait for it.

use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use sixproof_solve::output::Output;

use super::problem::{Problem, ProblemKind};

/// The cookie that holds the token for the page.
const COOKIE: &str = "sixproof-token";

/// The time between two lines in the log about wrong tokens.
const LOG_EVERY: Duration = Duration::from_secs(1);

/// The header in which a proxy in front of the server names the protocol of its client.
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// The names of this machine for itself.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// What the page may load: its own files and answers of this server, no inline script.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; manifest-src 'self'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Admits or refuses requests.
#[derive(Debug)]
pub(crate) struct Guard {
    /// The server's address and further names, without the port.
    hosts: Vec<String>,
    port: u16,
    token: Option<String>,
    /// The time that the answer to a wrong token is held back.
    wrong_token_time: Duration,
    log: Mutex<WrongTokenLog>,
}

/// The lines about wrong tokens.
#[derive(Debug)]
struct WrongTokenLog {
    output: Output,
    last: Option<Instant>,
    /// The wrong tokens since the last line.
    unlogged: u64,
}

/// The host and the port of a `Host` header or of an `Origin`.
fn authority(text: &str) -> (&str, Option<&str>) {
    match text.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => (name, Some(port)),
        _ => (text, None),
    }
}

impl Guard {
    /// The guard of a server that listens at an address, with further names.
    pub(crate) fn new(
        address: SocketAddr,
        names: &[String],
        token: Option<String>,
        wrong_token_time: Duration,
        output: Output,
    ) -> Guard {
        let mut hosts = Vec::new();
        if !address.ip().is_unspecified() {
            hosts.push(bracketed(address.ip()));
        }
        hosts.extend(names.iter().map(|name| name.to_lowercase()));
        let log = Mutex::new(WrongTokenLog { output, last: None, unlogged: 0 });
        Guard { hosts, port: address.port(), token, wrong_token_time, log }
    }

    /// Whether a request to this host is meant for this server.
    fn is_ours(&self, host: &str) -> bool {
        let (name, port) = authority(host);
        // Addresses cannot be rebound; behind `--host 0.0.0.0` any of this machine's may be used,
        // and the token guards the rest.
        let is_address = self.token.is_some()
            && (name.parse::<IpAddr>().is_ok()
                || name.trim_matches(['[', ']']).parse::<IpAddr>().is_ok());
        let is_loopback = LOOPBACK.contains(&name);
        self.is_named(host) || self.is_port(port) && (is_address || is_loopback)
    }

    /// Whether this is the server's address, or a name that the user has given it.
    fn is_named(&self, host: &str) -> bool {
        let (name, port) = authority(host);
        // A proxy has a port of its own, which addresses usually leave out.
        (port.is_none() || self.is_port(port)) && self.hosts.iter().any(|ours| ours == name)
    }

    fn is_port(&self, port: Option<&str>) -> bool {
        port.map_or(self.port == 80, |port| port.parse() == Ok(self.port))
    }

    /// Whether a page from `origin` may send requests to `host`: it is the server's own page there,
    /// or under another of its names. An address of this machine alone does not admit a page.
    fn is_own_page(&self, origin: &str, host: &str) -> bool {
        let origin = origin.to_lowercase();
        let from = origin.strip_prefix("http://").or(origin.strip_prefix("https://"));
        let is_loopback = |text: &str| {
            let (name, port) = authority(text);
            self.is_port(port) && LOOPBACK.contains(&name)
        };
        from.is_some_and(|from| {
            from == host || self.is_named(from) || is_loopback(from) && is_loopback(host)
        })
    }

    /// The reason to refuse a request, if there is one.
    fn refuses(&self, method: &Method, headers: &HeaderMap) -> Option<Problem> {
        let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
        let host = text(header::HOST).unwrap_or_default().to_lowercase();
        if !self.is_ours(&host) {
            return Some(
                Problem::new(StatusCode::MISDIRECTED_REQUEST, "this server has another name")
                    .help("use the address that `sixproof serve` printed, or --name HOST"),
            );
        }
        let foreign = || {
            Problem::new(StatusCode::FORBIDDEN, "a page of another site may not ask")
                .help("open the address that `sixproof serve` printed")
        };
        if let Some(origin) = headers.get(header::ORIGIN)
            && !origin.to_str().is_ok_and(|origin| self.is_own_page(origin, &host))
        {
            return Some(foreign());
        }
        // A link on another site may lead to the page, and nothing else may.
        let mode = text(HeaderName::from_static("sec-fetch-mode"));
        let is_link = method == Method::GET && mode == Some("navigate");
        let site = text(HeaderName::from_static("sec-fetch-site"));
        if matches!(site, Some("cross-site" | "same-site")) && !is_link {
            return Some(foreign());
        }
        let token = self.token.as_ref()?;
        if given(headers).is_some_and(|given| is_same(given.as_bytes(), token.as_bytes())) {
            return None;
        }
        let problem = Problem::new(StatusCode::UNAUTHORIZED, "a token is needed");
        Some(problem.kind(ProblemKind::TokenNeeded).help(
            "open the whole address that `sixproof serve` printed, or send the header \
             `Authorization: Bearer TOKEN`",
        ))
    }

    /// The answer to the page with `?token=`: it sets the cookie that later requests need.
    fn admission(&self, request: &Request) -> Option<Response> {
        let token = self.token.as_ref()?;
        if !is_same(in_query(request)?.as_bytes(), token.as_bytes()) {
            return None;
        }
        // A client that forges this header gets a cookie that it cannot use.
        let proto = request.headers().get(FORWARDED_PROTO).map(HeaderValue::as_bytes);
        let is_secure = proto.is_some_and(|proto| proto.eq_ignore_ascii_case(b"https"));
        let secure = if is_secure { "; Secure" } else { "" };
        let cookie = format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict{secure}");
        let headers = [(header::SET_COOKIE, cookie), (header::LOCATION, "/".to_string())];
        Some((StatusCode::SEE_OTHER, headers).into_response())
    }

    /// Logs a wrong token, unless a line about another is being written or was written within
    /// [`LOG_EVERY`]: guesses do not fill the disk, and a log that blocks does not stop the server.
    fn log_wrong_token(&self, client: Option<IpAddr>) {
        let Ok(mut log) = self.log.try_lock() else { return };
        log.unlogged += 1;
        if log.last.is_some_and(|last| last.elapsed() < LOG_EVERY) {
            return;
        }
        let others = match log.unlogged - 1 {
            0 => String::new(),
            others => format!(", and {others} more since the last line"),
        };
        let client = client.map_or("a client".to_string(), |client| client.to_string());
        log.output.log(format!("a wrong token from {client}{others}"));
        (log.last, log.unlogged) = (Some(Instant::now()), 0);
    }
}

/// Lets a request through or answers why it is refused, and sets the headers that restrict
/// browsers.
pub(crate) async fn guard(
    State(guard): State<Arc<Guard>>,
    request: Request,
    next: Next,
) -> Response {
    let is_api = request.uri().path().starts_with("/api");
    let admission = if is_api { None } else { guard.admission(&request) };
    let refused = guard.refuses(request.method(), request.headers());
    let needs_token = |problem: &Problem| problem.status == StatusCode::UNAUTHORIZED.as_u16();
    let has_token = given(request.headers()).or(in_query(&request)).is_some();
    let mut response = match (refused, admission) {
        (Some(problem), Some(admission)) if needs_token(&problem) => admission,
        (Some(problem), _) => {
            if needs_token(&problem) && has_token {
                let client = request.extensions().get::<ConnectInfo<SocketAddr>>();
                let client = client.map(|ConnectInfo(client)| client.ip().to_canonical());
                let time = guard.wrong_token_time;
                // Writing to a log that is a full pipe may block for ever.
                tokio::task::spawn_blocking(move || guard.log_wrong_token(client));
                tokio::time::sleep(time).await;
            }
            problem.into_response()
        }
        // The redirection removes the token from the address.
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

/// The token that a request has.
fn given(headers: &HeaderMap) -> Option<&str> {
    bearer(headers).or_else(|| cookie(headers))
}

/// The token in the address of the page.
fn in_query(request: &Request) -> Option<&str> {
    request.uri().query()?.split('&').find_map(|pair| pair.strip_prefix("token="))
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ").map(str::trim)
}

fn cookie(headers: &HeaderMap) -> Option<&str> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = all.flat_map(|text| text.split(';'));
    pairs.find_map(|pair| pair.trim().strip_prefix(COOKIE)?.strip_prefix('='))
}

/// Compares two texts in a time that does not depend on where they differ.
fn is_same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |wrong, (x, y)| wrong | (x ^ y)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(token: Option<&str>) -> Guard {
        let address = SocketAddr::from(([127, 0, 0, 1], 6266));
        let (names, token) = (["board.example.org".to_string()], token.map(str::to_string));
        Guard::new(address, &names, token, Duration::ZERO, Output { json: false })
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
        // With a token, any address of this machine is accepted.
        let headers = [("host", "10.0.0.1:6266"), ("authorization", "Bearer secret")];
        assert_eq!(verdict(&guard, &Method::GET, &headers), 200);
    }

    #[test]
    fn a_token_does_not_open_the_door_to_other_pages() {
        let guard = guard(Some("secret"));
        for (host, origin, expected) in [
            ("127.0.0.1:6266", "http://127.0.0.1:6266", 200),
            ("127.0.0.1:6266", "http://localhost:6266", 200),
            ("127.0.0.1:6266", "http://6.6.6.6:6266", 403),
            ("127.0.0.1:6266", "https://6.6.6.6:6266", 403),
            ("127.0.0.1:6266", "http://[6::6]:6266", 403),
            ("10.0.0.1:6266", "http://10.0.0.1:6266", 200),
            ("10.0.0.1:6266", "http://10.0.0.2:6266", 403),
            ("10.0.0.1:6266", "http://localhost:6266", 403),
            ("10.0.0.1:6266", "http://10.0.0.1", 403),
            // Behind a proxy, which may put the server's own address into `Host`.
            ("board.example.org", "https://board.example.org", 200),
            ("127.0.0.1:6266", "https://board.example.org", 200),
            ("127.0.0.1:6266", "https://board.example.org.evil.example", 403),
            ("127.0.0.1:6266", "ftp://127.0.0.1:6266", 403),
            ("127.0.0.1:6266", "", 403),
        ] {
            let headers = [("host", host), ("origin", origin), ("cookie", "sixproof-token=secret")];
            let verdict = verdict(&guard, &Method::POST, &headers);
            assert_eq!(verdict, expected, "{origin} asks {host}");
        }
    }

    #[test]
    fn the_cookie_is_secure_behind_https() {
        let cookie = |proto: Option<&str>| {
            let mut request = Request::builder().uri("/?token=secret");
            if let Some(proto) = proto {
                request = request.header(FORWARDED_PROTO, proto);
            }
            let request = request.body(axum::body::Body::empty()).unwrap();
            let admitted = guard(Some("secret")).admission(&request).unwrap();
            admitted.headers()[header::SET_COOKIE].to_str().unwrap().to_string()
        };
        assert!(cookie(Some("https")).ends_with("; Secure"));
        assert!(!cookie(Some("http")).contains("Secure"));
        assert!(!cookie(None).contains("Secure"));
    }
}
