"""Plays games of chess between two copies of the engine, with python-chess as the arbiter.

    cargo xtask uci-games [GAMES [SECONDS INCREMENT]]

python-chess has its own rules and its own UCI code, so it detects errors that our own rules and engine might
share: an illegal turn, an engine that quits or stops answering, a clock that runs out. Every tenth game begins
from a shuffled back rank (UCI_Chess960). Exits with 1 if any such error occurred.
"""

import collections
import random
import sys
import time

import chess
import chess.engine

GAMES = int(sys.argv[2]) if len(sys.argv) > 2 else 100
SECONDS = float(sys.argv[3]) if len(sys.argv) > 3 else 1.0
INCREMENT = float(sys.argv[4]) if len(sys.argv) > 4 else 0.01


def opening(number: int) -> chess.Board:
    """Returns the position after eight random turns from an initial position; it depends only on the number."""
    rng = random.Random(number)
    while True:
        board = chess.Board.from_chess960_pos(rng.randrange(960)) if number % 10 == 9 else chess.Board()
        for _ in range(8):
            turns = list(board.legal_moves)
            if not turns:
                break
            board.push(rng.choice(turns))
        if not board.is_game_over():
            return board


def play(engines, number: int, slowest: list[float]) -> str:
    board = opening(number)
    clocks = [SECONDS, SECONDS]
    while not board.is_game_over(claim_draw=True) and board.ply() < 600:
        side = 0 if board.turn else 1
        limit = chess.engine.Limit(
            white_clock=clocks[0], black_clock=clocks[1], white_inc=INCREMENT, black_inc=INCREMENT
        )
        start = time.perf_counter()
        # Raises an error if the chosen turn is not legal, or if the engine has quit.
        result = engines[side].play(board, limit, game=number)
        spent = time.perf_counter() - start
        slowest[0] = max(slowest[0], spent)
        clocks[side] -= spent
        if clocks[side] < 0:
            return f"lost on time by {-1000 * clocks[side]:.0f} ms"
        clocks[side] += INCREMENT
        if result.move is None:
            return "no turn"
        board.push(result.move)
    outcome = board.outcome(claim_draw=True)
    return outcome.termination.name.lower() if outcome else "six hundred plies"


def main() -> int:
    engines = [chess.engine.SimpleEngine.popen_uci([sys.argv[1], "uci"], timeout=10) for _ in range(2)]
    ends, faults, slowest = collections.Counter(), 0, [0.0]
    for number in range(GAMES):
        try:
            end = play(engines, number, slowest)
        except chess.engine.EngineError as error:
            end = f"fault: {error}"
        valid_ends = {kind.name.lower() for kind in chess.Termination} | {"six hundred plies"}
        faults += end not in valid_ends
        if end not in valid_ends:
            print(f"game {number}: {end}", flush=True)
            end = end.split(" by ")[0]
        ends[end] += 1
    for engine in engines:
        engine.quit()
    text = ", ".join(f"{end} {count}" for end, count in ends.most_common())
    print(f"{GAMES} games at {SECONDS:g} s + {1000 * INCREMENT:g} ms: {text}; longest turn {1000 * slowest[0]:.0f} ms")
    return 1 if faults else 0


sys.exit(main())
