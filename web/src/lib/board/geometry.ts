import { FILES, RANKS, type Color, type Square } from './types';

/** Position of a square on the screen: column 0 is on the left, row 0 at the top. */
export interface Cell {
  readonly column: number;
  readonly row: number;
}

/** A point measured in squares from the left and top edges; 0 to 8 on the board. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export const SQUARES: readonly Square[] = RANKS.flatMap((rank) =>
  FILES.map((file): Square => `${file}${rank}`),
);

export function squareNamed(name: string | undefined): Square | null {
  return SQUARES.find((square) => square === name) ?? null;
}

const SIZE = FILES.length;

export function cellOf(square: Square, orientation: Color): Cell {
  const file = square.charCodeAt(0) - 'a'.charCodeAt(0);
  const rank = square.charCodeAt(1) - '1'.charCodeAt(0);
  return orientation === 'white'
    ? { column: file, row: SIZE - 1 - rank }
    : { column: SIZE - 1 - file, row: rank };
}

export function squareAt({ column, row }: Cell, orientation: Color): Square | null {
  const white = orientation === 'white';
  const file = FILES[white ? column : SIZE - 1 - column];
  const rank = RANKS[white ? SIZE - 1 - row : row];
  return file !== undefined && rank !== undefined ? `${file}${rank}` : null;
}

export function squareUnder({ x, y }: Point, orientation: Color): Square | null {
  return squareAt({ column: Math.floor(x), row: Math.floor(y) }, orientation);
}

/** Returns the squares in reading order: rows from the top, each from the left. */
export function rowsOf(orientation: Color): readonly (readonly Square[])[] {
  const inOrder = orientation === 'white' ? <T>(list: T[]) => list : <T>(l: T[]) => l.reverse();
  return inOrder([...RANKS])
    .reverse()
    .map((rank) => inOrder([...FILES]).map((file): Square => `${file}${rank}`));
}

export function isLight(square: Square): boolean {
  const { column, row } = cellOf(square, 'white');
  return (column + row) % 2 === 0;
}

export function centre(square: Square, orientation: Color): Point {
  const { column, row } = cellOf(square, orientation);
  return { x: column + 0.5, y: row + 0.5 };
}

export function distance(a: Square, b: Square): number {
  const from = cellOf(a, 'white');
  const to = cellOf(b, 'white');
  return Math.hypot(from.column - to.column, from.row - to.row);
}

/** Returns the square to which a key moves the focus; `null` for a key that does not move it. */
export function squareAfterKey(
  square: Square,
  key: string,
  wholeBoard: boolean,
  orientation: Color,
): Square | null {
  const { column, row } = cellOf(square, orientation);
  const last = SIZE - 1;
  const clamp = (n: number) => Math.max(0, Math.min(last, n));
  const to = (c: number, r: number) => squareAt({ column: clamp(c), row: clamp(r) }, orientation);
  switch (key) {
    case 'ArrowLeft':
      return to(column - 1, row);
    case 'ArrowRight':
      return to(column + 1, row);
    case 'ArrowUp':
      return to(column, row - 1);
    case 'ArrowDown':
      return to(column, row + 1);
    case 'PageUp':
      return to(column, 0);
    case 'PageDown':
      return to(column, last);
    case 'Home':
      return to(0, wholeBoard ? 0 : row);
    case 'End':
      return to(last, wholeBoard ? last : row);
    default:
      return null;
  }
}

export interface PickerPlace extends Cell {
  /** Whether the picker extends upwards from its row instead of downwards. */
  readonly upwards: boolean;
}

/**
 * Returns the place for a column of choices that starts at a square, or is shifted if it would
 * leave the board. The column has one row more than there are choices, for the cancel button.
 */
export function pickerPlace(square: Square, choices: number, orientation: Color): PickerPlace {
  const { column, row } = cellOf(square, orientation);
  const upwards = row >= SIZE / 2;
  const room = SIZE - 1 - choices;
  return {
    column,
    row: upwards ? Math.max(row, SIZE - 1 - room) : Math.min(row, Math.max(0, room)),
    upwards,
  };
}
