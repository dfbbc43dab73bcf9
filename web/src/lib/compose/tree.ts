import type { Solution, SolutionBranch } from '../api';
import type { Position } from '../rules';

/** A line of a formatted solution, and its branches. */
export interface TreeLine {
  /** The text of the line, such as `1. Nf6+` or `1… Kh8, Kh6 2. Rg8#`. */
  readonly text: string;
  /** Other turns of the solver that win equally fast. */
  readonly others: readonly string[];
  readonly children: readonly TreeLine[];
}

/** Formats a turn in a position. */
export type WriteTurn = (position: Position, turn: string) => string;

/** Formats a line, numbered by the solver's turns. */
export function lineText(start: Position, turns: readonly string[], write: WriteTurn): string {
  let position = start;
  return turns
    .map((turn, index) => {
      const text = write(position, turn);
      position = position.playTurn(turn);
      return index % 2 === 0 ? `${index / 2 + 1}. ${text}` : text;
    })
    .join(' ');
}

/** Formats a solution. Replies with the same answer share a line if nothing follows. */
export function treeLine(start: Position, { first }: Solution, write: WriteTurn): TreeLine {
  const linesBelow = (before: Position, branch: SolutionBranch, number: number): TreeLine[] => {
    const position = before.playTurn(branch.turn);
    const lines: { replies: string[]; tail: TreeLine }[] = [];
    const alike = new Map<string, { replies: string[] }>();
    for (const { turn, then } of branch.replies) {
      const reply = write(position, turn);
      const after = position.playTurn(turn);
      const text = `${number + 1}. ${write(after, then.turn)}`;
      const others = then.others.map((other) => write(after, other));
      const name = [text, ...others].join(' ');
      const same = then.replies.length === 0 ? alike.get(name) : undefined;
      if (same) {
        same.replies.push(reply);
        continue;
      }
      const line = {
        replies: [reply],
        tail: { text, others, children: linesBelow(after, then, number + 1) },
      };
      if (then.replies.length === 0) alike.set(name, line);
      lines.push(line);
    }
    return lines.map(({ replies, tail: { text, others, children } }) => ({
      text: `${number}… ${replies.join(', ')} ${text}`,
      others,
      children,
    }));
  };
  return {
    text: `1. ${write(start, first.turn)}`,
    others: first.others.map((other) => write(start, other)),
    children: linesBelow(start, first, 1),
  };
}
