//! A proxy that can cut connections to the server.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use adoube_test_services::Postgres;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

/// Forwards both directions of a connection.
#[derive(Debug)]
pub(crate) struct Proxy {
    port: u16,
    /// If set, the answer to a commit is dropped and the connection closed.
    pub(crate) cut_after_commit: Arc<AtomicBool>,
}

impl Proxy {
    pub(crate) async fn to(server: &Postgres) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let cut_after_commit = Arc::new(AtomicBool::new(false));
        let (cut, behind) = (Arc::clone(&cut_after_commit), server.port());
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let server = TcpStream::connect(("127.0.0.1", behind)).await.unwrap();
                tokio::spawn(pass(client, server, Arc::clone(&cut)));
            }
        });
        Self { port, cut_after_commit }
    }

    pub(crate) fn address(&self, database: &str) -> String {
        format!("postgres://postgres@127.0.0.1:{}/{database}", self.port)
    }
}

async fn pass(mut client: TcpStream, mut server: TcpStream, cut: Arc<AtomicBool>) {
    let (mut asked, mut answered) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    loop {
        tokio::select! {
            read = client.read(&mut asked) => {
                let Ok(length @ 1..) = read else { return };
                server.write_all(&asked[..length]).await.unwrap();
                if cut.load(Ordering::Relaxed) && asked[..length].windows(6).any(|window| window == b"COMMIT") {
                    // Wait for the answer, so that the commit is done, and drop it.
                    let _ = server.read(&mut answered).await;
                    return;
                }
            }
            read = server.read(&mut answered) => {
                let Ok(length @ 1..) = read else { return };
                client.write_all(&answered[..length]).await.unwrap();
            }
        }
    }
}
