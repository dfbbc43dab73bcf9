/**
 * The public types of the board. It knows squares, men with a colour and an opaque role, and the
 * steps its owner allows. Only the owner knows why a step is legal and what it does.
 */

export const FILES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const;
export const RANKS = ['1', '2', '3', '4', '5', '6', '7', '8'] as const;

export type File = (typeof FILES)[number];
export type Rank = (typeof RANKS)[number];
export type Square = `${File}${Rank}`;
export type Color = 'white' | 'black';
/** The kind of a man: a name that only the owner understands. */
export type Role = string;

export interface BoardPiece {
  readonly color: Color;
  readonly role: Role;
}

/** One displacement the owner allows. */
export interface BoardStep {
  readonly from: Square;
  /** The same as `from` for a man that takes without moving. */
  readonly to: Square;
  /** The role that the man becomes. Steps that share `from` and `to` are offered as a choice; `null` among
   *  them is the choice to stay what it is. */
  readonly promotion: Role | null;
  /** The squares whose men disappear; ringed before the step is played. */
  readonly takes: readonly Square[];
  /** The owner's own name for the step. The board only compares it and hands it back. */
  readonly text: string;
  /** Other squares that mean this step when the man is dropped there (castling: the rook's). */
  readonly alsoTo?: readonly Square[] | undefined;
}

/** How an arrow or circle looks: by the keys held while it was drawn, or `chain` for a turn under way. */
export const BRUSHES = ['plain', 'shift', 'alt', 'shift-alt', 'chain'] as const;
export type Brush = (typeof BRUSHES)[number];

/** An arrow, or a circle where both squares are the same; or a bare line, or a dot. */
export interface BoardDrawing {
  readonly from: Square;
  readonly to: Square;
  readonly brush: Brush;
  readonly shape?: 'line' | 'dot';
}

/** What a label says of a square in addition to its name and its man. */
export interface SquareMarks {
  /** The man here is the one in hand. */
  readonly selected: boolean;
  /** The man in hand can be dropped here. */
  readonly target: boolean;
  /** The squares of the men that dropping the man in hand here would take. */
  readonly takes: readonly Square[];
  /** The man here can take without moving, when activated once more. */
  readonly inPlace: boolean;
  /** The man in hand can take the man here by going elsewhere. */
  readonly endangered: boolean;
  /** The man here would be taken by the step now pointed at. */
  readonly taken: boolean;
  readonly lastMove: boolean;
  /** A man was taken here by the last turn, and none stands here now. */
  readonly lastTaken: boolean;
  readonly check: boolean;
  /** The turn under way went through this square. */
  readonly pending: boolean;
  /** The man here must go on. */
  readonly mustContinue: boolean;
  /** The man here was touched, which may oblige its player to move it. */
  readonly touched: boolean;
  /** The square belongs to a turn planned for later. */
  readonly planned: boolean;
}

/** All texts of the board. */
export interface BoardLabels {
  /** The name of the whole board. */
  board(orientation: Color): string;
  square(square: Square, piece: BoardPiece | null, marks: SquareMarks): string;
  /** Said when a man is taken in hand; `targets` are the squares where it can go. */
  selected(square: Square, piece: BoardPiece, targets: readonly Square[]): string;
  /** Said when the man in hand is let go without a step. */
  deselected: string;
  promotionTitle: string;
  /** `null`: the man stays what it is. */
  promotion(role: Role | null): string;
  cancel: string;
}

export interface BoardProps {
  readonly pieces: ReadonlyMap<Square, BoardPiece>;
  /** Whose first rank is at the bottom. */
  readonly orientation: Color;
  /** Whose men can be taken in hand. */
  readonly movable: Color | 'both' | null;
  readonly steps: readonly BoardStep[];
  readonly lastMove: readonly Square[];
  /** Where the last turn took men. */
  readonly lastTaken?: readonly Square[] | undefined;
  readonly check: readonly Square[];
  /** The squares through which the turn under way has gone, in order, its first square included. */
  readonly pending: readonly Square[];
  /** The only man that may move now; it is taken in hand by itself. */
  readonly mustContinue: Square | null;
  readonly pieceUrl: (color: Color, role: Role) => string;
  readonly labels: BoardLabels;
  /** Called with a step out of `steps`. New `pieces` are best given before this returns. */
  readonly onstep: (step: BoardStep) => void;
  /** Called when a man of either side is picked up, pressed or activated, before anything follows. */
  readonly ontouch?: ((square: Square) => void) | undefined;
  /** Called when a square is pressed (`main`), drawn on (`second`) or Escape is pressed on it (`escape`),
   *  before the board acts; the answer `true` keeps the board from acting. */
  readonly onpress?: ((square: Square, how: 'main' | 'second' | 'escape') => boolean) | undefined;
  /** Called when the man in hand was put where it cannot go, or when one was taken in hand that cannot move (`to` is null). */
  readonly onrefuse?: ((from: Square, to: Square | null) => void) | undefined;
  /** Called when the pointer or the keyboard comes to another square, or leaves the board. */
  readonly onaim?: ((square: Square | null) => void) | undefined;
  /** Called when another man, or none, is in hand. */
  readonly onselect?: ((square: Square | null) => void) | undefined;
  /** Whether files and ranks are written inside the edge squares. Default: true. */
  readonly coordinates?: boolean | undefined;
  /** How long men glide and taken men fade. Default: 200; 0 where less motion is asked for. */
  readonly animationMs?: number | undefined;
  /** The board can be read and drawn on, but nothing can be taken in hand. Default: false. */
  readonly disabled?: boolean | undefined;
  /** Spoken politely whenever it changes. */
  readonly announcement?: string | undefined;
  /** Men that were touched; marked until the owner forgets them. */
  readonly touched?: readonly Square[] | undefined;
  /** The squares of a turn planned for later. */
  readonly planned?: readonly Square[] | undefined;
  /** Men that lie on their side. */
  readonly fallen?: readonly Square[] | undefined;
  /** Whether the squares where the man in hand can go are marked. Default: true. */
  readonly hints?: boolean | undefined;
  /** Arrows and circles of the owner, under those the user draws. */
  readonly drawings?: readonly BoardDrawing[] | undefined;
}
