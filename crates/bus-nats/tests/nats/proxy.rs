use std::sync::Arc;

use tokio::{
    net::{TcpListener, TcpStream},
    sync::Notify,
};

/// Forwards connections to a server, and can close all of them at once.
pub(crate) struct Proxy {
    port: u16,
    cut: Arc<Notify>,
}

impl Proxy {
    pub(crate) async fn start(to: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let cut = Arc::new(Notify::new());
        let ends = Arc::clone(&cut);
        tokio::spawn(async move {
            while let Ok((mut client, _)) = listener.accept().await {
                let mut server = TcpStream::connect(("127.0.0.1", to)).await.unwrap();
                let ends = Arc::clone(&ends);
                tokio::spawn(async move {
                    tokio::select! {
                        // Errors are irrelevant when the connection ends.
                        _ = tokio::io::copy_bidirectional(&mut client, &mut server) => {}
                        () = ends.notified() => {}
                    }
                });
            }
        });
        Self { port, cut }
    }

    pub(crate) fn address(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Closes all connections; new ones are forwarded.
    pub(crate) fn close_connections(&self) {
        self.cut.notify_waiters();
    }
}
