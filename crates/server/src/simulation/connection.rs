//! A simulated connection. Messages arrive with a delay and in order, unless the connection breaks first.

use std::{
    pin::Pin,
    task::{Context, Poll, ready},
};

use axum::extract::ws::Message;
use futures_util::{Sink, Stream};
use tokio::{
    sync::mpsc,
    time::{Instant, Sleep, sleep_until},
};

use super::{process::Process, rng::SeededRng};

/// One direction of a connection.
#[derive(Debug)]
struct Direction {
    sender: mpsc::UnboundedSender<(Instant, Message)>,
    newest: Instant,
    base_ms: u64,
    jitter_ms: u64,
    rng: SeededRng,
}

impl Direction {
    fn send(&mut self, message: Message) {
        let delay = std::time::Duration::from_millis(self.base_ms) + self.rng.ms(self.jitter_ms);
        self.newest = self.newest.max(Instant::now() + delay);
        // If the receiver was dropped, the message is lost.
        let _ = self.sender.send((self.newest, message));
    }
}

/// Messages that were sent but not yet received.
#[derive(Debug)]
struct InFlight {
    receiver: mpsc::UnboundedReceiver<(Instant, Message)>,
    next: Option<(Pin<Box<Sleep>>, Message)>,
}

impl InFlight {
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Message>> {
        if self.next.is_none() {
            match ready!(self.receiver.poll_recv(context)) {
                None => return Poll::Ready(None),
                Some((at, message)) => self.next = Some((Box::pin(sleep_until(at)), message)),
            }
        }
        if let Some((arrival, _)) = &mut self.next {
            ready!(arrival.as_mut().poll(context));
        }
        Poll::Ready(self.next.take().map(|(_, message)| message))
    }
}

/// The client's end.
#[derive(Debug)]
pub(super) struct ClientEnd {
    uplink: Direction,
    down: InFlight,
    /// The process at the other end.
    pub(super) process: Process,
    /// The longest possible round trip of this connection, in milliseconds.
    pub(super) longest_round_trip_ms: i64,
}

/// The server's end.
#[derive(Debug)]
pub(super) struct ServerEnd {
    uplink: InFlight,
    down: Direction,
    process: Process,
}

pub(super) fn open_connection(process: &Process, rng: &SeededRng) -> (ClientEnd, ServerEnd) {
    let direction = || {
        let (sender, receiver) = mpsc::unbounded_channel();
        let (base_ms, jitter_ms) = (*rng.pick(&[0, 5, 80]), *rng.pick(&[0, 3, 60]));
        let direction = Direction { sender, newest: Instant::now(), base_ms, jitter_ms, rng: rng.fork() };
        (direction, InFlight { receiver, next: None })
    };
    let ((up, up_arrivals), (down, down_arrivals)) = (direction(), direction());
    let longest_ms =
        [&up, &down].map(|direction| direction.base_ms + direction.jitter_ms).iter().sum::<u64>();
    let client = ClientEnd {
        uplink: up,
        down: down_arrivals,
        process: process.clone(),
        longest_round_trip_ms: longest_ms as i64,
    };
    (client, ServerEnd { uplink: up_arrivals, down, process: process.clone() })
}

impl ClientEnd {
    pub(super) fn send(&mut self, message: Message) {
        self.uplink.send(message);
    }

    /// Receives the next message; `None` if the connection is broken. No message is lost if the future is
    /// dropped.
    pub(super) async fn receive(&mut self) -> Option<Message> {
        let process = self.process.clone();
        tokio::select! {
            biased;
            message = std::future::poll_fn(|context| self.down.poll(context)) => message,
            () = process.crashed() => None,
        }
    }

    /// Abandons the connection silently. Messages in transit may still arrive, and the server notices the
    /// loss only after `unnoticed`.
    pub(super) fn abandon(self, unnoticed: std::time::Duration) {
        if !unnoticed.is_zero() {
            tokio::spawn(async move {
                tokio::time::sleep(unnoticed).await;
                drop(self);
            });
        }
    }
}

impl Stream for ServerEnd {
    type Item = Result<Message, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        ready!(self.process.poll_running(context));
        self.uplink.poll(context).map(|message| message.map(Ok))
    }
}

impl Sink<Message> for ServerEnd {
    type Error = axum::Error;

    fn poll_ready(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), axum::Error>> {
        self.process.poll_running(context).map(Ok)
    }

    fn start_send(mut self: Pin<&mut Self>, message: Message) -> Result<(), axum::Error> {
        if !self.process.is_crashed() {
            self.down.send(message);
        }
        Ok(())
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), axum::Error>> {
        Poll::Ready(Ok(()))
    }

    fn poll_close(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), axum::Error>> {
        Poll::Ready(Ok(()))
    }
}
