//! Certificates of second moves in other folders than the atlas's own, in any orientation.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use sixproof_certificate::{Claim, Reader, moved};
use sixproof_game::Symmetry;
use sixproof_solve::failure::{Failure, Result};
use sixproof_solve::files;

use super::openings::{GAME, Opening};
use super::{ATTACKER, read_certificate};

/// The certificates about second moves in some folders. The checker has not read them.
#[derive(Debug, Default)]
pub struct Elsewhere {
    files: BTreeMap<Opening, PathBuf>,
}

impl Elsewhere {
    /// Reads the claims of all certificates in these folders.
    pub fn read(folders: &[PathBuf]) -> Result<Elsewhere> {
        let mut found = Elsewhere::default();
        for folder in folders {
            let failed = |error| Failure::io(folder.display(), &error);
            let entries = fs::read_dir(folder).map_err(failed)?;
            let mut paths: Vec<PathBuf> =
                entries.map(|entry| Ok(entry.map_err(failed)?.path())).collect::<Result<_>>()?;
            paths.sort();
            for path in paths {
                if let Some(opening) = opening_of(&path) {
                    found.files.entry(opening).or_insert(path);
                }
            }
        }
        Ok(found)
    }

    /// The file with a certificate about a second move or an image of it.
    pub fn file(&self, opening: Opening) -> Option<&Path> {
        self.files.get(&opening).map(PathBuf::as_path)
    }
}

/// The certificate in a file, in the orientation of a claim.
pub fn certificate_of(path: &Path, claim: &Claim) -> std::result::Result<Vec<u8>, String> {
    let bytes = read_certificate(path)?;
    let reader = Reader::new(&bytes[..]).map_err(|error| error.to_string())?;
    let original = reader.claim();
    let is_wanted = |symmetry: &Symmetry| original.moved(symmetry).is_ok_and(|it| it == *claim);
    let symmetry = Symmetry::all(GAME).into_iter().find(is_wanted);
    let symmetry = symmetry.ok_or("the certificate is about another position")?;
    moved(&bytes, &symmetry).map(|moved| moved.certificate).map_err(|error| error.to_string())
}

/// The second move that a certificate is about, if it is about one.
fn opening_of(path: &Path) -> Option<Opening> {
    let reader = Reader::new(files::open(path).ok()?).ok()?;
    let Claim { position, attacker } = reader.claim();
    Opening::of(position).filter(|_| *attacker == ATTACKER)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sixproof_certificate::certify;

    #[test]
    fn certificates_in_any_orientation_prove_the_second_moves_of_the_atlas() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/openings");
        let elsewhere = Elsewhere::read(&[folder]).unwrap();
        for (usual, squares) in [("tx-h9", "I8 H9"), ("tx-h8", "I8 H8"), ("xx-l8", "H8 L8")] {
            let opening = Opening::parse(squares).unwrap();
            let path = elsewhere.file(opening).unwrap();
            assert!(path.to_string_lossy().contains(usual), "{}", path.display());
            let claim = Claim::new(&opening.position().unwrap(), ATTACKER);
            let certificate = certificate_of(path, &claim).unwrap();
            assert!(certify(&claim, &certificate).is_ok(), "{usual}");
        }
        assert_eq!(elsewhere.files.len(), 3);
        let other = Opening::parse("F10 N10").unwrap();
        assert_eq!(elsewhere.file(other), None);
        let claim = Claim::new(&other.position().unwrap(), ATTACKER);
        let (_, path) = elsewhere.files.iter().next().unwrap();
        assert!(certificate_of(path, &claim).is_err());
    }

    #[test]
    fn a_folder_that_is_not_there_is_an_error() {
        assert!(Elsewhere::read(&[PathBuf::from("no/such/folder")]).is_err());
    }
}
