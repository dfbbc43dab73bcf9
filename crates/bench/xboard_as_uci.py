"""Adapts an engine that speaks only xboard to `adoube match`, which speaks only UCI.

    target/python/bin/python crates/bench/xboard_as_uci.py /usr/games/fairymax

Supports chess from its initial position (from a FEN only if the engine supports `setboard`), clocks with an
increment, and `movetime`, but no other part of UCI.
The engine is driven by python-chess, which `cargo xtask uci-games` installs.
"""

import sys

import chess
import chess.engine


class Protocol(chess.engine.XBoardProtocol):
    """Also supports engines that cannot receive a position: they receive only turns from the initial one."""

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        super().pipe_data_received(fd, data.replace(b"setboard=0", b"setboard=1"))


def limit_of(words: list[str]) -> chess.engine.Limit:
    limits = {name: float(value) / 1000 for name, value in zip(words, words[1:]) if value.lstrip("-").isdigit()}
    if "movetime" in limits:
        return chess.engine.Limit(time=limits["movetime"])
    return chess.engine.Limit(
        white_clock=limits.get("wtime"),
        black_clock=limits.get("btime"),
        white_inc=limits.get("winc", 0.0),
        black_inc=limits.get("binc", 0.0),
    )


def main() -> None:
    chess.engine.XBoardProtocol = Protocol
    engine = chess.engine.SimpleEngine.popen_xboard(sys.argv[1:], timeout=20)
    board, game = chess.Board(), 0
    for line in sys.stdin:
        words = line.split()
        match words[:1]:
            case ["uci"]:
                print(f"id name {engine.id.get('name', sys.argv[1])}\nuciok", flush=True)
            case ["isready"]:
                print("readyok", flush=True)
            case ["ucinewgame"]:
                game += 1
            case ["position"]:
                turns = words[words.index("moves") + 1 :] if "moves" in words else []
                setup = words[1 : len(words) - len(turns)]
                board = chess.Board(" ".join(setup[1:7])) if setup[0] == "fen" else chess.Board()
                for turn in turns:
                    board.push_uci(turn)
            case ["go"]:
                result = engine.play(board, limit_of(words), game=game)
                print(f"bestmove {result.move or '(none)'}", flush=True)
            case ["quit"]:
                break
    engine.quit()


main()
