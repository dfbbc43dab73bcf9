//! Checks the addresses: whether the server can listen, and how requests to the public address reach it.

use std::{
    io::ErrorKind,
    net::{IpAddr, SocketAddr, TcpListener},
    path::Path,
};

use adoube_server::{Config, Entropy as _, Listen, PublicAddress, SystemEntropy};
use anyhow::Context as _;
use url::Url;

use super::{
    probe::{Message, ProbeError, ProbeServer, ReceivedRequest, get},
    report::Report,
};

/// The address that the check falsely claims to come from. It is reserved for documentation (RFC 5737).
const FORGED_ADDRESS: &str = "203.0.113.77";
/// The nginx directive that overwrites addresses claimed by visitors.
const NGINX_ADDRESS: &str = "in nginx: `proxy_set_header X-Forwarded-For $remote_addr;` (Caddy and Apache add the visitor's address automatically)";
const NGINX_WEBSOCKET: &str = "in nginx: `proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $adoube_connection;`, with the `map` at the beginning of the example nginx-site.conf";

/// The state of the server's listen address.
enum Listener {
    /// No process was listening, so this command now listens there.
    Free(TcpListener),
    /// An adoube server is listening; on a Unix socket, it may be any server.
    Server,
    /// No process is listening on the Unix socket. The probe server can listen only on a TCP port.
    NoServer,
    /// Another program is listening, or the address cannot be used.
    Unusable,
}

pub(super) async fn check(config: &Config, report: &mut Report<'_>) -> anyhow::Result<()> {
    let listener = match &config.listen {
        Listen::Tcp(address) => check_listen(*address, report).await?,
        Listen::Unix(path) => check_path(path, report)?,
    };
    if let (Some(metrics), Listener::Free(_) | Listener::NoServer) = (config.metrics, &listener) {
        check_free("metrics", metrics, report)?;
    }
    let Some(public) = &config.public_origin else {
        let finding = match &config.listen {
            Listen::Tcp(address) if address.ip().is_loopback() => {
                format!("http://{address}, from this machine only")
            }
            Listen::Tcp(address) => format!("http://{address}, without TLS"),
            Listen::Unix(_) => "requests from a proxy".to_owned(),
        };
        return report
            .ok("address", format!("{finding}; a house on the Internet needs a proxy and `public_origin`"));
    };
    match listener {
        Listener::Free(listener) => {
            let mark = format!("adoube-doctor-{:032x}", SystemEntropy.random()?);
            let probe_server = ProbeServer::start(listener, &mark).context("cannot listen on the address")?;
            check_with_probe_server(public, config, &mark, probe_server, report).await
        }
        Listener::Server => check_server(public, config, report).await,
        Listener::NoServer => report.ok("proxy", "it can be checked while the server is running"),
        // The response from another program would reveal nothing about the proxy.
        Listener::Unusable => Ok(()),
    }
}

async fn check_listen(address: SocketAddr, report: &mut Report<'_>) -> anyhow::Result<Listener> {
    match TcpListener::bind(address) {
        Ok(listener) => {
            report.ok("listen", format!("{address} is free, and no server is running"))?;
            Ok(Listener::Free(listener))
        }
        Err(error) if error.kind() == ErrorKind::AddrInUse => {
            let local_url = Listen::Tcp(address).local_address().unwrap_or(address);
            let local_url = Url::parse(&format!("http://{local_url}"))?;
            let response = get(&local_url, "/api/health", &[("Connection", "close")]).await;
            if response.is_ok_and(|response| response.status() == 200 && response.body.contains("ok")) {
                report.ok("listen", format!("a server answers on {address}"))?;
                return Ok(Listener::Server);
            }
            report.error(
                "listen",
                format!("another program is using {address}"),
                format!(
                    "`ss -ltnp 'sport = :{}'` names it; stop it, or choose another port in `listen`",
                    address.port()
                ),
            )?;
            Ok(Listener::Unusable)
        }
        Err(error) => {
            report_unusable("listen", address, &error, report)?;
            Ok(Listener::Unusable)
        }
    }
}

/// Checks a Unix socket.
fn check_path(path: &Path, report: &mut Report<'_>) -> anyhow::Result<Listener> {
    #[cfg(unix)]
    match std::os::unix::net::UnixStream::connect(path) {
        Ok(_) => {
            report.ok("listen", format!("a server answers on {}", path.display()))?;
            return Ok(Listener::Server);
        }
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            report.error(
                "listen",
                format!("this user is not allowed to connect to {}", path.display()),
                "add the proxy's user to the socket's group, and run this command as the server's user",
            )?;
            return Ok(Listener::Unusable);
        }
        Err(_) => {}
    }
    let folder = path.parent().unwrap_or(Path::new("/"));
    if !folder.is_dir() {
        report.error(
            "listen",
            format!("the folder {} does not exist", folder.display()),
            "create it for the server's user; under systemd, set `RuntimeDirectory=` to its name relative to /run",
        )?;
        return Ok(Listener::Unusable);
    }
    report.ok("listen", format!("{} is free, and no server is running", path.display()))?;
    Ok(Listener::NoServer)
}

fn check_free(setting: &str, address: SocketAddr, report: &mut Report<'_>) -> anyhow::Result<()> {
    match TcpListener::bind(address) {
        Ok(_) => report.ok(setting, format!("{address} is free")),
        Err(error) => report_unusable(setting, address, &error, report),
    }
}

fn report_unusable(
    setting: &str,
    address: SocketAddr,
    error: &std::io::Error,
    report: &mut Report<'_>,
) -> anyhow::Result<()> {
    let remedy = match error.kind() {
        ErrorKind::PermissionDenied => {
            "choose a port above 1023, and let a proxy listen on 80 and 443".to_owned()
        }
        ErrorKind::AddrNotAvailable => {
            format!(
                "`{setting}` must be an address of this machine; use 127.0.0.1 if only a proxy on the same machine connects, or 0.0.0.0 for all addresses of the machine"
            )
        }
        _ => format!("choose another address in `{setting}`"),
    };
    report.error(setting, format!("{address} cannot be used: {error}"), remedy)
}

const WEBSOCKET_HEADERS: [(&str, &str); 4] = [
    ("Connection", "Upgrade"),
    ("Upgrade", "websocket"),
    ("Sec-WebSocket-Version", "13"),
    ("Sec-WebSocket-Key", "YWRvdWJlLWRvY3Rvci0wMQ=="),
];

/// Checks the public address of a running server. Only the responses are checked, because this command cannot
/// see how the requests arrive.
async fn check_server(
    public: &PublicAddress,
    config: &Config,
    report: &mut Report<'_>,
) -> anyhow::Result<()> {
    let response = match get_public(public, "/api/health", &[("Connection", "close")]).await {
        Ok(response) => response,
        Err(error) => return report_unanswered(public, &error, report),
    };
    if response.status() != 200 || !response.body.contains("ok") {
        return report_other_response(public, &config.listen, &response, report);
    }
    // Unlike requests for data, the health check succeeds even without the path of the house.
    let house = get_public(public, "/api/house", &[("Connection", "close")]).await;
    if house.is_ok_and(|house| house.status() == 404 && house.body.contains("outside-path")) {
        return report_removed_path(public, &config.listen, report);
    }
    report.ok("proxy", format!("{public} reaches the server"))?;
    let headers = [&WEBSOCKET_HEADERS[..], &[("Origin", public.origin().as_str())]].concat();
    match get_public(public, "/api/hall/socket", &headers).await {
        Ok(response) if response.status() == 101 => report.ok(
            "proxy",
            "WebSockets work; stop the server and run this again to check the addresses of visitors too",
        ),
        Ok(response) => report.error("proxy", format!("WebSockets fail: {}", response.line), NGINX_WEBSOCKET),
        Err(error) => report.error("proxy", format!("WebSockets fail: {error}"), NGINX_WEBSOCKET),
    }
}

/// Sends requests to the public address, and checks how they arrive at the probe server.
async fn check_with_probe_server(
    public: &PublicAddress,
    config: &Config,
    mark: &str,
    mut probe_server: ProbeServer,
    report: &mut Report<'_>,
) -> anyhow::Result<()> {
    let path = format!("/api/health?{mark}");
    let claim = ("X-Forwarded-For", FORGED_ADDRESS);
    let response = match get_public(public, &path, &[("Connection", "close"), claim]).await {
        Ok(response) => response,
        Err(error) => return report_unanswered(public, &error, report),
    };
    let Some(arrived) = probe_server.take() else {
        return report_other_response(public, &config.listen, &response, report);
    };
    let target = arrived.request.line.split(' ').nth(1).unwrap_or_default();
    let expected = format!("{}{path}", public.path());
    if target != expected {
        if target == path {
            return report_removed_path(public, &config.listen, report);
        }
        return report.error(
            "proxy",
            format!("{public} reaches the server, but {expected} arrives there as {target}"),
            "make the proxy pass on requests with their paths and queries unchanged",
        );
    }
    report.ok("proxy", format!("{public} reaches this command"))?;
    let port = config.listen.local_address().map(|address| address.port());
    let url = url_of(public)?;
    if url.scheme() == "http" && url.port_or_known_default() == port {
        report.ok("proxy", "there is none: visitors connect directly to the server")?;
    } else {
        check_address(&arrived, config, report)?;
    }

    let path = format!("/api/hall/socket?{mark}");
    let response = get_public(public, &path, &WEBSOCKET_HEADERS).await;
    let passed = probe_server
        .take()
        .is_some_and(|arrived| arrived.request.is_websocket() && arrived.request.line.ends_with("HTTP/1.1"));
    match response {
        Ok(response) if passed && response.status() == 101 && response.is_websocket() => {
            report.ok("proxy", "WebSockets work")
        }
        Ok(response) => report.error("proxy", format!("WebSockets fail: {}", response.line), NGINX_WEBSOCKET),
        Err(error) => report.error("proxy", format!("WebSockets fail: {error}"), NGINX_WEBSOCKET),
    }
}

/// Checks that the server will see the real addresses of visitors, and not addresses that they claim to have.
fn check_address(
    ReceivedRequest { peer, request }: &ReceivedRequest,
    config: &Config,
    report: &mut Report<'_>,
) -> anyhow::Result<()> {
    let forwarded = request.header("x-forwarded-for").unwrap_or_default();
    if !config.trusted_proxies.contains(peer) {
        return report.error(
            "proxy",
            format!("requests come from {peer}, which is not trusted: all visitors share the limits of one address"),
            format!("trusted_proxies = [\"{peer}\"]"),
        );
    }
    // The last address is the one that the proxy itself has added.
    let last = forwarded.rsplit(',').next().map(str::trim).unwrap_or_default();
    match last.parse::<IpAddr>() {
        Err(_) => report.error(
            "proxy",
            "it does not report the addresses of visitors: they all share the limits of one address",
            NGINX_ADDRESS,
        ),
        Ok(_) if last == FORGED_ADDRESS => report.error(
            "proxy",
            "it forwards addresses that visitors claim to have, so limits can be evaded",
            NGINX_ADDRESS,
        ),
        Ok(visitor) => report
            .ok("proxy", format!("it reports the addresses of visitors: this request came from {visitor}")),
    }
}

/// Reports that the proxy passes requests on without the path of the house.
fn report_removed_path(
    public: &PublicAddress,
    listen: &Listen,
    report: &mut Report<'_>,
) -> anyhow::Result<()> {
    let path = public.path();
    let server = match listen.local_address() {
        Some(address) => format!("http://{address}"),
        None => format!("http://{listen}"),
    };
    report.error(
        "proxy",
        format!("{public} reaches the server, but the proxy removes {path} from request paths"),
        format!(
            "keep the path; in nginx: `location {path}/ {{ proxy_pass {server}; }}`, without a trailing \
             slash after the server's address; in Caddy: `handle {path}/*` instead of `handle_path`"
        ),
    )
}

fn report_unanswered(
    public: &PublicAddress,
    error: &ProbeError,
    report: &mut Report<'_>,
) -> anyhow::Result<()> {
    let url = url_of(public)?;
    let host = url.host_str().unwrap_or_default();
    let remedy = match error {
        ProbeError::Name(_) => format!("point an A or AAAA record for {host} at the proxy, or correct `public_origin`"),
        ProbeError::Unreachable(..) => "start the proxy, and open its port in the firewall. Some routers do not forward requests from inside the network to their own public address; in that case, try from elsewhere".to_owned(),
        ProbeError::NoAuthorities => "install the package ca-certificates".to_owned(),
        ProbeError::Tls(_) => format!("give the proxy a valid certificate for {host}; with certbot: `certbot certonly --webroot --webroot-path /var/www/html --domain {host} --deploy-hook 'systemctl reload nginx'`; Caddy gets one automatically"),
        ProbeError::NoResponse => "see the proxy's log".to_owned(),
    };
    report.error("proxy", format!("{public}: {error}"), remedy)
}

fn report_other_response(
    public: &PublicAddress,
    listen: &Listen,
    response: &Message,
    report: &mut Report<'_>,
) -> anyhow::Result<()> {
    let line = &response.line;
    if let (300..400, Some(location)) = (response.status(), response.header("location")) {
        return report.error(
            "proxy",
            format!("{public} redirects to {location}"),
            "set `public_origin` to the address to which it redirects",
        );
    }
    report.error(
        "proxy",
        format!("{public} does not reach the server: {line}"),
        match listen.local_address() {
            Some(address) => {
                format!("make the proxy forward everything under {}/ to http://{address}", public.path())
            }
            None => format!("make the proxy forward everything under {}/ to {listen}", public.path()),
        },
    )
}

fn url_of(public: &PublicAddress) -> anyhow::Result<Url> {
    Url::parse(public.as_str()).context("the public address is not a URL")
}

/// Sends a request for a path within the house to the public address.
async fn get_public(
    public: &PublicAddress,
    path: &str,
    headers: &[(&str, &str)],
) -> Result<Message, ProbeError> {
    // Every public address is a URL.
    let url = url_of(public).map_err(|_| ProbeError::Name(public.to_string()))?;
    get(&url, &format!("{}{path}", public.path()), headers).await
}
