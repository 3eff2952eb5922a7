//! The address of the NATS server and our credentials, from options, environment and files.
//!
//! Secrets live in `Secret`, whose debug output is empty; displayed addresses lack the part in
//! front of `@`; and error texts of NATS are searched for secrets before they are displayed.

use std::env;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use async_nats::ServerAddr;

use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::files;
use tokio::runtime;
use tokio::sync::mpsc;

use super::nats;

/// The default address.
const SERVER_USUAL: &str = "nats://127.0.0.1:4222";
/// Largest number of servers of a cluster.
const SERVERS_MAX: usize = 64;
/// Largest size of a file with a secret.
const SECRET_BYTES_MAX: usize = 64 << 10;

/// The options of our credentials, as the user gave them.
#[derive(Clone, Debug, Default)]
pub struct Access {
    /// A file with the token of the server.
    pub token_file: Option<PathBuf>,
    /// The user.
    pub user: Option<String>,
    /// A file with the password of the user.
    pub password_file: Option<PathBuf>,
    /// A file with the seed of the user's nkey.
    pub nkey_file: Option<PathBuf>,
    /// A file with credentials (JWT and seed).
    pub creds: Option<PathBuf>,
    /// The certificate authority of the server, as PEM.
    pub ca: Option<PathBuf>,
    /// Our own certificate, as PEM.
    pub cert: Option<PathBuf>,
    /// The key of our own certificate, as PEM.
    pub key: Option<PathBuf>,
}

/// A secret text.
#[derive(Clone)]
pub(crate) struct Secret(String);

impl Secret {
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// Our credentials.
#[derive(Clone, Debug)]
pub(crate) enum Identity {
    Anonymous,
    Token(Secret),
    User { name: String, password: Secret },
    NKey(Secret),
    Credentials(Secret),
}

/// A server, and our credentials.
#[derive(Clone)]
pub struct Connection {
    pub(crate) servers: Vec<ServerAddr>,
    /// The servers without secrets.
    shown: String,
    /// Whether an address has a user or a password in it.
    has_userinfo: bool,
    pub(crate) identity: Identity,
    pub(crate) ca: Option<PathBuf>,
    /// Our certificate and its key.
    pub(crate) certificate: Option<(PathBuf, PathBuf)>,
    /// The secret parts of addresses.
    hidden: Vec<Secret>,
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Connection({})", self.shown)
    }
}

impl Connection {
    /// The connection that options and environment describe; this reads secrets from their files.
    /// An address on the command line must not contain a secret: every user who can list processes
    /// would see it.
    pub fn new(url: Option<&str>, options: &Access) -> Result<Connection> {
        if let Some(url) = url {
            let connection = Connection::of(url, options)?;
            return match connection.has_userinfo {
                true => Err(secret_typed()),
                false => Ok(connection),
            };
        }
        let known = variable("NATS_URL").unwrap_or_else(|| SERVER_USUAL.to_string());
        Connection::of(&known, options)
    }

    /// The connection to these servers, from the command line or the environment.
    fn of(typed: &str, options: &Access) -> Result<Connection> {
        let mut servers = Vec::new();
        let mut hidden = Vec::new();
        let mut in_urls = None;
        for text in typed.split(',').map(str::trim).filter(|text| !text.is_empty()) {
            let server = parsed(text)?;
            let user = server.username().map(unescaped);
            let password = server.password().map(unescaped);
            hidden.extend([&user, &password].into_iter().flatten().cloned().map(Secret));
            // As in other programs of NATS, a user without a password is a token.
            let in_url = match (user, password) {
                (Some(name), Some(password)) => {
                    Some(Identity::User { name, password: Secret(password) })
                }
                (Some(token), None) => Some(Identity::Token(Secret(token))),
                (None, _) => None,
            };
            in_urls = in_urls.or(in_url);
            servers.push(without_userinfo(server)?);
        }
        if servers.is_empty() || servers.len() > SERVERS_MAX {
            return Err(Failure::new(format!("the address names {} NATS servers", servers.len()))
                .help(format!("name 1 to {SERVERS_MAX}, such as {SERVER_USUAL}")));
        }
        let shown = servers.iter().map(shown).collect::<Vec<_>>().join(",");
        let path = |option: &Option<PathBuf>, name: &str| {
            option.clone().or_else(|| variable(name).map(PathBuf::from))
        };
        let certificate = path(&options.cert, "NATS_CERT");
        let key = path(&options.key, "NATS_KEY");
        let certificate = match (certificate, key) {
            (Some(certificate), Some(key)) => Some((certificate, key)),
            (None, None) => None,
            _ => {
                return Err(Failure::new("a certificate needs its key, and a key its certificate")
                    .help("name both: --nats-cert and --nats-key, or NATS_CERT and NATS_KEY"));
            }
        };
        let connection = Connection {
            has_userinfo: !hidden.is_empty(),
            servers,
            shown,
            identity: match typed_identity(options)?.or(in_urls) {
                Some(identity) => identity,
                None => environment_identity()?,
            },
            ca: path(&options.ca, "NATS_CA"),
            certificate,
            hidden,
        };
        for file in connection.pem_files() {
            std::fs::metadata(file).map_err(|error| Failure::io(file.display(), &error))?;
        }
        Ok(connection)
    }

    fn pem_files(&self) -> impl Iterator<Item = &PathBuf> {
        let own = self.certificate.iter().flat_map(|(certificate, key)| [certificate, key]);
        self.ca.iter().chain(own)
    }

    /// The servers, without secrets.
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// Connects, and disconnects: fails at once where there is no server, or no access to it.
    pub fn ensure_server(&self) -> Result<()> {
        let runtime = runtime::Builder::new_current_thread().enable_io().enable_time().build();
        let runtime = runtime.map_err(|error| Failure::io("the connection", &error))?;
        let (events, _) = mpsc::unbounded_channel();
        let client = runtime.block_on(nats::connect(self, "manager", events));
        runtime.shutdown_timeout(Duration::ZERO);
        client.map(drop).map_err(|error| error.failure)
    }

    /// Whether an address has a user or a password in it.
    pub(crate) fn has_userinfo(&self) -> bool {
        self.has_userinfo
    }

    /// A text of the server, without any secret of ours that it repeats.
    pub(crate) fn without_secrets(&self, text: &str) -> String {
        let own = match &self.identity {
            Identity::Anonymous => None,
            Identity::Token(secret) | Identity::NKey(secret) | Identity::Credentials(secret) => {
                Some(secret)
            }
            Identity::User { password, .. } => Some(password),
        };
        let mut text = text.to_string();
        for secret in own.into_iter().chain(&self.hidden).filter(|secret| !secret.0.is_empty()) {
            text = text.replace(secret.reveal(), "…");
        }
        text
    }
}

/// The failure for an address on the command line that contains a secret.
fn secret_typed() -> Failure {
    Failure::new(
        "the address contains a user, a password or a token, which every user of this machine can \
         see in the list of processes",
    )
    .help(
        "leave out the part before the @, and use --nats-user NAME and --nats-password-file FILE \
         (or NATS_USER and NATS_PASSWORD), or --nats-token-file FILE (or NATS_TOKEN); change the \
         secret now",
    )
}

/// The value of an environment variable, unless it is empty.
fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

/// Reads one address. The error does not repeat it, because it may contain a password.
fn parsed(text: &str) -> Result<ServerAddr> {
    let server: std::result::Result<ServerAddr, _> = text.parse();
    let usable = server
        .ok()
        .filter(|server| matches!(server.scheme(), "nats" | "tls") && !server.host().is_empty());
    usable.ok_or_else(|| {
        Failure::new("cannot read the address of the NATS server")
            .help("it is nats://HOST:PORT or tls://HOST:PORT; several are separated by commas")
    })
}

/// An address as text, without user and password.
fn shown(server: &ServerAddr) -> String {
    let host = server.host();
    let host = if host.contains(':') { format!("[{host}]") } else { host.to_string() };
    format!("{}://{host}:{}", server.scheme(), server.port())
}

/// The same address without user and password.
fn without_userinfo(server: ServerAddr) -> Result<ServerAddr> {
    let mut url = server.into_inner();
    let is_plain = url.set_username("").is_ok() && url.set_password(None).is_ok();
    let server = ServerAddr::from_url(url).ok().filter(|_| is_plain);
    server.ok_or_else(|| Failure::new("cannot read the address of the NATS server"))
}

/// Decodes the `%XX` in a part of an address.
fn unescaped(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let digits = digits.filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match byte.filter(|_| first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Our credentials, from the options.
fn typed_identity(options: &Access) -> Result<Option<Identity>> {
    if let Some(path) = &options.creds {
        return read_secret(path).map(Identity::Credentials).map(Some);
    }
    if let Some(path) = &options.nkey_file {
        return nkey(path).map(Some);
    }
    if let Some(path) = &options.token_file {
        return read_secret(path).map(Identity::Token).map(Some);
    }
    let user = || options.user.clone().or_else(|| variable("NATS_USER"));
    if let Some(path) = &options.password_file {
        let name = user().ok_or_else(|| {
            Failure::new("a password needs a user").help("name it with --nats-user or NATS_USER")
        })?;
        return Ok(Some(Identity::User { name, password: read_secret(path)? }));
    }
    if let Some(name) = options.user.clone() {
        let password = Secret(variable("NATS_PASSWORD").unwrap_or_default());
        return Ok(Some(Identity::User { name, password }));
    }
    Ok(None)
}

/// Our credentials, from the environment.
fn environment_identity() -> Result<Identity> {
    if let Some(path) = variable("NATS_CREDS") {
        return read_secret(Path::new(&path)).map(Identity::Credentials);
    }
    if let Some(path) = variable("NATS_NKEY") {
        return nkey(Path::new(&path));
    }
    if let Some(token) = variable("NATS_TOKEN") {
        return Ok(Identity::Token(Secret(token)));
    }
    Ok(match (variable("NATS_USER"), variable("NATS_PASSWORD")) {
        (Some(name), Some(password)) => Identity::User { name, password: Secret(password) },
        // As other programs of NATS have it: a user without a password is a token.
        (Some(token), None) => Identity::Token(Secret(token)),
        (None, _) => Identity::Anonymous,
    })
}

fn read_secret(path: &Path) -> Result<Secret> {
    let bytes = files::read(path)?;
    let text = String::from_utf8(bytes).ok().map(|text| text.trim().to_string());
    let text = text.filter(|text| !text.is_empty() && text.len() <= SECRET_BYTES_MAX);
    text.map(Secret).ok_or_else(|| {
        Failure::new(format!("{}: the file contains no secret", path.display()))
            .help("the file must contain the secret as text, and nothing else")
    })
}

/// The seed of an nkey: the line of the file that looks like a seed.
fn nkey(path: &Path) -> Result<Identity> {
    let text = read_secret(path)?;
    let is_seed = |line: &&str| line.starts_with('S') && line.len() == 58;
    let seed = text.reveal().lines().map(str::trim).find(is_seed);
    seed.map(|seed| Identity::NKey(Secret(seed.to_string()))).ok_or_else(|| {
        Failure::new(format!("{}: the file contains no seed of an nkey", path.display()))
            .help("a seed starts with SU and has 58 letters and digits: `nk -gen user` makes one")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn connection(url: &str) -> Result<Connection> {
        Connection::of(url, &Access::default())
    }

    #[test]
    fn an_address_on_the_command_line_contains_no_secret() {
        for url in ["nats://ann:hush@10.0.0.1", "nats://10.0.0.2,tls://hush@[::1]:5222"] {
            let failure = Connection::new(Some(url), &Access::default()).unwrap_err();
            let text = format!("{failure} {failure:?} {}", failure.to_json());
            assert!(!text.contains("hush"), "{text}");
            assert!(text.contains("--nats-password-file") && text.contains("NATS_TOKEN"), "{text}");
        }
    }

    #[test]
    fn an_address_is_shown_without_user_and_password() {
        let it = connection("nats://ann:hush@10.0.0.1, tls://tok3n@[::1]:5222").unwrap();
        assert_eq!(it.shown(), "nats://10.0.0.1:4222,tls://[::1]:5222");
        assert!(it.has_userinfo());
        assert!(!format!("{it:?}").contains("hush"));
        assert_eq!(it.without_secrets("no hush for tok3n"), "no … for …");
        assert!(it.servers.iter().all(|server| !server.as_url_str().contains('@')));
        let Identity::User { name, password } = &it.identity else { panic!("{it:?}") };
        assert_eq!((name.as_str(), password.reveal()), ("ann", "hush"));
        let odd = connection("nats://p%40ss%2Fw%C3%B6rd@host").unwrap();
        assert!(matches!(&odd.identity, Identity::Token(token) if token.reveal() == "p@ss/wörd"));
    }

    #[test]
    fn an_address_that_cannot_be_read_is_not_repeated() {
        for url in ["http://ann:hush@host", "nats://ann:hush@", "nats://ann:hush@host:99999", ","] {
            let failure = connection(url).unwrap_err();
            let text = format!("{failure} {failure:?} {}", failure.to_json());
            assert!(!text.contains("hush"), "{text}");
            assert!(failure.advice().is_some());
        }
    }

    #[test]
    fn secrets_are_not_in_debug_output() {
        let secret = Secret("hush".to_string());
        let user = Identity::User { name: "ann".to_string(), password: secret.clone() };
        let all = [user, Identity::Token(secret.clone()), Identity::NKey(secret)];
        assert!(!format!("{all:?}").contains("hush"));
    }
}
