//! Ways to be let in: token, user and password, nkey, TLS.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::nats_server::NatsServer;
use crate::scratch::folder;
use crate::{Ran, sixproof, sixproof_with};

/// Nothing that is said may have this in it.
const HUSH: &str = "hush-3f9a";

fn settings(folder: &Path, more: &str) -> String {
    format!("jetstream {{ store_dir: {:?} }}\n{more}", folder.join("js"))
}

/// A client that is let in sees that there is no search.
fn assert_let_in(ran: &Ran) {
    assert_eq!(ran.code, Some(1), "{}", ran.all());
    assert!(ran.out.contains("no search"), "{}", ran.all());
    assert!(!ran.all().contains(HUSH), "{}", ran.all());
}

fn assert_kept_out(ran: &Ran, why: &str) {
    assert_eq!(ran.code, Some(2), "{}", ran.all());
    assert!(ran.err.contains(why), "{}", ran.all());
    assert!(ran.err.contains("help:"), "{}", ran.all());
    assert!(!ran.all().contains(HUSH), "{}", ran.all());
}

#[test]
fn a_token_lets_in_and_is_never_shown() {
    let folder = folder("farm-token");
    let token = format!("authorization {{ token: \"{HUSH}\" }}");
    let server = NatsServer::with(&folder, &settings(&folder, &token));
    let url = server.url();
    fs::write(folder.join("token"), format!("{HUSH}\n")).unwrap();
    fs::write(folder.join("wrong"), format!("{HUSH}-not\n")).unwrap();
    let status = ["farm", "status", &url];
    assert_let_in(&sixproof(&folder, &["farm", "status", &url, "--nats-token-file", "token"]));
    assert_let_in(&sixproof_with(&folder, &[("NATS_TOKEN", HUSH)], &status));
    let with = url.replace("//", &format!("//{HUSH}@"));
    assert_let_in(&sixproof_with(&folder, &[("NATS_URL", &with)], &["farm", "status"]));
    // What is typed is seen by everybody who can list processes.
    for command in [&["farm", "status"][..], &["worker"], &["bench", "farm"]] {
        let ran = sixproof(&folder, &[command, &[&with]].concat());
        assert_kept_out(&ran, "which every user of this machine can see");
        assert!(ran.err.contains("--nats-token-file"), "{}", ran.all());
    }
    let ran = sixproof(&folder, &["prove", "tx-h9", "--farm", &with]);
    assert_kept_out(&ran, "every user of this machine");
    let refused = "refused the authorisation";
    assert_kept_out(&sixproof(&folder, &status), refused);
    let wrong = ["farm", "status", &url, "--nats-token-file", "wrong"];
    assert_kept_out(&sixproof(&folder, &wrong), refused);
    // A worker does not wait for what does not change.
    let wrong = ["worker", &url, "--nats-token-file", "wrong", "--cores", "1"];
    assert_kept_out(&sixproof(&folder, &wrong), refused);
    let wrong = [("NATS_URL", &with.replace("9a@", "9b@")[..])];
    let json = sixproof_with(&folder, &wrong, &["worker", "--json"]);
    assert_eq!(json.code, Some(2));
    assert!(!json.all().contains("hush"), "{}", json.all());
    // The message names the wrong file.
    let none = sixproof(&folder, &["farm", "status", &url, "--nats-token-file", "none"]);
    assert_kept_out(&none, "none");
}

#[test]
fn a_user_with_a_password_is_let_in() {
    let folder = folder("farm-user");
    let user = format!("authorization {{ user: ann, password: \"{HUSH}\" }}");
    let server = NatsServer::with(&folder, &settings(&folder, &user));
    let url = server.url();
    fs::write(folder.join("password"), HUSH).unwrap();
    let named = ["farm", "status", &url, "--nats-user", "ann", "--nats-password-file", "password"];
    assert_let_in(&sixproof(&folder, &named));
    let environment = [("NATS_USER", "ann"), ("NATS_PASSWORD", HUSH)];
    assert_let_in(&sixproof_with(&folder, &environment, &["farm", "status", &url]));
    let with = url.replace("//", &format!("//ann:{HUSH}@"));
    let ran = sixproof_with(&folder, &[("NATS_URL", &with)], &["farm", "status"]);
    assert_let_in(&ran);
    assert!(ran.out.contains(&url), "{}", ran.out);
    let other = ["farm", "status", &url, "--nats-user", "bob", "--nats-password-file", "password"];
    assert_kept_out(&sixproof(&folder, &other), "refused the authorisation");
    let with = url.replace("//", &format!("//bob:{HUSH}@"));
    let ran = sixproof_with(&folder, &[("NATS_URL", &with)], &["farm", "status"]);
    assert_kept_out(&ran, "refused the authorisation");
}

#[test]
fn an_nkey_lets_in() {
    let folder = folder("farm-nkey");
    let keys = [nkeys::KeyPair::new_user(), nkeys::KeyPair::new_user()];
    let nkey = format!("authorization {{ users: [{{ nkey: {} }}] }}", keys[0].public_key());
    let server = NatsServer::with(&folder, &settings(&folder, &nkey));
    let url = server.url();
    for (name, key) in ["right", "wrong"].iter().zip(&keys) {
        fs::write(folder.join(name), format!("{}\n", key.seed().unwrap())).unwrap();
    }
    let ran = sixproof(&folder, &["farm", "status", &url, "--nats-nkey-file", "right"]);
    assert_let_in(&ran);
    assert_let_in(&sixproof_with(&folder, &[("NATS_NKEY", "right")], &["farm", "status", &url]));
    let ran = sixproof(&folder, &["farm", "status", &url, "--nats-nkey-file", "wrong"]);
    assert_kept_out(&ran, "refused the authorisation");
    let seed = keys[1].seed().unwrap();
    assert!(!ran.all().contains(&seed), "{}", ran.all());
    fs::write(folder.join("no-seed"), keys[0].public_key()).unwrap();
    let ran = sixproof(&folder, &["farm", "status", &url, "--nats-nkey-file", "no-seed"]);
    assert_kept_out(&ran, "no seed of an nkey");
}

fn openssl(folder: &Path, arguments: &str) {
    let ran = Command::new("openssl").args(arguments.split(' ')).current_dir(folder).output();
    let ran = ran.expect("`openssl` is missing: install the package openssl (scripts/test does)");
    assert!(ran.status.success(), "{arguments}: {}", String::from_utf8_lossy(&ran.stderr));
}

/// An authority, and certificates of it: for the server, for a client; and another authority.
fn certificates(folder: &Path) {
    for name in ["ca", "other-ca"] {
        openssl(
            folder,
            &format!(
                "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 \
                 -keyout {name}.key -out {name}.pem -subj /CN=sixproof-{name}"
            ),
        );
    }
    let names = "subjectAltName=IP:127.0.0.1\nbasicConstraints=CA:FALSE\n";
    fs::write(folder.join("names"), names).unwrap();
    for name in ["server", "client"] {
        openssl(
            folder,
            &format!(
                "req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes \
                 -keyout {name}.key -out {name}.csr -subj /CN={name}"
            ),
        );
        openssl(
            folder,
            &format!(
                "x509 -req -in {name}.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 \
                 -extfile names -out {name}.pem"
            ),
        );
    }
}

#[test]
fn with_tls_both_sides_show_who_they_are() {
    let folder = folder("farm-tls");
    certificates(&folder);
    let path = |name: &str| format!("{:?}", folder.join(name));
    let tls = format!(
        "tls {{ cert_file: {}, key_file: {}, ca_file: {}, verify: true }}",
        path("server.pem"),
        path("server.key"),
        path("ca.pem")
    );
    let server = NatsServer::with(&folder, &settings(&folder, &tls));
    let url = server.url().replace("nats:", "tls:");
    let own = ["--nats-cert", "client.pem", "--nats-key", "client.key"];
    let ran = |ca: &str, own: &[&str]| {
        sixproof(&folder, &[&["farm", "status", &url, "--nats-ca", ca], own].concat())
    };
    assert_let_in(&ran("ca.pem", &own));
    let environment =
        [("NATS_CA", "ca.pem"), ("NATS_CERT", "client.pem"), ("NATS_KEY", "client.key")];
    assert_let_in(&sixproof_with(&folder, &environment, &["farm", "status", &url]));
    assert_kept_out(&ran("other-ca.pem", &own), "no TLS with the NATS server");
    assert_kept_out(&ran("ca.pem", &[]), "no TLS with the NATS server");
    assert_kept_out(&ran("missing.pem", &own), "missing.pem");
    // All of the farm works like this, not only the status.
    let bench =
        [&["bench", "farm", &url, "--jobs", "50", "--nats-ca", "ca.pem"], &own[..]].concat();
    let ran = sixproof(&folder, &bench);
    assert_eq!(ran.code, Some(0), "{}", ran.all());
}

#[test]
fn no_secret_goes_to_a_server_without_tls_that_should_have_it() {
    let folder = folder("farm-plain");
    certificates(&folder);
    let token = format!("authorization {{ token: \"{HUSH}\" }}");
    let server = NatsServer::with(&folder, &settings(&folder, &token));
    fs::write(folder.join("token"), HUSH).unwrap();
    let url = server.url();
    let ran = sixproof(
        &folder,
        &["farm", "status", &url, "--nats-token-file", "token", "--nats-ca", "ca.pem"],
    );
    assert_kept_out(&ran, "no TLS with the NATS server");
}
