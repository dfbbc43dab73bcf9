import type { InfoView } from '../analysis-types';

/**
 * Returns the lines found, best first, updated with another line from the engine.
 *
 * Lines not yet reported at the new depth are kept from the previous one. If a line elsewhere in
 * the list begins with the same turn as the new one, the replaced line takes its place, so that no
 * turn appears twice or is lost.
 */
export function withLine(lines: readonly InfoView[], added: InfoView): readonly InfoView[] {
  const index = added.line - 1;
  const first = (info: InfoView | undefined): string | undefined => info?.pv[0]?.text;
  const before = lines[index];
  const other = lines.findIndex((info, at) => at !== index && first(info) === first(added));
  const next = [...lines];
  if (other >= 0 && before !== undefined) next[other] = { ...before, line: other + 1 };
  next[index] = added;
  return next;
}
