//! A proxy that can cut connections to the server.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use adoube_test_services::Postgres;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

/// Forwards connections to the server.
#[derive(Debug)]
pub(crate) struct Proxy {
    port: u16,
    /// Number of commit confirmations to drop, each by closing the connection.
    cuts: Arc<AtomicU32>,
}

impl Proxy {
    pub(crate) async fn to(server: &Postgres) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let cuts = Arc::new(AtomicU32::new(0));
        let (cut, server_port) = (Arc::clone(&cuts), server.port());
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let server = TcpStream::connect(("127.0.0.1", server_port)).await.unwrap();
                tokio::spawn(forward(client, server, Arc::clone(&cut)));
            }
        });
        Self { port, cuts }
    }

    pub(crate) fn cut_next_commit(&self) {
        self.cuts.store(1, Ordering::Relaxed);
    }

    pub(crate) fn cut_all_commits(&self) {
        self.cuts.store(u32::MAX, Ordering::Relaxed);
    }

    pub(crate) fn stop_cutting(&self) {
        self.cuts.store(0, Ordering::Relaxed);
    }

    pub(crate) fn address(&self, database: &str) -> String {
        format!("postgres://postgres@127.0.0.1:{}/{database}", self.port)
    }
}

async fn forward(mut client: TcpStream, mut server: TcpStream, cuts: Arc<AtomicU32>) {
    /// The first byte of the message that binds parameters to a prepared statement. The message that executes
    /// the statement follows.
    const BIND: u8 = b'B';
    /// The end of a response after which no transaction is open.
    const READY: [u8; 6] = [b'Z', 0, 0, 0, 5, b'I'];
    let (mut request, mut response) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    let mut may_commit = false;
    loop {
        tokio::select! {
            read = client.read(&mut request) => {
                let Ok(length @ 1..) = read else { return };
                let text = &request[..length];
                may_commit = text[0] == BIND || text.windows(6).any(|window| window == b"COMMIT");
                server.write_all(text).await.unwrap();
            }
            read = server.read(&mut response) => {
                let Ok(length @ 1..) = read else { return };
                let commits = may_commit && response[..length].ends_with(&READY);
                let decrement = |left: u32| left.checked_sub(1);
                if commits && cuts.fetch_update(Ordering::Relaxed, Ordering::Relaxed, decrement).is_ok() {
                    return;
                }
                client.write_all(&response[..length]).await.unwrap();
            }
        }
    }
}
