//! Files of training positions. If a run is interrupted, the next one continues its file.

use std::{
    fs::{File, OpenOptions},
    io::{self, BufWriter, Read as _, Seek as _, SeekFrom, Write as _},
    path::Path,
};

use super::{Header, Played, Record};

/// Adds the games generated from a seed to a file, in order.
#[derive(Debug)]
pub struct Writer {
    file: BufWriter<File>,
    next: u32,
    positions: u64,
}

impl Writer {
    /// Opens or creates a file. An existing one must have the same variant, seed and nodes. It is truncated
    /// after the last game that is certainly complete, and new games are added from there.
    pub fn open(path: &Path, header: &Header) -> io::Result<Self> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        let length = file.metadata()?.len();
        let (mut next, mut positions) = (0, 0);
        if length < Header::SIZE as u64 {
            let mut begun = Vec::new();
            file.read_to_end(&mut begun)?;
            if !header.to_bytes().starts_with(&begun) {
                return Err(invalid("it is not a position file with these settings"));
            }
            file.set_len(0)?;
            file.rewind()?;
            file.write_all(&header.to_bytes())?;
        } else {
            let mut bytes = [0; Header::SIZE];
            file.read_exact(&mut bytes)?;
            let found = Header::from_bytes(&bytes).map_err(|error| invalid(&error.to_string()))?;
            if found != *header {
                return Err(invalid(&format!(
                    "it contains {} positions with seed {} and {} nodes; use these settings to continue it",
                    found.variant, found.seed, found.nodes
                )));
            }
            positions = (length - Header::SIZE as u64) / Record::SIZE as u64;
            // The last game may have been cut off, so it is played again.
            while positions > 0 {
                let game = game_at(&mut file, header, positions - 1)?;
                if next == 0 {
                    next = game;
                } else if game != next {
                    break;
                }
                if game == 0 {
                    positions = 0;
                    break;
                }
                positions -= 1;
            }
            file.set_len(offset(positions))?;
            file.seek(SeekFrom::End(0))?;
        }
        Ok(Self { file: BufWriter::new(file), next, positions })
    }

    /// Returns the number of the next game.
    pub fn next(&self) -> u32 {
        self.next
    }

    /// Returns the number of positions.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Adds the positions of the next game.
    pub fn add(&mut self, game: &Played) -> io::Result<()> {
        for record in &game.records {
            self.file.write_all(&record.to_bytes())?;
        }
        self.positions += game.records.len() as u64;
        self.next = game.number + 1;
        Ok(())
    }

    /// Writes buffered data.
    pub fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn invalid(text: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, text)
}

fn offset(record: u64) -> u64 {
    Header::SIZE as u64 + record * Record::SIZE as u64
}

fn game_at(file: &mut File, header: &Header, record: u64) -> io::Result<u32> {
    let mut bytes = [0; Record::SIZE];
    file.seek(SeekFrom::Start(offset(record)))?;
    file.read_exact(&mut bytes)?;
    let record = Record::from_bytes(&bytes, header.variant).ok_or_else(|| invalid("the file is damaged"))?;
    Ok(record.game())
}

/// Reads the header and all positions in a file, except one that is cut off at the end.
pub fn read(path: &Path) -> io::Result<(Header, Vec<Record>)> {
    let bytes = std::fs::read(path)?;
    let (header, rest) = bytes.split_first_chunk().ok_or_else(|| invalid("this is not a position file"))?;
    let header = Header::from_bytes(header).map_err(|error| invalid(&error.to_string()))?;
    let (records, _) = rest.as_chunks();
    let records = records.iter().map(|bytes| Record::from_bytes(bytes, header.variant));
    let records: Option<_> = records.collect();
    Ok((header, records.ok_or_else(|| invalid("the file is damaged"))?))
}

#[cfg(test)]
mod tests {
    use adoube_rules::Variant;

    use super::*;
    use crate::datagen::Recipe;

    #[test]
    fn continuing_a_truncated_file_gives_the_same_content() {
        let recipe = Recipe { variant: Variant::Interweave, seed: 4, nodes: 60, network: None };
        let header = recipe.header();
        let path = std::env::temp_dir().join(format!("adoube-positions-{}", std::process::id()));
        let write = |games: u32| {
            let mut writer = Writer::open(&path, &header).expect("a file");
            for number in writer.next()..games {
                writer.add(&recipe.play(number).expect("memory")).expect("disk space");
            }
            writer.flush().expect("disk space");
            (writer.next(), writer.positions())
        };
        let _ = std::fs::remove_file(&path);
        let whole = write(5);
        let bytes = std::fs::read(&path).expect("the file");
        assert_eq!(read(&path).expect("records").1.len() as u64, whole.1);
        for length in [0, 7, 32, 33, 64, 200, bytes.len() * 2 / 3, bytes.len() - 1, bytes.len()] {
            std::fs::write(&path, &bytes[..length]).expect("disk space");
            assert_eq!(write(5), whole, "{length}");
            assert!(std::fs::read(&path).expect("the file") == bytes, "{length}");
        }
        let other = Header { seed: 5, ..header };
        let error = Writer::open(&path, &other).expect_err("another seed").to_string();
        assert!(error.contains("seed 4 and 60 nodes"), "{error}");
        std::fs::write(&path, "a note").expect("disk space");
        assert!(Writer::open(&path, &header).is_err());
        assert_eq!(std::fs::read(&path).expect("the file"), b"a note");
        let _ = std::fs::remove_file(&path);
    }
}
