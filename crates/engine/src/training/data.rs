//! Shuffled training positions.
//!
//! Positions from the same game are correlated. A network that learned them in sequence would remember only
//! the last game. Files are therefore read in blocks, in a new random order for each epoch, into a pool that
//! is shuffled.

use std::{
    fs::File,
    io::{self, Read as _, Seek as _, SeekFrom},
    path::{Path, PathBuf},
};

use adoube_rules::Variant;

use super::{Recipe, TrainError};
use crate::{
    datagen::{Header, Record},
    eval::mix,
    random::Random,
};

/// The number of positions read at once.
const BLOCK: u64 = 1_024;
/// One game in this many is used for validation.
const VALIDATION_INTERVAL: u64 = 40;
/// The number of validation positions after which no more are collected.
const MAX_VALIDATION: usize = 200_000;

/// The files of training positions.
pub(super) struct Data {
    sources: Vec<Source>,
    /// The source and first position of each block.
    blocks: Vec<(usize, u64)>,
    /// The validation positions.
    pub(super) validation: Vec<Record>,
    batch: usize,
    pool: usize,
}

struct Source {
    path: PathBuf,
    file: File,
    header: Header,
    positions: u64,
}

impl Source {
    fn open(path: &Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let mut bytes = [0; Header::SIZE];
        file.read_exact(&mut bytes)?;
        let invalid = |error| io::Error::new(io::ErrorKind::InvalidData, error);
        let header = Header::from_bytes(&bytes).map_err(invalid)?;
        // A file that is still being written may end in the middle of a position.
        let positions = (file.metadata()?.len() - Header::SIZE as u64) / Record::SIZE as u64;
        Ok(Self { path: path.to_owned(), file, header, positions })
    }

    /// Calls `visit` with each position of a block, and with `true` if it is used for validation.
    fn for_each(&mut self, first: u64, mut visit: impl FnMut(Record, bool)) -> io::Result<()> {
        let count = BLOCK.min(self.positions - first);
        let mut bytes = vec![0; count as usize * Record::SIZE];
        self.file.seek(SeekFrom::Start(Header::SIZE as u64 + first * Record::SIZE as u64))?;
        self.file.read_exact(&mut bytes)?;
        for bytes in bytes.as_chunks().0 {
            let record = Record::from_bytes(bytes, self.header.variant);
            let damaged = || io::Error::new(io::ErrorKind::InvalidData, "the file is damaged");
            let record = record.ok_or_else(damaged)?;
            let is_validation =
                mix(self.header.seed ^ mix(record.game().into())).is_multiple_of(VALIDATION_INTERVAL);
            visit(record, is_validation);
        }
        Ok(())
    }
}

/// Calls `visit` with each position in a file, in the file's order.
pub(crate) fn for_each_record(
    variant: Variant,
    path: &Path,
    mut visit: impl FnMut(&Record),
) -> Result<(), TrainError> {
    let failed = |error| TrainError::File(path.to_owned(), error);
    let mut source = Source::open(path).map_err(failed)?;
    if source.header.variant != variant {
        return Err(TrainError::Game(path.to_owned(), source.header.variant));
    }
    for first in (0..source.positions).step_by(BLOCK as usize) {
        source.for_each(first, |record, _| visit(&record)).map_err(failed)?;
    }
    Ok(())
}

impl Data {
    pub(super) fn open(recipe: &Recipe) -> Result<Self, TrainError> {
        let mut sources = Vec::new();
        for path in &recipe.files {
            let source = Source::open(path).map_err(|error| TrainError::File(path.clone(), error))?;
            if source.header.variant != recipe.variant {
                return Err(TrainError::Game(path.clone(), source.header.variant));
            }
            sources.push(source);
        }
        let firsts = |source: &Source| (0..source.positions).step_by(BLOCK as usize);
        let mut blocks: Vec<_> = sources
            .iter()
            .enumerate()
            .flat_map(|(index, source)| firsts(source).map(move |first| (index, first)))
            .collect();
        Random::new(recipe.seed, 2).shuffle(&mut blocks);
        let mut data = Self {
            sources,
            blocks: Vec::new(),
            validation: Vec::new(),
            batch: recipe.batch.max(1),
            pool: recipe.pool.max(1),
        };
        for &(source, first) in &blocks {
            if data.validation.len() >= MAX_VALIDATION {
                break;
            }
            let Self { sources, validation, .. } = &mut data;
            let source = &mut sources[source];
            let read = source.for_each(first, |record, is_validation| {
                if is_validation {
                    validation.push(record);
                }
            });
            read.map_err(|error| TrainError::File(source.path.clone(), error))?;
        }
        data.blocks = blocks;
        if data.validation.is_empty() {
            return Err(TrainError::TooFew(data.positions()));
        }
        Ok(data)
    }

    /// Returns the number of positions in all files, including those for validation.
    pub(super) fn positions(&self) -> u64 {
        self.sources.iter().map(|source| source.positions).sum()
    }

    /// Passes all training positions to `learn`, batch by batch, in a new order.
    pub(super) fn each_batch(
        &mut self,
        random: &mut Random,
        mut learn: impl FnMut(&[Record], &mut Random),
    ) -> Result<(), TrainError> {
        random.shuffle(&mut self.blocks);
        let mut pool: Vec<Record> = Vec::new();
        let Self { sources, blocks, .. } = self;
        for (index, &(source, first)) in blocks.iter().enumerate() {
            let source = &mut sources[source];
            let read = source.for_each(first, |record, is_validation| {
                if !is_validation {
                    pool.push(record);
                }
            });
            read.map_err(|error| TrainError::File(source.path.clone(), error))?;
            let is_last = index + 1 == blocks.len();
            if pool.len() >= self.pool || is_last {
                random.shuffle(&mut pool);
                let mut batches = pool.chunks_exact(self.batch);
                for batch in &mut batches {
                    learn(batch, random);
                }
                // The remainder is used with the next pool; at the end it forms a smaller batch.
                let rest = batches.remainder().to_vec();
                if is_last && !rest.is_empty() {
                    learn(&rest, random);
                }
                pool = rest;
            }
        }
        Ok(())
    }
}
