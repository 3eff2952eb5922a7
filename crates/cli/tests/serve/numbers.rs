//! Every number of the API at its extremes. The numbers are those of the description, so that a new
//! route, parameter or field is tried without a word about it here.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Map, Value, json};
use sixproof_oracle::effort;

use super::ATTACK;
use super::scratch::folder;
use super::server::Server;

/// What is written in the place of each number.
const EXTREMES: [&str; 27] = [
    "0",
    "1",
    "2",
    "-0",
    "-1",
    "255",
    "256",
    "65535",
    "65536",
    "2147483646",
    "2147483647",
    "2147483648",
    "-2147483648",
    "4294967294",
    "4294967295",
    "4294967296",
    "9223372036854775806",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "18446744073709551614",
    "18446744073709551615",
    "18446744073709551616",
    "0.1",
    "1e308",
    "-1e400",
    "NaN",
];
/// Stands in a body where the number goes.
const NUMBER: &str = "@number@";
/// The fewest numbers that the API has: else the description was not understood.
const NUMBERS_MIN: usize = 40;

/// The values that a number is tried with: every fifth in the usual run, beginning with another one
/// for each number.
fn extremes(number: usize) -> impl Iterator<Item = &'static str> {
    let step = effort(5, 1);
    EXTREMES.into_iter().skip(number % step).step_by(step)
}
/// The longest wait for what must come.
const PATIENCE: Duration = Duration::from_secs(120);

/// A server with something to ask about, and what it logs.
struct Asked {
    server: Server,
    log: PathBuf,
    description: Value,
    proof: String,
}

impl Asked {
    fn start() -> Asked {
        let folder = folder("numbers");
        let log = folder.join("log");
        let server = Server::start_logging(&folder, &[], Stdio::from(File::create(&log).unwrap()));
        let description = server.get_json("/api/openapi.json");
        let certificate = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suite/good/go-moku.cert");
        let taken = server.ask("POST", "/api/proofs", &[], &fs::read(certificate).unwrap());
        let proof = taken.json()["proof"]["hash"].as_str().unwrap().to_string();
        Asked { server, log, description, proof }
    }

    /// A document with a few nodes, and a job on it that has ended.
    fn fixture(&self) -> (String, String) {
        let document = self.server.document(&json!({ "position": ATTACK }));
        let limits = json!({ "order": 1, "nodes": 1 });
        let order = json!({ "kind": "solve", "document": document, "node": 1, "limits": limits });
        let job = self.server.job(&order)["id"].to_string();
        (document, job)
    }

    /// The schema that a schema refers to, without the alternative of none.
    fn resolved<'a>(&'a self, mut schema: &'a Value) -> &'a Value {
        loop {
            let options = schema["oneOf"]
                .as_array()
                .filter(|options| options.iter().any(|option| option["type"] == "null"));
            schema = match (schema["$ref"].as_str(), options) {
                (Some(name), _) => self.description.pointer(&name[1..]).unwrap(),
                (None, Some(options)) => {
                    options.iter().find(|option| option["type"] != "null").unwrap()
                }
                (None, None) => return schema,
            };
        }
    }

    /// Whether a schema, or one of the types it allows, is of this type.
    fn is(&self, schema: &Value, kind: &str) -> bool {
        let found = &self.resolved(schema)["type"];
        found == kind || found.as_array().is_some_and(|all| all.iter().any(|one| one == kind))
    }

    fn is_number(&self, schema: &Value) -> bool {
        self.is(schema, "integer") || self.is(schema, "number")
    }

    /// The paths to all numbers of a schema; those in a list are the first there.
    fn numbers(&self, schema: &Value) -> Vec<Vec<String>> {
        if self.is_number(schema) {
            return vec![Vec::new()];
        }
        let schema = self.resolved(schema);
        let items = schema.get("items").map(|items| ("0".to_string(), items));
        let properties = schema["properties"].as_object().into_iter().flatten();
        let properties = properties.map(|(name, schema)| (name.clone(), schema));
        let below = items.into_iter().chain(properties);
        below
            .flat_map(|(name, schema)| {
                let paths = self.numbers(schema).into_iter();
                paths.map(move |path| [vec![name.clone()], path].concat()).collect::<Vec<_>>()
            })
            .collect()
    }

    /// A value of a schema: what must be there, and nothing else.
    fn sample(&self, name: &str, schema: &Value, document: &str) -> Value {
        let schema = self.resolved(schema);
        if let Some(first) = schema["enum"].as_array().and_then(|values| values.first()) {
            return first.clone();
        }
        if self.is(schema, "object") {
            let required = schema["required"].as_array().into_iter().flatten();
            let names = required.filter_map(Value::as_str);
            let member = |name: &str| {
                let value = self.sample(name, &schema["properties"][name], document);
                (name.to_string(), value)
            };
            return Value::Object(names.map(member).collect::<Map<_, _>>());
        }
        match name {
            _ if self.is_number(schema) => json!(1),
            "squares" => json!(["A2"]),
            _ if self.is(schema, "array") => json!([]),
            "document" => json!(document),
            "square" | "from" => json!("A2"),
            "to" => json!("A3"),
            _ => json!("J10"),
        }
    }

    /// All kinds of bodies of a schema: its alternatives, and each word that it knows once.
    fn bodies(&self, schema: &Value, document: &str) -> Vec<(Value, Value)> {
        let schema = self.resolved(schema);
        let alternatives = schema["oneOf"].as_array().cloned();
        let mut bodies = Vec::new();
        for schema in alternatives.unwrap_or_else(|| vec![schema.clone()]) {
            let plain = self.sample("", &schema, document);
            for (name, property) in schema["properties"].as_object().into_iter().flatten() {
                let words = self.resolved(property)["enum"].as_array().into_iter().flatten();
                for word in words.filter(|&word| *word != plain[name]) {
                    let mut body = plain.clone();
                    body[name] = word.clone();
                    bodies.push((schema.clone(), body));
                }
            }
            bodies.push((schema, plain));
        }
        bodies
    }

    /// Sends a request, and reads the status of the answer; 0 without one.
    fn status(&self, method: &str, path: &str, body: &str) -> u16 {
        let address = &self.server.address;
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let (method, len) = (method.to_uppercase(), body.len());
        let text = format!(
            "{method} /api{path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\
             Content-Length: {len}\r\n\r\n{body}"
        );
        stream.write_all(text.as_bytes()).unwrap();
        let mut line = String::new();
        BufReader::new(stream).read_line(&mut line).unwrap();
        line.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0)
    }

    /// Ends the jobs that were begun, after each has had its turn.
    fn end_jobs(&self) {
        for job in self.server.get_json("/api/jobs").as_array().unwrap() {
            let id = &job["id"];
            if ["queued", "running", "paused"].contains(&job["state"].as_str().unwrap()) {
                self.server.post(&format!("/api/jobs/{id}/cancel"), &json!({}));
            }
        }
    }

    /// Tries all numbers of an operation; how many there are.
    fn try_operation(&self, method: &str, path: &str, operation: &Value) -> usize {
        let (document, job) = self.fixture();
        let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
        // The address with a number in one place, and what must be in the others.
        let address = |number: Option<(&str, &str)>| {
            let (mut path, mut query) = (path.to_string(), String::new());
            for parameter in &parameters {
                let name = parameter["name"].as_str().unwrap();
                let usual: &str = match name {
                    "id" if path.starts_with("/jobs") => &job,
                    "id" => &document,
                    "hash" => &self.proof,
                    _ => "1",
                };
                let given = number.filter(|(place, _)| *place == name).map(|(_, value)| value);
                if parameter["in"] == "path" {
                    path = path.replace(&format!("{{{name}}}"), given.unwrap_or(usual));
                } else if let Some(given) = given {
                    query = format!("?{name}={given}");
                }
            }
            path + &query
        };
        let mut count = 0;
        let body = &operation["requestBody"]["content"]["application/json"]["schema"];
        let plain = match body.is_null() {
            true => String::new(),
            false => self.bodies(body, &document)[0].1.to_string(),
        };
        for parameter in parameters.iter().filter(|one| self.is_number(&one["schema"])) {
            count += 1;
            let name = parameter["name"].as_str().unwrap();
            for value in extremes(count) {
                self.expect(method, &address(Some((name, value))), &plain);
            }
        }
        if body.is_null() {
            return count;
        }
        for (schema, plain) in self.bodies(body, &document) {
            for place in self.numbers(&schema) {
                count += 1;
                let mut body = plain.clone();
                set(&mut body, &place, json!(NUMBER));
                let body = body.to_string();
                for value in extremes(count) {
                    let body = body.replace(&format!("\"{NUMBER}\""), value);
                    self.expect(method, &address(None), &body);
                }
                self.end_jobs();
            }
        }
        count
    }

    fn expect(&self, method: &str, path: &str, body: &str) {
        let status = self.status(method, path, body);
        assert!((200..500).contains(&status), "{status}: {method} {path} {body}");
    }
}

/// Puts a value at a place, and what leads there.
fn set(mut at: &mut Value, place: &[String], value: Value) {
    for name in place {
        if name == "0" {
            *at = json!([null]);
            at = &mut at[0];
        } else {
            if !at.is_object() {
                *at = json!({});
            }
            at = &mut at[name];
        }
    }
    *at = value;
}

#[test]
fn no_number_of_the_api_is_too_much_for_the_server() {
    let asked = Asked::start();
    let mut numbers = 0;
    for (path, item) in asked.description["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            numbers += asked.try_operation(method, path, operation);
        }
    }
    // Numbers that stand in texts.
    let (document, _) = asked.fixture();
    for value in EXTREMES {
        asked.expect("get", &format!("/documents/{document}/nodes/1?or={value},{value}"), "");
        let window = format!("A{value}:B{value}");
        asked.expect("get", &format!("/documents/{document}/nodes/1/picture?window={window}"), "");
        for game in [format!("{value},{value},6,2,1"), format!("19,19,{value},{value},{value}")] {
            asked.expect("post", "/documents", &json!({ "game": game }).to_string());
        }
        for text in [format!("J{value}"), format!("inf,{value},2,1"), format!("({value},0)")] {
            asked.expect("post", "/positions", &json!({ "text": text }).to_string());
        }
    }
    println!("{numbers} numbers, each with {} values", EXTREMES.len());
    assert!(numbers >= NUMBERS_MIN, "{numbers}");
    asked.end_jobs();
    assert_eq!(asked.server.get("/api/status").status, 200);
    let log = fs::read_to_string(&asked.log).unwrap();
    assert_eq!(log, "", "the server has complained");
}
