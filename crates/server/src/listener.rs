//! Listeners on an IP address or a Unix domain socket, opened by this program or by a service manager.

use std::{io, net::SocketAddr, path::PathBuf};

use tokio::net::{TcpListener, TcpSocket, TcpStream};
#[cfg(unix)]
use tokio::net::{UnixListener, UnixStream};

use crate::config::Listen;

/// The length of the system's queue of connections waiting to be accepted. A few addresses could keep a queue
/// of the default length (128) full.
const BACKLOG: u32 = 1_024;

/// A listener opened by another program, such as a service manager.
#[derive(Debug)]
pub enum Inherited {
    Tcp(std::net::TcpListener),
    #[cfg(unix)]
    Unix(std::os::unix::net::UnixListener),
}

/// An accepted connection.
#[derive(Debug)]
pub(crate) enum Stream {
    Tcp(TcpStream),
    #[cfg(unix)]
    Unix(UnixStream),
}

#[derive(Debug)]
pub(crate) enum Listener {
    Tcp(TcpListener),
    #[cfg(unix)]
    Unix {
        listener: UnixListener,
        /// The path to remove on drop; `None` if another program created it.
        path: Option<PathBuf>,
    },
}

impl Listener {
    /// Listens on an address or a path.
    pub(crate) fn open(address: &Listen) -> io::Result<Self> {
        match address {
            Listen::Tcp(address) => listen(*address).map(Self::Tcp),
            #[cfg(unix)]
            Listen::Unix(path) => open_unix(path.clone()),
            #[cfg(not(unix))]
            Listen::Unix(_) => Err(io::ErrorKind::Unsupported.into()),
        }
    }

    /// Takes over a listener opened by another program. Returns it with its address or path.
    pub(crate) fn inherit(inherited: Inherited) -> io::Result<(Self, Listen)> {
        match inherited {
            Inherited::Tcp(listener) => {
                listener.set_nonblocking(true)?;
                let address = listener.local_addr()?;
                Ok((Self::Tcp(TcpListener::from_std(listener)?), address.into()))
            }
            #[cfg(unix)]
            Inherited::Unix(listener) => {
                listener.set_nonblocking(true)?;
                let path = listener.local_addr()?.as_pathname().map(PathBuf::from).unwrap_or_default();
                // The path is removed by the program that created it.
                let listener = UnixListener::from_std(listener)?;
                Ok((Self::Unix { listener, path: None }, Listen::Unix(path)))
            }
        }
    }

    /// Returns the address of a TCP listener; `None` for a Unix domain socket.
    pub(crate) fn local_addr(&self) -> io::Result<Option<SocketAddr>> {
        match self {
            Self::Tcp(listener) => listener.local_addr().map(Some),
            #[cfg(unix)]
            Self::Unix { .. } => Ok(None),
        }
    }

    /// Accepts the next connection. Returns it with the peer's address, if it has one.
    pub(crate) async fn accept(&self) -> io::Result<(Stream, Option<SocketAddr>)> {
        match self {
            Self::Tcp(listener) => {
                listener.accept().await.map(|(stream, address)| (Stream::Tcp(stream), Some(address)))
            }
            #[cfg(unix)]
            Self::Unix { listener, .. } => {
                listener.accept().await.map(|(stream, _)| (Stream::Unix(stream), None))
            }
        }
    }
}

#[cfg(unix)]
impl Drop for Listener {
    fn drop(&mut self) {
        if let Self::Unix { path: Some(path), .. } = self {
            // No other server can have replaced the socket in the meantime, because `open_unix` fails while
            // this one listens.
            let _ = std::fs::remove_file(path);
        }
    }
}

fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // On Unix this allows binding the port again right after a restart; elsewhere it would let two programs
    // share it.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Listens on a Unix domain socket to which its owner and group may connect. Replaces a socket left behind by
/// a server that was killed.
#[cfg(unix)]
fn open_unix(path: PathBuf) -> io::Result<Listener> {
    use std::os::unix::{
        fs::{FileTypeExt as _, PermissionsExt as _},
        net,
    };
    let is_socket = std::fs::symlink_metadata(&path).is_ok_and(|found| found.file_type().is_socket());
    if is_socket
        && net::UnixStream::connect(&path)
            .is_err_and(|error| error.kind() == io::ErrorKind::ConnectionRefused)
    {
        std::fs::remove_file(&path)?;
    }
    let listener = UnixListener::bind(&path)?;
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o660))?;
    Ok(Listener::Unix { listener, path: Some(path) })
}
