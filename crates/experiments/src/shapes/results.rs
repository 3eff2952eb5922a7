//! What a survey of shapes has decided: a text file beside the certificates, one line a shape.
//!
//! The file only remembers work: a win counts when the checker accepts its certificate.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::files;

use super::Shape;

/// The file in which a survey is remembered.
const FILE: &str = "survey.txt";
const HEAD: &str = "\
# What `sixproof survey connect623` has decided. A win counts only with its certificate.
# shape | board | verdict | order | highest order | nodes | budget | certificate nodes
";
const COLUMNS: usize = 8;

/// What is remembered of a shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapeResult {
    /// The verdict.
    pub verdict: ShapeVerdict,
    /// The order of the proof, or the highest order begun.
    pub order: u32,
    /// The highest order that was to be tried.
    pub order_max: u32,
    /// Nodes of the search.
    pub nodes: u64,
    /// The most nodes that it could have.
    pub budget: u64,
    /// Nodes of the certificate.
    pub certificate_nodes: u64,
}

/// How a shape was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShapeVerdict {
    /// Black wins.
    Win,
    /// No strategy up to the highest order wins.
    NoWin,
    /// The search ended without a verdict.
    Unknown,
}

impl ShapeVerdict {
    const ALL: [ShapeVerdict; 3] = [ShapeVerdict::Win, ShapeVerdict::NoWin, ShapeVerdict::Unknown];

    /// The verdict in the file.
    pub fn word(self) -> &'static str {
        match self {
            ShapeVerdict::Win => "win",
            ShapeVerdict::NoWin => "no win",
            ShapeVerdict::Unknown => "unknown",
        }
    }
}

/// The results of a survey, by shape and board.
#[derive(Debug)]
pub struct ShapeResults {
    path: PathBuf,
    results: BTreeMap<(String, String), ShapeResult>,
}

impl ShapeResults {
    /// Reads the results of a folder, if there are any.
    pub fn open(dir: &Path) -> Result<ShapeResults> {
        let path = dir.join(FILE);
        let mut results = BTreeMap::new();
        let bytes = if path.exists() { files::read(&path)? } else { Vec::new() };
        for (number, line) in String::from_utf8_lossy(&bytes).lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let (key, result) = read_result(line).ok_or_else(|| {
                let (name, number) = (path.display().to_string(), number as u64 + 1);
                let message = format!("not {COLUMNS} columns of a survey");
                Failure::at(&name, number, 1, Some(line.as_bytes()), message)
                    .help("mend the line, or remove it: its shape is then searched again")
            })?;
            results.insert(key, result);
        }
        Ok(ShapeResults { path, results })
    }

    /// The result of a shape on a board.
    pub fn get(&self, shape: Shape, board: &str) -> Option<&ShapeResult> {
        self.results.get(&(shape.name(), board.to_string()))
    }

    /// Keeps a result: writes the file anew, so that a stop loses only the search at hand.
    pub fn keep(&mut self, shape: Shape, board: &str, result: ShapeResult) -> Result<()> {
        self.results.insert((shape.name(), board.to_string()), result);
        files::write(&self.path, self.written().as_bytes())
    }

    fn written(&self) -> String {
        let mut text = HEAD.to_string();
        for ((shape, board), result) in &self.results {
            let ShapeResult { verdict, order, order_max, nodes, budget, certificate_nodes } =
                result;
            let verdict = verdict.word();
            text += &format!(
                "{shape} | {board} | {verdict} | {order} | {order_max} | {nodes} | {budget} \
                 | {certificate_nodes}\n"
            );
        }
        text
    }
}

fn read_result(line: &str) -> Option<((String, String), ShapeResult)> {
    let columns: Vec<&str> = line.split('|').map(str::trim).collect();
    let columns: [&str; COLUMNS] = columns.try_into().ok()?;
    let [shape, board, verdict, order, order_max, nodes, budget, certificate_nodes] = columns;
    let result = ShapeResult {
        verdict: ShapeVerdict::ALL.into_iter().find(|decided| decided.word() == verdict)?,
        order: order.parse().ok()?,
        order_max: order_max.parse().ok()?,
        nodes: nodes.parse().ok()?,
        budget: budget.parse().ok()?,
        certificate_nodes: certificate_nodes.parse().ok()?,
    };
    Some(((shape.to_string(), board.to_string()), result))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes;

    #[test]
    fn results_survive_their_file() {
        let folder = tempfile::tempdir().unwrap();
        let shapes = shapes::all();
        let mut results = ShapeResults::open(folder.path()).unwrap();
        for (number, verdict) in ShapeVerdict::ALL.into_iter().enumerate() {
            let result = ShapeResult {
                verdict,
                order: 3,
                order_max: 4,
                nodes: 17 * number as u64,
                budget: 1000,
                certificate_nodes: 5,
            };
            results.keep(shapes[number], "19", result).unwrap();
        }
        let again = ShapeResults::open(folder.path()).unwrap();
        assert_eq!(again.results, results.results);
        assert_eq!(again.get(shapes[1], "19").unwrap().verdict, ShapeVerdict::NoWin);
        assert_eq!(again.get(shapes[1], "unbounded"), None);
        assert_eq!(read_result("00-01-02 | 19 | won | 3 | 3 | 1 | 1 | 1"), None);
        assert_eq!(read_result("00-01-02 | 19"), None);
    }
}
