/**
 * Public types of the board. The board knows about squares, pieces with a colour and an opaque
 * role, and the steps that its owner allows. Only the owner knows why a step is legal and what it
 * does.
 */

export const FILES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const;
export const RANKS = ['1', '2', '3', '4', '5', '6', '7', '8'] as const;

export type File = (typeof FILES)[number];
export type Rank = (typeof RANKS)[number];
export type Square = `${File}${Rank}`;
export type Color = 'white' | 'black';
/**
 * How a square is pressed: `primary` with a finger, the primary mouse button or the keyboard;
 * `secondary` with the secondary mouse button or Ctrl-click; `escape` with the Escape key.
 */
export type PressType = 'primary' | 'secondary' | 'escape';
/** The kind of piece; opaque to the board. */
export type Role = string;

export interface BoardPiece {
  readonly color: Color;
  readonly role: Role;
}

/** One move of a piece that the owner allows. */
export interface BoardStep {
  readonly from: Square;
  /** Equal to `from` for a piece that captures without moving. */
  readonly to: Square;
  /**
   * The role that the piece is promoted to. Steps with the same `from` and `to` are offered as a
   * choice, in which `null` means no promotion.
   */
  readonly promotion: Role | null;
  /** Squares whose pieces are captured; ringed before the step is played. */
  readonly takes: readonly Square[];
  /** Opaque identifier of the step. The board only compares it and passes it back. */
  readonly text: string;
  /**
   * Other squares that also play this step when they are chosen as the destination, such as the
   * rook's square for castling.
   */
  readonly alsoTo?: readonly Square[] | undefined;
}

/**
 * Style of an arrow or circle, selected by the keys held while drawing; `chain` for an unfinished
 * turn.
 */
export const BRUSHES = ['plain', 'shift', 'alt', 'shift-alt', 'chain'] as const;
export type Brush = (typeof BRUSHES)[number];

/** An arrow (a circle if both squares are equal), a dashed line, or a dot. */
export interface BoardDrawing {
  readonly from: Square;
  readonly to: Square;
  readonly brush: Brush;
  readonly shape?: 'line' | 'dot';
}

/** The state of a square apart from its piece, shown by marks and included in its label. */
export interface SquareMarks {
  /** The piece here is selected. */
  readonly selected: boolean;
  /** The selected piece can go here. */
  readonly target: boolean;
  /** Squares of the pieces that the selected piece would capture by going here. */
  readonly takes: readonly Square[];
  /** The piece here can capture without moving when it is activated again. */
  readonly inPlace: boolean;
  /** The selected piece can capture the piece here by going elsewhere. */
  readonly endangered: boolean;
  /** The piece here would be captured by the step to the square that the user is aiming at. */
  readonly taken: boolean;
  readonly lastMove: boolean;
  /** The last turn captured a piece here, and the square is empty now. */
  readonly lastTaken: boolean;
  readonly check: boolean;
  /** The unfinished turn passed through this square. */
  readonly pending: boolean;
  /** The piece here must continue. */
  readonly mustContinue: boolean;
  /** The piece here was touched; the side to move may have to move or capture it. */
  readonly touched: boolean;
  /** The piece here was touched and must be moved or captured. */
  readonly binding: boolean;
  /** The square belongs to a planned turn. */
  readonly planned: boolean;
}

/** The strings that the board shows or announces. */
export interface BoardLabels {
  /** Returns the name of the whole board. */
  board(orientation: Color): string;
  square(square: Square, piece: BoardPiece | null, marks: SquareMarks): string;
  /** Returns the announcement for a selected piece; `targets` are the squares where it can go. */
  selected(square: Square, piece: BoardPiece, targets: readonly Square[]): string;
  /** Announced when a piece is deselected without a step. */
  deselected: string;
  promotionTitle: string;
  /** Returns the name of the piece that a pawn becomes; a null `role` means no promotion. */
  promotion(role: Role | null, color: Color): string;
  cancel: string;
}

export interface BoardProps {
  readonly pieces: ReadonlyMap<Square, BoardPiece>;
  /** The side whose first rank is at the bottom. */
  readonly orientation: Color;
  /** The side whose pieces can be selected. */
  readonly movable: Color | 'both' | null;
  readonly steps: readonly BoardStep[];
  readonly lastMove: readonly Square[];
  /** Squares where the last turn captured pieces. */
  readonly lastTaken?: readonly Square[] | undefined;
  readonly check: readonly Square[];
  /** The squares of the unfinished turn in order, including the first. */
  readonly pending: readonly Square[];
  /** The only piece that may move now; it is selected automatically. */
  readonly mustContinue: Square | null;
  readonly pieceUrl: (color: Color, role: Role) => string;
  readonly labels: BoardLabels;
  /** Called with one of `steps`. Ideally the new `pieces` are passed before this returns. */
  readonly onstep: (step: BoardStep) => void;
  /** Called when a piece of either side is pressed or activated, before `onpress`. */
  readonly ontouch?: ((square: Square) => void) | undefined;
  /** Called before the board acts on a press; return `true` to prevent that. */
  readonly onpress?: ((square: Square, press: PressType) => boolean) | undefined;
  /**
   * Called when the user tries to move the selected piece where it cannot go, or selects a piece
   * that cannot move (`to` is null).
   */
  readonly onrefuse?: ((from: Square, to: Square | null) => void) | undefined;
  /**
   * Lets any piece be dragged anywhere, for an editor; called when one is dropped on another
   * square, or off the board (`to` is null). In this mode, a square counts as pressed (`onpress`)
   * only when the pointer is released on it, and `secondary` also stands for a long press with a
   * finger or pen on a piece.
   */
  readonly onrearrange?: ((from: Square, to: Square | null) => void) | undefined;
  /** Called when the pointer or the keyboard focus moves to another square, or leaves the board. */
  readonly onaim?: ((square: Square | null) => void) | undefined;
  /** Called when the selection changes. */
  readonly onselect?: ((square: Square | null) => void) | undefined;
  /** Whether files and ranks are written inside the edge squares. Default: true. */
  readonly coordinates?: boolean | undefined;
  /**
   * Duration of moves and captures in milliseconds. Default: 200. Always 0 if the user prefers
   * reduced motion.
   */
  readonly animationMs?: number | undefined;
  /** The board can be read and drawn on, but no piece can be selected. Default: false. */
  readonly disabled?: boolean | undefined;
  /** Announced politely whenever it changes. */
  readonly announcement?: string | undefined;
  /** Squares of touched pieces; marked until the owner removes them. */
  readonly touched?: readonly Square[] | undefined;
  /** Squares of touched pieces that must be moved or captured; their frame is heavier. */
  readonly binding?: readonly Square[] | undefined;
  /** Squares of a planned turn. */
  readonly planned?: readonly Square[] | undefined;
  /** Squares of pieces drawn on their side. */
  readonly fallen?: readonly Square[] | undefined;
  /** Whether the possible destinations of the selected piece are marked. Default: true. */
  readonly hints?: boolean | undefined;
  /** The owner's arrows and circles, drawn below the user's. */
  readonly drawings?: readonly BoardDrawing[] | undefined;
}
