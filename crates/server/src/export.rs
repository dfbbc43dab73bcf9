//! Streaming of large responses. A response is written page by page while the client reads it, so only one
//! page is in memory at a time, regardless of the amount of data.
//!
//! The number of exports is limited per visitor, per network and in total. An export is aborted after a time
//! limit, or earlier if the client stops reading. Large documents, which are held in memory in full, have
//! limits of their own.

use std::{
    collections::HashMap,
    io,
    net::IpAddr,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use adoube_protocol::PlayerId;
use adoube_store::{GameFilter, ListedGame};
use axum::body::{Body, Bytes};
use serde::Serialize;
use tokio::{sync::mpsc, time::timeout};

use crate::{
    app::App,
    error::{Error, LogError},
    games::LoadedGame,
    limits::{Requester, Tenant, Wait, home_network},
    pgn, wire,
};

/// The maximum number of simultaneous exports: per visitor, per network, and in total.
const MAX_EXPORTS: [usize; 3] = [1, 4, 16];
/// The maximum number of large documents sent at the same time: per visitor, per network, and in total. Each
/// stays in memory until the client has read it.
const MAX_TEXTS: [usize; 3] = [4, 8, 64];
/// The number of buffered bytes at which a chunk is sent.
const CHUNK_SIZE: usize = 32 * 1024;
/// The time limit for the client to receive one chunk.
const CHUNK_TIMEOUT: Duration = Duration::from_secs(20);
/// The wait reported to a client while another export is in progress.
const BUSY_WAIT: Wait = Wait(Duration::from_secs(10));
/// The number of rows read from the store at a time.
pub(crate) const PAGE_SIZE: u32 = 100;
/// The number of games converted to PGN at a time. A group is smaller if its logs reach [`LOG_BYTES`].
const GROUP_SIZE: usize = 20;
const LOG_BYTES: usize = 1 << 20;

/// The exports in progress.
#[derive(Debug)]
pub(crate) struct Exports {
    running: Arc<Mutex<Running>>,
    texts: Arc<Mutex<Running>>,
    time: Duration,
}

#[derive(Debug, Default)]
struct Running {
    all: usize,
    visitors: HashMap<PlayerId, usize>,
    addresses: HashMap<IpAddr, usize>,
}

/// A slot for an export or a large document. The slot is freed when this value is dropped.
#[derive(Debug)]
pub(crate) struct ExportSlot {
    running: Arc<Mutex<Running>>,
    player: PlayerId,
    address: IpAddr,
}

impl Exports {
    /// `time` is the time limit for each export.
    pub(crate) fn new(time: Duration) -> Self {
        Self { running: Arc::default(), texts: Arc::default(), time }
    }

    /// Takes a slot for an export. Fails if the visitor, the network or the server has no free slot.
    pub(crate) fn begin(&self, by: Requester<'_>) -> Result<ExportSlot, Error> {
        ExportSlot::take(&self.running, by, MAX_EXPORTS)
    }

    /// Returns a response body with a large document, which occupies a slot until it has been sent.
    pub(crate) fn text(&self, by: Requester<'_>, text: impl Into<Bytes>) -> Result<Body, Error> {
        let slot = ExportSlot::take(&self.texts, by, MAX_TEXTS)?;
        let chunks = futures_util::stream::unfold((Some(text.into()), slot), async |(text, slot)| {
            // The slot is held until the next chunk is requested, because only then has the document been
            // sent.
            text.map(|text| (Ok::<_, io::Error>(text), (None, slot)))
        });
        Ok(Body::from_stream(chunks))
    }

    /// Returns a response body that is written while the client reads it. If it cannot be completed, the
    /// connection is aborted so that the client does not mistake an incomplete response for a complete one.
    pub(crate) fn body<F>(&self, slot: ExportSlot, write: impl FnOnce(ExportWriter) -> F) -> Body
    where
        F: Future<Output = Result<ExportWriter, Stopped>> + Send + 'static,
    {
        let (chunks, written) = mpsc::channel(1);
        let finished = Arc::new(AtomicBool::new(false));
        let writing = write(ExportWriter { chunks, buffer: String::with_capacity(2 * CHUNK_SIZE) });
        let (time, is_finished) = (self.time, Arc::clone(&finished));
        tokio::spawn(async move {
            let _slot = slot;
            let writing = async {
                let mut writer = writing.await?;
                writer.flush().await?;
                // Set before the writer is dropped, because the reader checks it once the channel is closed.
                is_finished.store(true, Ordering::Release);
                Ok::<_, Stopped>(())
            };
            match timeout(time, writing).await {
                Ok(Ok(())) => {}
                Ok(Err(Stopped::Gone)) | Err(_) => tracing::debug!("an export was not read to the end"),
                Ok(Err(Stopped::Failed(error))) => error.log(),
            }
        });
        let stream = futures_util::stream::unfold(Some(written), move |written| {
            let finished = Arc::clone(&finished);
            async move {
                let mut written: mpsc::Receiver<Bytes> = written?;
                match written.recv().await {
                    Some(chunk) => Some((Ok(chunk), Some(written))),
                    None if finished.load(Ordering::Acquire) => None,
                    None => Some((Err(io::Error::other("the export did not finish")), None)),
                }
            }
        });
        Body::from_stream(stream)
    }
}

impl ExportSlot {
    fn take(running: &Arc<Mutex<Running>>, by: Requester<'_>, limits: [usize; 3]) -> Result<Self, Error> {
        let [per_visitor, per_address, in_total] = limits;
        let (player, address) = (by.player.clone(), home_network(by.address));
        let mut counts = running.lock().unwrap_or_else(PoisonError::into_inner);
        let mine = counts.visitors.get(&player).copied().unwrap_or_default();
        let from_here = counts.addresses.get(&address).copied().unwrap_or_default();
        if mine >= per_visitor || from_here >= per_address {
            return Err(Error::TooMany(BUSY_WAIT));
        }
        if counts.all >= in_total {
            return Err(Error::Busy);
        }
        counts.all += 1;
        *counts.visitors.entry(player.clone()).or_default() += 1;
        *counts.addresses.entry(address).or_default() += 1;
        Ok(Self { running: Arc::clone(running), player, address })
    }
}

impl Drop for ExportSlot {
    fn drop(&mut self) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.all -= 1;
        if let Some(mine) = running.visitors.get_mut(&self.player) {
            *mine -= 1;
            if *mine == 0 {
                running.visitors.remove(&self.player);
            }
        }
        if let Some(from_here) = running.addresses.get_mut(&self.address) {
            *from_here -= 1;
            if *from_here == 0 {
                running.addresses.remove(&self.address);
            }
        }
    }
}

/// The reason why an export has ended early.
#[derive(Debug)]
pub(crate) enum Stopped {
    /// The client has disconnected or stopped reading.
    Gone,
    Failed(Error),
}

impl<E: Into<Error>> From<E> for Stopped {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// The writing end of an export.
#[derive(Debug)]
pub(crate) struct ExportWriter {
    chunks: mpsc::Sender<Bytes>,
    buffer: String,
}

impl ExportWriter {
    /// Writes a string. Waits for the client if a whole chunk is buffered.
    pub(crate) async fn text(&mut self, text: &str) -> Result<(), Stopped> {
        self.buffer.push_str(text);
        if self.buffer.len() >= CHUNK_SIZE { self.send().await } else { Ok(()) }
    }

    pub(crate) async fn json(&mut self, value: &impl Serialize) -> Result<(), Stopped> {
        let text = serde_json::to_string(value).map_err(LogError::Write)?;
        self.text(&text).await
    }

    /// Writes elements of a JSON list, separated by commas. `first` is `true` until an element has been
    /// written, and is kept by the caller between calls.
    pub(crate) async fn elements<T: Serialize>(
        &mut self,
        values: impl IntoIterator<Item = T>,
        first: &mut bool,
    ) -> Result<(), Stopped> {
        for value in values {
            if !std::mem::take(first) {
                self.text(",").await?;
            }
            self.json(&value).await?;
        }
        Ok(())
    }

    async fn send(&mut self) -> Result<(), Stopped> {
        let chunk = Bytes::from(std::mem::take(&mut self.buffer));
        match timeout(CHUNK_TIMEOUT, self.chunks.send(chunk)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(Stopped::Gone),
        }
    }

    async fn flush(&mut self) -> Result<(), Stopped> {
        if self.buffer.is_empty() { Ok(()) } else { self.send().await }
    }
}

/// Writes games as PGN, each followed by an empty line. Games whose logs cannot be replayed are omitted, and
/// the error is logged.
pub(crate) async fn write_games(
    app: &App,
    tenant: Tenant,
    mut filter: GameFilter,
    out: &mut ExportWriter,
) -> Result<(), Stopped> {
    filter.limit = PAGE_SIZE;
    loop {
        let page = app.store.list_games(&filter).await?;
        let is_last = page.len() < PAGE_SIZE as usize;
        filter.after = page.last().map(|last| last.cursor(filter.state));
        let mut group = Vec::new();
        let mut bytes = 0;
        for listed in page {
            let loaded = app.games.ledger.load_once(&listed.game.id).await?;
            bytes += loaded.bytes();
            group.push((listed, loaded));
            if group.len() >= GROUP_SIZE || bytes >= LOG_BYTES {
                write_group(app, &tenant, std::mem::take(&mut group), out).await?;
                bytes = 0;
            }
        }
        write_group(app, &tenant, group, out).await?;
        if is_last {
            return Ok(());
        }
    }
}

/// Replays a group of games on a worker thread and writes them.
async fn write_group(
    app: &App,
    tenant: &Tenant,
    group: Vec<(ListedGame, LoadedGame)>,
    out: &mut ExportWriter,
) -> Result<(), Stopped> {
    if group.is_empty() {
        return Ok(());
    }
    let address = app.config.public_origin.clone();
    let write = move || {
        let mut text = String::new();
        for (listed, loaded) in group {
            let id = listed.game.id;
            let names = wire::PlayerNames { white: listed.names.white, black: listed.names.black };
            let written = loaded.game(&id).and_then(|game| pgn::text(&id, &game, &names, address.as_ref()));
            match written {
                Ok(written) => text.extend([written.trim_end(), "\n\n"]),
                Err(error) => error.log(),
            }
        }
        Ok(text)
    };
    let text = app.studies.work.run_with_retry(tenant.clone(), write).await?;
    out.text(&text).await
}

#[cfg(test)]
mod tests {
    use futures_util::StreamExt as _;

    use super::*;

    fn begin(exports: &Exports, player: u128, address: u8) -> Result<ExportSlot, Error> {
        exports
            .begin(Requester { player: &PlayerId::from_random(player), address: [10, 0, 0, address].into() })
    }

    /// Reads a body to its end. Returns the number of bytes, and whether the body was complete.
    async fn read(body: Body) -> (usize, bool) {
        let mut stream = body.into_data_stream();
        let mut bytes = 0;
        while let Some(chunk) = stream.next().await {
            match chunk {
                Ok(chunk) => bytes += chunk.len(),
                Err(_) => return (bytes, false),
            }
        }
        (bytes, true)
    }

    #[tokio::test]
    async fn exports_are_limited_per_visitor_per_address_and_in_total() {
        let exports = Exports::new(Duration::from_mins(1));
        let first = begin(&exports, 1, 1).unwrap();
        assert!(matches!(begin(&exports, 1, 2), Err(Error::TooMany(_))));
        let others = (2..5).map(|player| begin(&exports, player, 1).unwrap()).collect::<Vec<_>>();
        assert!(matches!(begin(&exports, 5, 1), Err(Error::TooMany(_))));
        let other_addresses =
            (5..17).map(|player| begin(&exports, player, player as u8).unwrap()).collect::<Vec<_>>();
        assert!(matches!(begin(&exports, 99, 99), Err(Error::Busy)));
        drop((first, others, other_addresses));
        assert!(begin(&exports, 1, 1).is_ok());
    }

    #[tokio::test]
    async fn large_documents_are_limited_per_visitor() {
        let exports = Exports::new(Duration::from_mins(1));
        let player = PlayerId::from_random(1);
        let take_text = || {
            exports.text(Requester { player: &player, address: [10, 0, 0, 1].into() }, "x".repeat(100_000))
        };
        let mut slots = (0..4).map(|_| take_text().unwrap()).collect::<Vec<_>>();
        assert!(matches!(take_text(), Err(Error::TooMany(_))));
        assert_eq!(read(slots.pop().unwrap()).await, (100_000, true));
        assert!(take_text().is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn an_unfinished_export_ends_with_an_error() {
        let exports = Exports::new(Duration::from_secs(100));
        let many = |count: usize, end: fn() -> Result<(), Stopped>| {
            move |mut out: ExportWriter| async move {
                for _ in 0..count {
                    out.text(&"x".repeat(1000)).await?;
                }
                end()?;
                Ok(out)
            }
        };
        let whole = exports.body(begin(&exports, 1, 1).unwrap(), many(1_000, || Ok(())));
        assert_eq!(read(whole).await, (1_000_000, true));
        let broken = exports.body(begin(&exports, 1, 1).unwrap(), many(1_000, || Err(Error::Busy.into())));
        let (bytes, finished) = read(broken).await;
        assert!(bytes > 900_000 && !finished);
    }

    #[tokio::test(start_paused = true)]
    async fn a_reader_that_stalls_frees_its_slot() {
        let exports = Exports::new(Duration::from_secs(100));
        let endless = |mut out: ExportWriter| async move {
            loop {
                out.text(&"x".repeat(1000)).await?;
            }
            #[expect(unreachable_code, reason = "this gives the block its type")]
            Ok(out)
        };
        // One client reads nothing at all, and the other reads a chunk every 15 seconds.
        let (unread, slow) = (
            exports.body(begin(&exports, 1, 1).unwrap(), endless),
            exports.body(begin(&exports, 2, 2).unwrap(), endless),
        );
        let mut slow = slow.into_data_stream();
        let mut taken = 0;
        while let Some(Ok(chunk)) = slow.next().await {
            taken += chunk.len();
            tokio::time::sleep(Duration::from_secs(15)).await;
            assert_eq!(begin(&exports, 1, 1).is_ok(), taken > 2 * CHUNK_SIZE);
        }
        assert!(taken < 10 * 2 * CHUNK_SIZE, "{taken}");
        drop(unread);
        assert!(begin(&exports, 2, 2).is_ok());
    }
}
