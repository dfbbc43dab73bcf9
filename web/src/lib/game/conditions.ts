import type { Condition } from '../api';
import type { Position } from '../rules';

/** A path in a tree of conditional turns: the opponent's reply at each level. */
export type Path = readonly string[];

export function countOf(tree: readonly Condition[]): number {
  return tree.reduce((sum, { then }) => sum + 1 + countOf(then ?? []), 0);
}

/** Returns the conditions at the end of a path; none if the path does not exist. */
export function treeAt(tree: readonly Condition[], path: Path): readonly Condition[] {
  return path.reduce<readonly Condition[]>(
    (level, reply) => level.find((condition) => condition.reply === reply)?.then ?? [],
    tree,
  );
}

/**
 * Returns the position after a path, with the opponent to move; `null` if the path does not exist.
 */
export function positionAt(
  start: Position,
  tree: readonly Condition[],
  path: Path,
): Position | null {
  let position = start;
  let level = tree;
  for (const reply of path) {
    const condition = level.find((each) => each.reply === reply);
    if (condition === undefined) return null;
    position = position.playTurn(condition.reply).playTurn(condition.answer);
    level = condition.then ?? [];
  }
  return position;
}

function changeAt(
  tree: readonly Condition[],
  path: Path,
  change: (level: readonly Condition[]) => readonly Condition[],
): Condition[] {
  const [reply, ...rest] = path;
  if (reply === undefined) return [...change(tree)];
  return tree.map((condition) =>
    condition.reply === reply
      ? { ...condition, then: changeAt(condition.then ?? [], rest, change) }
      : condition,
  );
}

/**
 * Returns the tree with another pair of turns. If the reply is already there, it gets the new
 * answer, and what followed the old one is lost.
 */
export function withCondition(
  tree: readonly Condition[],
  path: Path,
  reply: string,
  answer: string,
): Condition[] {
  return changeAt(tree, path, (level) => [
    ...level.filter((condition) => condition.reply !== reply),
    { reply, answer },
  ]);
}

/** Returns the tree without a reply and everything that follows it. */
export function withoutCondition(
  tree: readonly Condition[],
  path: Path,
  reply: string,
): Condition[] {
  return changeAt(tree, path, (level) => level.filter((condition) => condition.reply !== reply));
}

/** A pair of turns in the tree, in SAN, with the path that leads to it. */
export interface ConditionLine {
  readonly path: Path;
  readonly reply: string;
  readonly replySan: string;
  readonly answerSan: string;
}

export function linesOf(
  start: Position,
  tree: readonly Condition[],
  path: Path = [],
): ConditionLine[] {
  return tree.flatMap(({ reply, answer, then }) => {
    const replied = start.playTurn(reply);
    const line = {
      path,
      reply,
      replySan: start.describe(reply).san,
      answerSan: replied.describe(answer).san,
    };
    return [line, ...linesOf(replied.playTurn(answer), then ?? [], [...path, reply])];
  });
}
