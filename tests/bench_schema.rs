//! The record of `grundy bench` against docs/bench-schema.json, by a reader of the part of JSON Schema that
//! the schema uses.

#![cfg(feature = "cli")]

use std::process::Command;

use serde_json::{Map, Value, json};

const SCHEMA: &str = include_str!("../docs/bench-schema.json");

/// The keywords that [`check`] understands; another one in the schema would go unchecked.
const KEYWORDS: [&str; 13] = [
    "$defs",
    "$ref",
    "$schema",
    "additionalProperties",
    "const",
    "description",
    "enum",
    "items",
    "minimum",
    "properties",
    "required",
    "title",
    "type",
];

/// What is wrong with `value`, as lines of place and problem.
fn check(root: &Value, schema: &Value, value: &Value, place: &str) -> Vec<String> {
    let rules = schema.as_object().expect("a schema");
    let unknown = rules.keys().find(|key| !KEYWORDS.contains(&key.as_str()));
    assert_eq!(unknown, None, "{place}: a keyword that this test does not know");
    if let Some(reference) = rules.get("$ref") {
        let pointer = reference.as_str().expect("a reference").trim_start_matches('#');
        return check(root, root.pointer(pointer).expect("a definition"), value, place);
    }
    let mut wrong = Vec::new();
    let mut must = |holds: bool, rule: &str| {
        if !holds {
            wrong.push(format!("{place}: {value} is against {rule} {}", rules[rule]));
        }
    };
    if let Some(kinds) = rules.get("type") {
        let several = kinds.as_array().map_or_else(|| vec![kinds], |kinds| kinds.iter().collect());
        must(several.iter().any(|kind| is_of(value, kind.as_str().expect("a type"))), "type");
    }
    if let Some(constant) = rules.get("const") {
        must(value == constant, "const");
    }
    if let Some(choices) = rules.get("enum") {
        must(choices.as_array().expect("choices").contains(value), "enum");
    }
    if let (Some(least), Some(number)) = (rules.get("minimum"), value.as_f64()) {
        must(number >= least.as_f64().expect("a number"), "minimum");
    }
    if let (Some(items), Some(list)) = (rules.get("items"), value.as_array()) {
        for (n, item) in list.iter().enumerate() {
            wrong.extend(check(root, items, item, &format!("{place}/{n}")));
        }
    }
    if let Some(object) = value.as_object() {
        wrong.extend(check_object(root, rules, object, place));
    }
    wrong
}

fn check_object(
    root: &Value,
    rules: &Map<String, Value>,
    object: &Map<String, Value>,
    place: &str,
) -> Vec<String> {
    let mut wrong = Vec::new();
    let required = rules.get("required").and_then(Value::as_array);
    for name in required.into_iter().flatten().filter_map(Value::as_str) {
        if !object.contains_key(name) {
            wrong.push(format!("{place}: {name} is missing"));
        }
    }
    let properties = rules.get("properties").and_then(Value::as_object);
    for (name, value) in object {
        match properties.and_then(|properties| properties.get(name)) {
            Some(schema) => wrong.extend(check(root, schema, value, &format!("{place}/{name}"))),
            None => wrong.push(format!("{place}: {name} is in no schema")),
        }
    }
    wrong
}

fn is_of(value: &Value, kind: &str) -> bool {
    match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "number" => value.is_number(),
        "integer" => value.is_u64() || value.is_i64(),
        other => panic!("{other} is no type"),
    }
}

fn problems(record: &Value) -> Vec<String> {
    let schema: Value = serde_json::from_str(SCHEMA).expect("a schema");
    check(&schema, &schema, record, "")
}

fn record(line: &str) -> Value {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("grundy"));
    let output = command.args(line.split_whitespace()).output().expect("it runs");
    assert!(output.status.success(), "{line}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn every_record_keeps_its_schema() {
    for line in [
        "bench chess-9 stones-9 --methods layered,naive,contest --repeats 2 --json",
        "bench slide-9-reach-2 --what compute --threads 1 --json",
        "bench chess-1 --what bounds --threads 1 --repeats 1 --json",
        "bench chess-9 stones-9 --what file,probe,bounds --threads 1,2 --repeats 2 --json",
    ] {
        assert_eq!(problems(&record(line)), Vec::<String>::new(), "{line}");
    }
}

#[test]
fn what_is_against_the_schema_is_found() {
    let good = record("bench chess-9 --threads 1 --repeats 1 --json");
    let spoiled = |pointer: &str, value: Value| {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).expect(pointer) = value;
        problems(&bad)
    };
    for (pointer, value) in [
        ("/schema", json!("grundy-bench/0")),
        ("/complete", json!("yes")),
        ("/machine/cores_allowed", json!(0)),
        ("/plan/methods/0", json!("fast")),
        ("/results/0/threads", json!(1.5)),
        ("/results/0/ns_per_entry/min", json!(null)),
        ("/results/0/samples/0", json!(-1)),
        ("/bounds/0", json!({ "what": "fill" })),
        ("/machine", json!({})),
        ("/results/0/parts", json!({ "compute": 1 })),
    ] {
        assert!(!spoiled(pointer, value.clone()).is_empty(), "{pointer} = {value}");
    }
    let mut more = good.clone();
    more["results"][0]["extra"] = json!(1);
    assert_eq!(problems(&more), ["/results/0: extra is in no schema"]);
}
