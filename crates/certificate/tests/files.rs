//! Certificates written and read back: the trusted checker accepts the writer's output, and the
//! reader returns the steps that were written.

use std::fs;
use std::path::{Path, PathBuf};

use arbtest::arbtest;
use sixproof_certificate::{Claim, ReadError, Reader, Refused, Step, Writer, certify_pipe};
use sixproof_check::Refusal;

fn certificates() -> Vec<PathBuf> {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite");
    let mut files: Vec<PathBuf> = ["good", "oracle"]
        .into_iter()
        .flat_map(|folder| fs::read_dir(suite.join(folder)).expect("the suite is there"))
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|e| e == "cert"))
        .collect();
    files.sort();
    assert!(files.len() >= 18, "certificates of the suite: {}", files.len());
    files
}

fn steps(bytes: &[u8]) -> Result<(Claim, Vec<Step>), ReadError> {
    let mut reader = Reader::new(bytes)?;
    let mut steps = Vec::new();
    while let Some((_, step)) = reader.next_step()? {
        steps.push(step);
    }
    Ok((reader.claim().clone(), steps))
}

fn written(claim: &Claim, steps: &[Step]) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), claim).expect("memory can be written");
    for step in steps {
        writer.step(step).expect("memory can be written");
    }
    writer.finish().expect("memory can be written")
}

#[test]
fn what_is_read_and_written_again_has_the_same_steps_and_the_same_verdict() {
    for path in certificates() {
        let bytes = fs::read(&path).unwrap();
        let (claim, read) = steps(&bytes).unwrap();
        let again = written(&claim, &read);
        assert_eq!(steps(&again).unwrap(), (claim, read), "{}", path.display());
        let before = sixproof_check::check_bytes(&bytes).unwrap();
        let after = sixproof_check::check_bytes(&again).unwrap();
        assert_eq!(before.counts, after.counts, "{}", path.display());
        assert_eq!(before.zone, after.zone, "{}", path.display());
    }
}

#[test]
fn the_checker_and_the_reader_read_the_same_claim_in_every_file_of_the_suite() {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite/bad");
    let bad = fs::read_dir(suite).unwrap().map(|entry| entry.unwrap().path());
    let bad = bad.filter(|path| path.extension().is_some_and(|e| e == "cert"));
    let mut compared = 0;
    for path in certificates().into_iter().chain(bad) {
        let bytes = fs::read(&path).unwrap();
        let checkers = match certify_pipe(&bytes[..], &mut ()) {
            Ok(certified) => certified.claim().clone(),
            Err(Refused::Checker(Refusal::Rejected(rejection))) => {
                Claim::try_from(&rejection.claim).unwrap()
            }
            Err(_) => continue,
        };
        compared += 1;
        let reader = Reader::new(&bytes[..]).unwrap();
        assert_eq!(*reader.claim(), checkers, "{}", path.display());
    }
    assert!(compared > 40, "{compared} files with a claim");
}

#[test]
fn the_writer_counts_nodes_and_numbers_marks() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite/oracle/shared.cert");
    let (claim, steps) = steps(&fs::read(path).unwrap()).unwrap();
    let mut writer = Writer::new(Vec::new(), &claim).unwrap();
    writer.comment("one mark\nin two lines").unwrap();
    let marks: Vec<u64> = steps.iter().filter_map(|step| writer.step(step).unwrap()).collect();
    assert_eq!(marks, [0]);
    assert_eq!(writer.nodes(), 12);
    let bytes = writer.finish().unwrap();
    assert_eq!(sixproof_check::check_bytes(&bytes).unwrap().counts.nodes, 12);
}

#[test]
fn damaged_certificates_are_errors_and_never_panics() {
    let samples: Vec<Vec<u8>> = certificates()
        .iter()
        .map(|path| fs::read(path).unwrap())
        .filter(|bytes| bytes.len() < 2_000)
        .collect();
    let (mut good, mut bad) = (0, 0);
    // Until all kinds came up, however slow the machine is.
    while good <= 50 || bad <= 50 {
        arbtest(|u| {
            let mut bytes = u.choose(&samples)?.clone();
            for _ in 0..u.int_in_range(0..=3)? {
                let at = u.choose_index(bytes.len())?;
                match u.int_in_range(0..=3)? {
                    0 => bytes[at] = u.arbitrary()?,
                    1 => drop(bytes.remove(at)),
                    2 => bytes.truncate(at.max(1)),
                    _ => bytes.insert(at, *u.choose(b" \n#ADWR@=~019,-")?),
                }
            }
            match steps(&bytes) {
                // A file that reads well is written so that it reads the same again.
                Ok((claim, read)) => {
                    good += 1;
                    assert_eq!(steps(&written(&claim, &read)).unwrap(), (claim, read));
                }
                Err(_) => bad += 1,
            }
            // The reader reads every file that the checker verifies as the same claim.
            if let Ok(certified) = certify_pipe(&bytes[..], &mut ()) {
                let read = steps(&bytes).map(|(claim, _)| claim);
                let text = String::from_utf8_lossy(&bytes);
                assert!(read.is_ok_and(|claim| claim == *certified.claim()), "{text}");
            }
            Ok(())
        })
        .budget_ms(1_000)
        .run();
    }
}
