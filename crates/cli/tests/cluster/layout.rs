//! Tests the example in `deploy`: two nodes behind a proxy that uses the example's configuration, and a
//! worker.

use std::path::Path;

use adoube_test_services::{Nginx, free_port, or_skip};
use serde_json::{Value, json};

use crate::house::{House, Process, Visitor, eventually};

const CONFIGURATION: &str = include_str!("../../../../deploy/nginx.conf");

/// Returns the example's configuration with different addresses and folders.
pub(crate) fn configuration(folder: &Path, port: u16, nodes: &[u16]) -> String {
    let folder = folder.display();
    let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|path| format!("    {path}_temp_path {folder}/{path};\n"))
        .concat();
    let servers =
        nodes.iter().map(|node| format!("        server 127.0.0.1:{node} max_fails=1 fail_timeout=2s;\n"));
    let replacements = [
        ("pid /run/nginx.pid;", format!("pid {folder}/pid;")),
        ("listen 8080;", format!("listen 127.0.0.1:{port};")),
        ("        server node-1:8787 max_fails=1 fail_timeout=2s;\n", servers.collect()),
        ("        server node-2:8787 max_fails=1 fail_timeout=2s;\n", String::new()),
        ("http {\n", format!("http {{\n{paths}")),
    ];
    replacements.into_iter().fold(CONFIGURATION.to_owned(), |text, (original, replacement)| {
        assert_eq!(text.matches(original).count(), 1, "{original}");
        text.replace(original, &replacement)
    })
}

pub(crate) fn game_sockets(node: &Process) -> u64 {
    node.metric("adoube_sockets{kind=\"game\"}")
}

/// Two people play through the proxy, each on a different node. One node is killed, and the game continues. A
/// worker plays against a third person.
#[test]
fn a_game_continues_when_a_node_in_the_example_dies() {
    let Some(house) = House::start() else { return };
    let ports = [free_port().unwrap(), free_port().unwrap()];
    let Some(proxy) = or_skip(Nginx::start(|folder, port| configuration(folder, port, &ports))) else {
        return;
    };
    let start = |index: usize| house.node(ports[index], Some(proxy.port()), &[]);
    let mut nodes = [start(0), start(1)];
    let worker = house.worker();

    let (mut white, mut black) = (Visitor::at(proxy.port()), Visitor::at(proxy.port()));
    let created = white.create("chess", "white", &json!({ "type": "friend" }));
    let game = created["id"].as_str().unwrap();
    let invitation = format!("/api/invitations/{}", created["invitation"].as_str().unwrap());
    assert_eq!(black.post(&invitation, &Value::Null).status, 200);
    let path = format!("/api/games/{game}/socket");
    let hall = [&white, &black].map(|visitor| visitor.socket("/api/hall/socket"));
    let mut white_socket = white.socket(&path);
    let version = white_socket.wait_for("snapshot")["game"]["version"].as_u64().unwrap();
    // The proxy has no sticky sessions, so another attempt may reach the other node.
    let (mut black_socket, _) = eventually("the players are connected to different nodes", || {
        let mut socket = black.socket(&path);
        socket.wait_for("snapshot");
        nodes.iter().all(|node| game_sockets(node) > 0).then_some(socket)
    });

    let mut seen = version;
    for (turn, by_white) in [("e2e4", true), ("e7e5", false), ("g1f3", true)] {
        let mover = if by_white { &mut white_socket } else { &mut black_socket };
        mover.play(seen, turn);
        seen += 1;
        white_socket.wait_for_version(seen);
        black_socket.wait_for_version(seen);
    }

    nodes[0].kill();
    // The proxy closes the sockets that were connected to the killed node, and no others.
    let alive = [white_socket.is_alive(), black_socket.is_alive()];
    assert!(alive[0] ^ alive[1], "exactly one player was connected to the killed node: {alive:?}");
    drop(hall);
    let rejoin = format!("{path}?version={seen}");
    let (mut white_socket, mut black_socket) = (white.socket(&rejoin), black.socket(&rejoin));
    black_socket.play(seen, "b8c6");
    white_socket.wait_for_version(seen + 1);
    white_socket.play(seen + 1, "f1b5");
    black_socket.wait_for_version(seen + 2);

    // The node comes back. After two seconds the proxy tries it again, and visitors reach it.
    nodes[0] = start(0);
    eventually("the node has a socket again", || {
        let _socket = white.socket(&path);
        (game_sockets(&nodes[0]) > 0).then_some(())
    });
    assert_eq!(white.turns(game), ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"]);

    let mut carla = Visitor::at(proxy.port());
    let against_machine = carla.create("chess", "black", &json!({ "type": "machine", "level": 2 }));
    let id = against_machine["id"].as_str().unwrap();
    eventually("the worker has played", || (!carla.turns(id).is_empty()).then_some(()));
    let node_turns = nodes.iter().map(|node| node.metric("adoube_machine_turns_total ")).sum::<u64>();
    assert_eq!((worker.metric("adoube_machine_turns_total "), node_turns), (1, 0));
}
