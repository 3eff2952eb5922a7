//! The systemd unit of a worker: its command line, without secrets.
//!
//! The worker runs as its own user, which can read almost no file; systemd passes it the files with
//! keys and tokens as credentials.

use std::num::NonZero;
use std::path::{Path, PathBuf};

use sixproof_solve::failure::{Failure, Result};

use super::connection::{Access, Connection};

/// The unit that runs this worker.
pub fn unit(
    program: &Path,
    connection: &Connection,
    from: &Access,
    cores: Option<NonZero<u16>>,
    name: Option<&str>,
) -> Result<String> {
    if connection.has_userinfo() {
        return Err(Failure::new("the address contains a password, which the unit would reveal")
            .help("put it into a file: --nats-user NAME --nats-password-file FILE"));
    }
    let mut words = vec![quoted(&text(program)), "worker".to_string(), quoted(connection.shown())];
    if let Some(cores) = cores {
        words.extend(["--cores".to_string(), cores.to_string()]);
    }
    if let Some(name) = name {
        words.extend(["--name".to_string(), quoted(name)]);
    }
    words.push("--quiet".to_string());
    if let Some(user) = &from.user {
        words.extend(["--nats-user".to_string(), quoted(user)]);
    }
    let files: [(&str, &Option<PathBuf>); 7] = [
        ("--nats-token-file", &from.token_file),
        ("--nats-password-file", &from.password_file),
        ("--nats-nkey-file", &from.nkey_file),
        ("--nats-creds", &from.creds),
        ("--nats-ca", &from.ca),
        ("--nats-cert", &from.cert),
        ("--nats-key", &from.key),
    ];
    let mut credentials = String::new();
    for (option, file) in files {
        if let Some(file) = file {
            let whole = file.canonicalize().map_err(|error| Failure::io(file.display(), &error))?;
            let name = option.trim_start_matches('-');
            let path = text(&whole).replace('%', "%%");
            credentials += &format!("LoadCredential={name}:{path}\n");
            words.extend([option.to_string(), format!("%d/{name}")]);
        }
    }
    let command = words.join(" ");
    Ok(format!(
        "[Unit]\n\
         Description=sixproof worker\n\
         Wants=network-online.target\n\
         After=network-online.target\n\
         \n\
         [Service]\n\
         # Secrets of the environment (NATS_TOKEN and others) go into a file that only root can read:\n\
         # EnvironmentFile=/etc/sixproof/worker.env\n\
         {credentials}ExecStart={command}\n\
         KillSignal=SIGINT\n\
         TimeoutStopSec=30\n\
         Restart=always\n\
         RestartSec=10\n\
         Nice=19\n\
         CPUSchedulingPolicy=idle\n\
         DynamicUser=yes\n\
         NoNewPrivileges=yes\n\
         ProtectSystem=strict\n\
         ProtectHome=read-only\n\
         PrivateTmp=yes\n\
         \n\
         [Install]\n\
         WantedBy=multi-user.target"
    ))
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

/// Quotes a word for systemd.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:,@+=".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_string();
    }
    let mut out = String::from("\"");
    for c in word.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '%' | '$' => out.extend([c, c]),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_as_systemd_reads_them() {
        assert_eq!(quoted("/usr/bin/six-proof"), "/usr/bin/six-proof");
        assert_eq!(quoted("my attic"), "\"my attic\"");
        assert_eq!(quoted("50% of $HOME \"x\" \\"), "\"50%% of $$HOME \\\"x\\\" \\\\\"");
        assert_eq!(quoted(""), "\"\"");
        assert_eq!(quoted("a\nb"), "\"a b\"");
    }
}
