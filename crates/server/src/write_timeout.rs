//! A write timeout and a read rate limit for one connection.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Sleep, sleep},
};

use crate::limits::{Rate, TokenBucket, Wait};

/// A stream whose writes fail after `limit` without progress, which ends the connection. Otherwise a client
/// that requests a page and never reads it would hold the connection forever. Reads are limited to
/// [`MAX_READ_RATE`].
#[derive(Debug)]
pub(crate) struct LimitedStream<S> {
    inner: S,
    limit: Duration,
    /// Set while a write is waiting.
    waiting: Option<Pin<Box<Sleep>>>,
    /// Bytes that may be read now.
    budget: TokenBucket,
    /// Set while reading is paused because too much data has arrived. Holds the number of bytes to take from
    /// the budget after the pause.
    pause: Option<(Pin<Box<Sleep>>, f64)>,
}

/// The maximum rate at which a connection is read, in bytes. A full bucket is enough for any single request,
/// and the rate far exceeds what the messages on a socket need. Empty fragments of a message are not counted
/// as messages, so this is their only limit.
const MAX_READ_RATE: Rate = Rate::new(2_000_000, Duration::from_secs(8));
/// The number of bytes that a pause earns beyond those already read, to keep pauses rare.
const READ_AHEAD_BYTES: f64 = 16_384.0;

impl<S> LimitedStream<S> {
    pub(crate) fn new(inner: S, limit: Duration) -> Self {
        Self { inner, limit, waiting: None, budget: TokenBucket::full(MAX_READ_RATE), pause: None }
    }

    /// Returns the result of a write, or an error if writes have made no progress within the limit.
    fn fail_if_stalled<T>(
        &mut self,
        progress: Poll<io::Result<T>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<T>> {
        if progress.is_ready() {
            self.waiting = None;
            return progress;
        }
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(self.limit)));
        ready!(waiting.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for LimitedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if let Some((pause, owed)) = &mut self.pause {
            ready!(pause.as_mut().poll(context));
            let owed = *owed;
            self.pause = None;
            // The budget has grown enough during the pause.
            let _ = self.budget.spend(MAX_READ_RATE, owed, 0.0);
        }
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.inner).poll_read(context, buffer))?;
        let read = f64::from(u32::try_from(buffer.filled().len() - before).unwrap_or(u32::MAX));
        if self.budget.spend(MAX_READ_RATE, read, 0.0).is_err() {
            // The data has arrived, so it is delivered. The pause lasts until the budget covers it and
            // `READ_AHEAD_BYTES` more bytes.
            let wait = self
                .budget
                .spend(MAX_READ_RATE, read + READ_AHEAD_BYTES, 0.0)
                .err()
                .unwrap_or(Wait(Duration::ZERO));
            self.pause = Some((Box::pin(sleep(wait.0)), read));
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for LimitedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let progress = Pin::new(&mut self.inner).poll_write(context, bytes);
        self.fail_if_stalled(progress, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let progress = Pin::new(&mut self.inner).poll_write_vectored(context, bytes);
        self.fail_if_stalled(progress, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let progress = Pin::new(&mut self.inner).poll_flush(context);
        self.fail_if_stalled(progress, context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let progress = Pin::new(&mut self.inner).poll_shutdown(context);
        self.fail_if_stalled(progress, context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_client_that_sends_endlessly_is_read_slowly() {
        let (near, mut far) = tokio::io::duplex(1 << 16);
        let mut near = LimitedStream::new(near, Duration::from_secs(10));
        tokio::spawn(async move { while far.write_all(&[0; 4096]).await.is_ok() {} });
        let started = tokio::time::Instant::now();
        let mut read = 0;
        let mut buffer = [0; 4096];
        while started.elapsed() < Duration::from_secs(80) {
            read += near.read(&mut buffer).await.unwrap();
        }
        // A full bucket at the beginning, then a quarter of a megabyte a second.
        assert!((20_000_000..23_000_000).contains(&read), "{read}");
    }

    #[tokio::test(start_paused = true)]
    async fn s5_only_a_write_without_progress_fails() {
        let (near, mut far) = tokio::io::duplex(4);
        let mut near = LimitedStream::new(near, Duration::from_secs(10));
        let reads = async {
            for _ in 0..3 {
                sleep(Duration::from_secs(9)).await;
                far.read_exact(&mut [0; 4]).await.unwrap();
            }
            far
        };
        let (written, _far) = tokio::join!(near.write_all(&[0; 12]), reads);
        written.unwrap();
        near.write_all(&[0; 4]).await.unwrap();
        let refused = near.write_all(&[0; 1]).await.unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::TimedOut);
    }
}
