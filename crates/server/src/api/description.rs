//! The committed description of the API is what the definitions say.

use serde_json::Value;
use utoipa::OpenApi;

use super::{DESCRIPTION, OPERATIONS, Operations, Problem};

/// The media type of problems in the definitions, and the one that the server sends.
const JSON_TYPE: &str = "application/json";
const PROBLEM_TYPE: &str = "application/problem+json";
const PROBLEM_SCHEMA: &str = "#/components/schemas/Problem";

#[derive(OpenApi)]
#[openapi(
    info(
        title = "sixproof",
        description = "The editor's API: documents (game trees), proofs (certificates that were \
                       checked), jobs (searches and games), and what happens, live. Errors are \
                       problem documents."
    ),
    servers((url = "/api")),
    components(schemas(Problem))
)]
struct Sixproof;

/// The description that the definitions make, with the media type of problems.
fn described() -> Value {
    let description = Sixproof::openapi().merge_from(Operations::openapi());
    let mut json = serde_json::to_value(description).unwrap();
    for (_, operation) in operations(&mut json) {
        let answers = operation["responses"].as_object_mut().unwrap();
        for content in answers.values_mut().filter_map(|answer| answer.get_mut("content")) {
            let content = content.as_object_mut().unwrap();
            let is_problem = |plain: &Value| plain["schema"]["$ref"] == PROBLEM_SCHEMA;
            if content.get(JSON_TYPE).is_some_and(is_problem) {
                let plain = content.remove(JSON_TYPE).unwrap();
                content.insert(PROBLEM_TYPE.to_string(), plain);
            }
        }
    }
    json
}

/// The operations of a description, by method and path.
fn operations(description: &mut Value) -> Vec<((String, String), &mut Value)> {
    let mut operations = Vec::new();
    for (path, methods) in description["paths"].as_object_mut().unwrap() {
        for (method, operation) in methods.as_object_mut().unwrap() {
            operations.push(((method.clone(), path.clone()), operation));
        }
    }
    operations
}

/// The types of the page are made from the same file (web/scripts/api.mjs).
/// `UPDATE_EXPECT=1` writes it.
#[test]
fn the_committed_description_is_what_the_definitions_say() {
    let text = serde_json::to_string_pretty(&described()).unwrap() + "\n";
    expect_test::expect_file!["../../../../docs/openapi.json"].assert_eq(&text);
}

#[test]
fn every_operation_is_described_where_it_is_routed() {
    let mut description: Value = serde_json::from_str(DESCRIPTION).unwrap();
    let mut described = Vec::new();
    for (name, operation) in operations(&mut description) {
        let summary = operation["summary"].as_str().unwrap_or_default();
        assert!(!summary.is_empty(), "{name:?} has no summary");
        described.push(name);
    }
    let mut routed: Vec<(String, String)> =
        OPERATIONS.iter().map(|(method, path)| (method.to_string(), path.to_string())).collect();
    described.sort();
    routed.sort();
    assert_eq!(described, routed);
}
