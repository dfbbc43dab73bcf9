/** The lines in which a composer gives the solution: each from the first turn on. */
export type Lines = readonly (readonly string[])[];

const begins = (line: readonly string[], start: readonly string[]): boolean =>
  start.length <= line.length && start.every((turn, index) => turn === line[index]);

/** Returns the lines with one more: it extends the line that it continues, and nothing is added if it is known. */
export function withLine(lines: Lines, played: readonly string[]): Lines {
  if (played.length === 0 || lines.some((line) => begins(line, played))) return lines;
  const grown = lines.findIndex((line) => begins(played, line));
  return grown === -1
    ? [...lines, played]
    : lines.map((line, index) => (index === grown ? played : line));
}

/** The lines without one, whole. */
export const withoutLine = (lines: Lines, index: number): Lines =>
  lines.filter((_, each) => each !== index);
