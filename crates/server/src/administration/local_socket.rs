//! The local socket of a server: commands of the operator ask the server, which has the data file to itself.
//!
//! Whoever can open the socket is the operator, so only the owner of the data can. A connection carries one
//! request and its answer, each one line of JSON.

use std::{
    fs, io,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use adoube_protocol::AdminRequest;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::{UnixListener, UnixStream},
};

use super::{AdminError, Administration};

/// The maximum size of a request and of an answer, in bytes.
const LONGEST: u64 = 8 * 1024 * 1024;
/// The time that a request may take.
const PATIENCE: Duration = Duration::from_mins(1);

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Answer {
    Done(Value),
    Refused { code: String, message: String },
}

/// A socket that exists as long as this.
#[derive(Debug)]
pub struct LocalSocket {
    listener: UnixListener,
    path: PathBuf,
}

impl LocalSocket {
    /// Creates the socket, which only the owner of this process can open. One that an earlier server left behind
    /// is replaced; the lock of the data keeps other servers from doing so.
    ///
    /// # Errors
    ///
    /// If the folder cannot be written, or the path is too long for a socket.
    pub fn bind(path: &Path) -> io::Result<Self> {
        // Renamed once its mode is right, so that nobody else can open it in between.
        let mut new = path.as_os_str().to_owned();
        new.push(".new");
        let new = PathBuf::from(new);
        match fs::remove_file(&new) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let listener = UnixListener::bind(&new)?;
        fs::set_permissions(&new, fs::Permissions::from_mode(0o600))?;
        fs::rename(&new, path)?;
        Ok(Self { listener, path: path.to_owned() })
    }

    /// Answers requests, until it is dropped.
    pub async fn serve(self, administration: Arc<Administration>) {
        loop {
            match self.listener.accept().await {
                Ok((stream, _)) => {
                    let administration = Arc::clone(&administration);
                    tokio::spawn(async move {
                        match tokio::time::timeout(PATIENCE, answer(stream, &administration)).await {
                            Ok(Ok(())) => {}
                            Ok(Err(error)) => tracing::debug!(%error, "a command of the operator went away"),
                            Err(_) => tracing::warn!("a command of the operator took too long"),
                        }
                    });
                }
                Err(error) => {
                    tracing::warn!(%error, "a command of the operator cannot connect");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            }
        }
    }
}

impl Drop for LocalSocket {
    fn drop(&mut self) {
        // One that stays behind is replaced by the next server.
        let _ = fs::remove_file(&self.path);
    }
}

async fn answer(stream: UnixStream, administration: &Administration) -> io::Result<()> {
    let (reader, mut writer) = stream.into_split();
    let mut line = String::new();
    BufReader::new(reader.take(LONGEST)).read_line(&mut line).await?;
    let answer = match serde_json::from_str::<AdminRequest>(&line) {
        Ok(request) => match administration.request(&request).await {
            Ok(value) => Answer::Done(value),
            Err(AdminError { code, message }) => Answer::Refused { code, message },
        },
        Err(error) => Answer::Refused {
            code: "bad-message".into(),
            message: format!(
                "the running server cannot read this request; is it of another version? {error}"
            ),
        },
    };
    let mut text = serde_json::to_string(&answer)?;
    text.push('\n');
    writer.write_all(text.as_bytes()).await?;
    writer.shutdown().await
}

/// Has the server with this socket carry out a request of the operator. Returns `None` if there is no server.
///
/// # Errors
///
/// If the server refuses, with its reason, or if its answer cannot be read.
pub async fn ask_server(path: &Path, request: &AdminRequest) -> Result<Option<Value>, AdminError> {
    let failed = |error: io::Error| AdminError {
        code: "socket".into(),
        message: format!("the server does not answer at {}: {error}", path.display()),
    };
    let stream = match UnixStream::connect(path).await {
        Ok(stream) => stream,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused) => {
            return Ok(None);
        }
        Err(error) => return Err(failed(error)),
    };
    let response = async {
        let (reader, mut writer) = stream.into_split();
        let mut text = serde_json::to_string(request)?;
        text.push('\n');
        writer.write_all(text.as_bytes()).await?;
        let mut line = String::new();
        BufReader::new(reader.take(LONGEST)).read_line(&mut line).await?;
        Ok(serde_json::from_str(&line)?)
    };
    match response.await.map_err(failed)? {
        Answer::Done(value) => Ok(Some(value)),
        Answer::Refused { code, message } => Err(AdminError { code, message }),
    }
}
