import type { InfoView } from '../analysis-types';

/**
 * The lines found, the best one first, with one more of them heard.
 *
 * The others are those of the depth before until they are heard of, too. What stood in another place and begins with the same turn
 * gives way to what stood here, so that no turn is shown twice and none is lost.
 */
export function withLine(lines: readonly InfoView[], heard: InfoView): readonly InfoView[] {
  const here = heard.line - 1;
  const first = (info: InfoView | undefined): string | undefined => info?.pv[0]?.text;
  const before = lines[here];
  const other = lines.findIndex((info, at) => at !== here && first(info) === first(heard));
  const next = [...lines];
  if (other >= 0 && before !== undefined) next[other] = { ...before, line: other + 1 };
  next[here] = heard;
  return next;
}
