import type { InfoView } from '../analysis-types';

/** Returns the line, numbered by its place in the list. */
const numbered = (info: InfoView, at: number): InfoView =>
  info.line === at + 1 ? info : { ...info, line: at + 1 };

/**
 * Returns the lines found, best first, updated with another line from the engine.
 *
 * Lines not yet reported at the new depth are kept from the previous depth. If another line in the
 * list begins with the same turn as `added`, the line that `added` replaces moves there, so that no
 * turn appears twice or is lost. If `added` does not replace a line, that other line is removed,
 * and the lines below it move up.
 */
export function withLine(lines: readonly InfoView[], added: InfoView): readonly InfoView[] {
  const index = added.line - 1;
  const first = (info: InfoView | undefined): string | undefined => info?.pv[0]?.text;
  const before = lines[index];
  const isSame = (info: InfoView): boolean => first(info) === first(added);
  if (before === undefined) {
    return [...lines.filter((info) => !isSame(info)), added].map(numbered);
  }
  const other = lines.findIndex((info, at) => at !== index && isSame(info));
  const next = [...lines];
  if (other >= 0) next[other] = numbered(before, other);
  next[index] = added;
  return next;
}
