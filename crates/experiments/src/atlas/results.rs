//! What an atlas has found so far: a plain text file, one line a search, only ever appended to.
//!
//! The file only remembers work: a second move counts as lost once the checker has accepted its
//! certificate again.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::files;
use sixproof_solve::limits::Limits;
use sixproof_solve::output::grouped;
use sixproof_solve::quantity;

use super::openings::Opening;

/// The file in the folder of an atlas.
const FILE: &str = "results.txt";
const HEAD: &str = "\
# What `sixproof atlas` has found, one line a search. A win counts only with its certificate.
# opening | verdict | winning move | order | nodes | certificate nodes | seconds | limit
";
const COLUMNS: usize = 8;

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchRecord {
    /// Black's winning move and the nodes of the certificate; `None` if nothing was found.
    pub proof: Option<(String, u64)>,
    /// The order of the proof, or the highest order begun.
    pub order: u32,
    /// Nodes of the search.
    pub nodes: u64,
    /// Its time.
    pub seconds: f64,
    /// Its limits.
    pub limits: Limits,
}

impl SearchRecord {
    /// Order and nodes of the search; a certificate from elsewhere does not say how it was found.
    pub fn effort(&self) -> [String; 2] {
        match self.nodes {
            0 => ["-", "-"].map(str::to_string),
            nodes => [self.order.to_string(), grouped(nodes)],
        }
    }

    /// Whether a search with these limits could find what this one did not.
    fn covers(&self, limits: Limits) -> bool {
        let time = |limits: Limits| limits.time.unwrap_or(Duration::MAX);
        limits.order <= self.limits.order
            && limits.nodes <= self.limits.nodes
            && time(limits) <= time(self.limits)
    }

    fn written(&self, opening: Opening) -> String {
        let (verdict, squares, nodes) = match &self.proof {
            Some((squares, nodes)) => ("proved", &squares[..], nodes.to_string()),
            None => ("open", "-", "-".to_string()),
        };
        let SearchRecord { order, nodes: searched, seconds, limits, .. } = self;
        format!(
            "{} | {verdict} | {squares} | {order} | {searched} | {nodes} | {seconds:.3} | {}\n",
            opening.name(),
            limits_text(*limits)
        )
    }

    fn read(line: &str) -> Option<(Opening, SearchRecord)> {
        let columns: Vec<&str> = line.split('|').map(str::trim).collect();
        let columns: [&str; COLUMNS] = columns.try_into().ok()?;
        let [opening, verdict, squares, order, nodes, certificate, seconds, limits] = columns;
        let proof = match verdict {
            "proved" => Some((squares.to_string(), certificate.parse().ok()?)),
            "open" => None,
            _ => return None,
        };
        let entry = SearchRecord {
            proof,
            order: order.parse().ok()?,
            nodes: nodes.parse().ok()?,
            seconds: seconds.parse().ok()?,
            limits: read_limits(limits)?,
        };
        Some((Opening::parse(opening)?, entry))
    }
}

/// `order 5, nodes 10000000, time 1m`.
pub fn limits_text(limits: Limits) -> String {
    let time = limits.time.map(|time| format!(", time {}", quantity::time_text(time)));
    format!("order {}, nodes {}{}", limits.order, limits.nodes, time.unwrap_or_default())
}

fn read_limits(text: &str) -> Option<Limits> {
    let mut limits = Limits { order: 0, nodes: 0, time: None };
    for part in text.split(',') {
        let (name, value) = part.trim().split_once(' ')?;
        match name {
            "order" => limits.order = value.parse().ok()?,
            "nodes" => limits.nodes = value.parse().ok()?,
            "time" => limits.time = Some(quantity::time(value).ok()?),
            _ => return None,
        }
    }
    Some(limits)
}

/// All results of a folder.
pub struct Results {
    path: PathBuf,
    entries: BTreeMap<Opening, Vec<SearchRecord>>,
}

impl Results {
    /// Reads the results of a folder, if there are any.
    pub fn open(dir: &Path) -> Result<Results> {
        let path = dir.join(FILE);
        let mut results = Results { path, entries: BTreeMap::new() };
        let name = results.path.display().to_string();
        if !results.path.exists() {
            return Ok(results);
        }
        let text = String::from_utf8(files::read(&results.path)?)
            .map_err(|_| Failure::new(format!("{name}: not a text")))?;
        // A line without an end was being written when the program was ended by force.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        for (number, line) in text[..whole].lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let (opening, entry) = SearchRecord::read(line).ok_or_else(|| {
                let text = Some(line.as_bytes());
                Failure::at(&name, number as u64 + 1, 1, text, "not a result of an atlas")
                    .help("mend or remove the line, or name another folder with --dir")
            })?;
            results.entries.entry(opening).or_default().push(entry);
        }
        if whole < text.len() {
            let file = OpenOptions::new().write(true).open(&results.path);
            file.and_then(|file| file.set_len(whole as u64)).map_err(|e| Failure::io(&name, &e))?;
        }
        Ok(results)
    }

    /// The proof of a second move, or else the last search for one.
    pub fn get(&self, opening: Opening) -> Option<&SearchRecord> {
        let entries = self.entries.get(&opening)?;
        entries.iter().rev().find(|entry| entry.proof.is_some()).or(entries.last())
    }

    /// Whether a search with these limits has been made already, in vain.
    pub fn is_tried(&self, opening: Opening, limits: Limits) -> bool {
        self.entries.get(&opening).into_iter().flatten().any(|entry| entry.covers(limits))
    }

    /// Forgets the proofs of a second move: their certificate is not there.
    pub fn forget_proofs(&mut self, opening: Opening) {
        if let Some(entries) = self.entries.get_mut(&opening) {
            entries.retain(|entry| entry.proof.is_none());
        }
    }

    /// Adds a result, in the file first. One write: two programs may share a folder.
    pub fn add(&mut self, opening: Opening, entry: SearchRecord) -> Result<()> {
        let failed = |error| Failure::io(self.path.display(), &error);
        let mut file =
            OpenOptions::new().append(true).create(true).open(&self.path).map_err(failed)?;
        let is_new = file.metadata().map_err(failed)?.len() == 0;
        let head = if is_new { HEAD } else { "" };
        let line = format!("{head}{}", entry.written(opening));
        file.write_all(line.as_bytes()).and_then(|()| file.sync_all()).map_err(failed)?;
        self.entries.entry(opening).or_default().push(entry);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const LIMITS: Limits = Limits { order: 5, nodes: 1_000, time: None };

    fn open_entry(limits: Limits) -> SearchRecord {
        SearchRecord { proof: None, order: 3, nodes: limits.nodes, seconds: 0.5, limits }
    }

    #[test]
    fn lines_are_read_as_they_are_written() {
        let opening = Opening::parse("F10 N10").unwrap();
        let timed = Limits { time: Some(Duration::from_secs(90)), ..LIMITS };
        let proof = Some(("K11 L10".to_string(), 345));
        for entry in [open_entry(LIMITS), SearchRecord { proof, ..open_entry(timed) }] {
            let line = entry.written(opening);
            assert_eq!(SearchRecord::read(line.trim_end()), Some((opening, entry)), "{line}");
        }
        assert_eq!(
            open_entry(timed).written(opening),
            "F10 N10 | open | - | 3 | 1000 | - | 0.500 | order 5, nodes 1000, time 1m30s\n"
        );
        for line in ["", "F10 N10", "F10 N10 | won | - | 3 | 1 | - | 0.5 | order 5, nodes 1"] {
            assert_eq!(SearchRecord::read(line), None, "{line}");
        }
    }

    #[test]
    fn only_a_higher_limit_is_a_reason_to_search_again() {
        let tried = open_entry(Limits { time: Some(Duration::from_secs(60)), ..LIMITS });
        let limits = |nodes, order, seconds: Option<u64>| Limits {
            order,
            nodes,
            time: seconds.map(Duration::from_secs),
        };
        assert!(tried.covers(limits(1_000, 5, Some(60))));
        assert!(tried.covers(limits(10, 3, Some(5))));
        assert!(!tried.covers(limits(1_001, 5, Some(60))));
        assert!(!tried.covers(limits(1_000, 6, Some(60))));
        assert!(!tried.covers(limits(1_000, 5, Some(61))));
        assert!(!tried.covers(limits(1_000, 5, None)));
    }

    #[test]
    fn results_survive_and_a_torn_line_is_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (Opening::parse("F10 N10").unwrap(), Opening::parse("F10 N11").unwrap());
        let mut results = Results::open(folder.path()).unwrap();
        results.add(one, open_entry(LIMITS)).unwrap();
        let file = folder.path().join(FILE);
        let whole = fs::read_to_string(&file).unwrap();
        fs::write(&file, format!("{whole}F10 N11 | pro")).unwrap();
        let mut results = Results::open(folder.path()).unwrap();
        assert!(results.is_tried(one, LIMITS));
        assert!(results.get(other).is_none());
        let proof = Some(("K11 L10".to_string(), 345));
        results.add(other, SearchRecord { proof, ..open_entry(LIMITS) }).unwrap();
        results.add(other, open_entry(LIMITS)).unwrap();
        let again = Results::open(folder.path()).unwrap();
        assert!(again.get(other).unwrap().proof.is_some(), "a proof outlives later searches");
        assert_eq!(again.entries.len(), 2);
        fs::write(&file, "nonsense\n").unwrap();
        assert!(Results::open(folder.path()).is_err());
    }
}
