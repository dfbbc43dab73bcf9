/** Marks that the visitor can set, by their numbers in PGN (NAGs). */
export const turnMarks = [
  { nag: 1, sign: '!', name: 'good' },
  { nag: 2, sign: '?', name: 'mistake' },
  { nag: 3, sign: '!!', name: 'brilliant' },
  { nag: 4, sign: '??', name: 'blunder' },
  { nag: 5, sign: '!?', name: 'interesting' },
  { nag: 6, sign: '?!', name: 'dubious' },
] as const;

/** Other marks, which are displayed but cannot be set here. */
const others: ReadonlyMap<number, string> = new Map([
  [7, '□'],
  [10, '='],
  [13, '∞'],
  [14, '⩲'],
  [15, '⩱'],
  [16, '±'],
  [17, '∓'],
  [18, '+−'],
  [19, '−+'],
  [22, '⨀'],
  [26, '○'],
  [32, '⟳'],
  [36, '↑'],
  [40, '→'],
  [44, '=∞'],
  [132, '⇆'],
  [138, '⨁'],
  [140, '∆'],
  [142, '⌓'],
  [145, 'RR'],
  [146, 'N'],
]);

/** Returns the sign of a mark, or its number if it has no sign. */
export function signOf(nag: number): string {
  return turnMarks.find((mark) => mark.nag === nag)?.sign ?? others.get(nag) ?? `$${nag}`;
}

/** Returns a comment without commands for programs, such as `[%clk 0:05:00]`. */
export function commentText(comment: string): string {
  return comment.replace(/\[%[^\]]*\]/g, '').trim();
}
