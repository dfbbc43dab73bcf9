//! The server's local socket. The operator's commands send their requests through it, because the server has
//! exclusive access to the data file.
//!
//! Any process that can open the socket acts as the operator, so only the owner of the data may open it. A
//! connection carries one request and its response, each as one line of JSON.

use std::{
    fs, io,
    os::unix::fs::{DirBuilderExt as _, PermissionsExt as _},
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

/// The maximum size of a request or a response, in bytes.
const MAX_MESSAGE_BYTES: u64 = 8 * 1024 * 1024;
/// The time limit for a request.
const TIMEOUT: Duration = Duration::from_mins(1);

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Response {
    Done(Value),
    Refused { code: String, message: String },
}

/// A listening socket, whose file is removed when this value is dropped.
#[derive(Debug)]
pub struct LocalSocket {
    listener: UnixListener,
    path: PathBuf,
}

impl LocalSocket {
    /// Creates the socket with permissions only for the user who runs this process. A socket left behind by
    /// an earlier server is replaced. The caller must have locked the data, so a leftover socket cannot
    /// belong to a running server.
    ///
    /// # Errors
    ///
    /// If the folder cannot be written to, or the path is too long for a socket.
    pub fn bind(path: &Path) -> io::Result<Self> {
        // The umask decides the mode of a new socket. The socket is therefore created in a folder that no
        // other user can enter, and moved to its final name only after its mode is set.
        let mut folder = path.as_os_str().to_owned();
        folder.push(".new");
        let folder = PathBuf::from(folder);
        remove(&folder)?;
        fs::DirBuilder::new().mode(0o700).create(&folder)?;
        let new = folder.join("s");
        let listener = UnixListener::bind(&new)?;
        fs::set_permissions(&new, fs::Permissions::from_mode(0o600))?;
        fs::rename(&new, path)?;
        fs::remove_dir(&folder)?;
        Ok(Self { listener, path: path.to_owned() })
    }

    /// Serves requests until the future is dropped.
    pub async fn serve(self, administration: Arc<Administration>) {
        loop {
            match self.listener.accept().await {
                Ok((stream, _)) => {
                    let administration = Arc::clone(&administration);
                    tokio::spawn(async move {
                        match tokio::time::timeout(TIMEOUT, respond(stream, &administration)).await {
                            Ok(Ok(())) => {}
                            Ok(Err(error)) => tracing::debug!(%error, "an operator's command disconnected"),
                            Err(_) => tracing::warn!("an operator's command took too long"),
                        }
                    });
                }
                Err(error) => {
                    tracing::warn!(%error, "an operator's command could not connect");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            }
        }
    }
}

impl Drop for LocalSocket {
    fn drop(&mut self) {
        // If the file cannot be removed, the next server replaces it.
        let _ = fs::remove_file(&self.path);
    }
}

/// Removes a file or a folder, if it exists.
fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

async fn respond(stream: UnixStream, administration: &Administration) -> io::Result<()> {
    let (reader, mut writer) = stream.into_split();
    let mut line = Vec::new();
    BufReader::new(reader.take(MAX_MESSAGE_BYTES)).read_until(b'\n', &mut line).await?;
    let response = match serde_json::from_slice::<AdminRequest>(&line) {
        Ok(request) => match administration.request(&request).await {
            Ok(value) => Response::Done(value),
            Err(AdminError { code, message }) => Response::Refused { code, message },
        },
        Err(_) if line.len() as u64 == MAX_MESSAGE_BYTES => Response::Refused {
            code: "bad-message".into(),
            message: format!("the request is larger than {} MiB", MAX_MESSAGE_BYTES >> 20),
        },
        Err(error) => Response::Refused {
            code: "bad-message".into(),
            message: format!(
                "the running server cannot parse this request; is it a different version? {error}"
            ),
        },
    };
    let mut text = serde_json::to_string(&response)?;
    text.push('\n');
    writer.write_all(text.as_bytes()).await?;
    writer.shutdown().await
}

/// Sends the operator's request to the server that listens on this socket, and returns the result, or `None`
/// if no server is running.
///
/// # Errors
///
/// If the server refuses the request or does not respond properly. The error gives the reason.
pub async fn ask_server(path: &Path, request: &AdminRequest) -> Result<Option<Value>, AdminError> {
    let failed = |error: io::Error| AdminError {
        code: "socket".into(),
        message: format!("the server did not respond at {}: {error}", path.display()),
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
        BufReader::new(reader.take(MAX_MESSAGE_BYTES)).read_line(&mut line).await?;
        Ok(serde_json::from_str(&line)?)
    };
    match response.await.map_err(failed)? {
        Response::Done(value) => Ok(Some(value)),
        Response::Refused { code, message } => Err(AdminError { code, message }),
    }
}
