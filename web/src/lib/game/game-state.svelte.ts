import type { Refusal } from '../refusal';
import { refusalOf } from '../refusal';
import type { Position, Rules, StepView } from '../rules';
import type { Command, Connection } from '../socket';
import { uuid } from '../uuid';
import { isVariant, type Variant } from '../variants';
import type { Color, Game, GameEvent } from '../api';
import { GameRecord, type PlayedTurn } from './record';

/** A turn of ours that the server has not yet answered. */
interface PendingTurn {
  readonly command: string;
  readonly turn: string;
  /** How many turns had been played before it. */
  readonly ply: number;
}

/** A step of a turn that is not over, and the position after it. */
interface ChainStep {
  readonly step: StepView;
  readonly after: Position;
}

/** Something that happened, for whoever announces it. */
export type Happening =
  | { type: 'turn'; turn: PlayedTurn; before: Position }
  | { type: 'joined' }
  | { type: 'draw-offered' }
  | { type: 'draw-declined' }
  | { type: 'ended' };

export interface Options {
  rules: Rules;
  send(command: Command): void;
  happened?: (happening: Happening) => void;
  /** Time in which the only continuation of a chain can be seen before it is played. */
  forcedDelayMs?: number;
}

const defaultForcedDelayMs = 350;

/**
 * A game as the page shows it: what the server has said, the turn sent and not yet answered, the
 * steps of a chain not yet sent, and the place in the game being looked at.
 */
export class GameState {
  #options: Options;
  #game: Game = $state.raw() as Game;
  #record: GameRecord = $state.raw() as GameRecord;
  #pending: PendingTurn | null = $state.raw(null);
  /** The steps of the chain under way, none of them sent. */
  #chain: readonly ChainStep[] = $state.raw([]);
  #cursor: number | null = $state.raw(null);
  #forced: ReturnType<typeof setTimeout> | undefined;

  readonly variant: Variant;
  connection: Connection = $state('connecting');
  notice: Refusal | null = $state.raw(null);
  declined = $state(false);

  constructor(game: Game, options: Options) {
    if (!isVariant(game.variant)) throw new TypeError(`unknown variant ${game.variant}`);
    this.#options = options;
    this.variant = game.variant;
    this.#take(game);
  }

  get game(): Game {
    return this.#game;
  }

  /** The game with our unanswered turn, which is shown as if it had been accepted. */
  get record(): GameRecord {
    return this.#record;
  }

  get ply(): number {
    return this.#cursor ?? this.#record.turns.length;
  }

  get isLive(): boolean {
    return this.#cursor === null;
  }

  get isSending(): boolean {
    return this.#pending !== null;
  }

  get you(): Color | null {
    return this.#game.you;
  }

  get isPlaying(): boolean {
    return this.#game.status.type === 'playing';
  }

  /** The position on the board. */
  get shown(): Position {
    return this.isLive
      ? (this.#chain.at(-1)?.after ?? this.#record.last)
      : this.#record.at(this.ply);
  }

  /** Whether the visitor may play a step now. */
  get canPlay(): boolean {
    return (
      this.isLive &&
      this.isPlaying &&
      this.#pending === null &&
      this.#game.you !== null &&
      this.shown.view.turn === this.#game.you
    );
  }

  /** Whether the side to move is the visitor's, wherever they are looking. */
  get isYourTurn(): boolean {
    return this.isPlaying && this.#record.last.view.turn === this.#game.you;
  }

  /** The steps of a chain that have been played and not sent. */
  get chain(): readonly StepView[] {
    return this.#chain.map(({ step }) => step);
  }

  get shownTurn(): PlayedTurn | null {
    return this.#record.turns[this.ply - 1] ?? null;
  }

  // What the visitor does.

  play(step: StepView): void {
    if (!this.canPlay) return;
    this.notice = null;
    this.#step(step);
  }

  /**
   * Plays what was typed, as a whole turn; returns why not. The text comes in the ways it may be
   * meant, the likeliest first.
   */
  playText(readings: readonly string[]): Refusal | null {
    if (!this.isYourTurn || this.#pending) return { code: 'not-your-turn', args: {} };
    let refusal: Refusal | null = null;
    for (const reading of readings) {
      try {
        const turn = this.#record.last.readTurn(reading);
        this.#dropChain();
        this.#send(turn);
        return null;
      } catch (error) {
        refusal ??= refusalOf(error);
      }
    }
    return refusal;
  }

  undoStep(): void {
    clearTimeout(this.#forced);
    this.#chain = this.#chain.slice(0, -1);
  }

  undoChain(): void {
    this.#dropChain();
  }

  resign(): void {
    this.#options.send({ type: 'resign', command: uuid() });
  }

  offerDraw(): void {
    this.#options.send({ type: 'offer-draw', command: uuid() });
  }

  answerDraw(accepts: boolean): void {
    this.#options.send({ type: accepts ? 'accept-draw' : 'decline-draw', command: uuid() });
  }

  goTo(ply: number): void {
    const last = this.#record.turns.length;
    this.#dropChain();
    this.#cursor = ply >= last ? null : Math.max(ply, 0);
  }

  /** Stops what is under way; the page is being left. */
  leave(): void {
    this.#dropChain();
  }

  // What the server says.

  snapshot(game: Game): void {
    const before = this.#record.turns.length;
    this.#take(game);
    if (this.#record.turns.length > before) this.#tellLast();
  }

  event(event: GameEvent, version: number): void {
    const game = { ...this.#game, version };
    switch (event.type) {
      case 'joined': {
        const players = { ...game.players, [event.color]: event.seat };
        const open = [players.white, players.black].some((seat) => seat.type === 'open');
        this.#game = { ...game, players, status: open ? game.status : { type: 'playing' } };
        this.#tell({ type: 'joined' });
        break;
      }
      case 'played': {
        // The turn answers an offer of the other side by declining it.
        const drawOffer = game.drawOffer === event.color ? game.drawOffer : null;
        this.#game = { ...game, turns: [...game.turns, event.turn], drawOffer };
        this.declined = false;
        this.#played(event.turn);
        break;
      }
      case 'draw-offered':
        this.#game = { ...game, drawOffer: event.color };
        this.declined = false;
        if (event.color !== game.you) this.#tell({ type: 'draw-offered' });
        break;
      case 'draw-declined':
        this.declined = game.drawOffer === game.you && game.you !== null;
        this.#game = { ...game, drawOffer: null };
        if (this.declined) this.#tell({ type: 'draw-declined' });
        break;
      case 'ended': {
        const { result, reason } = event;
        this.#game = { ...game, drawOffer: null, status: { type: 'over', result, reason } };
        this.#dropChain();
        this.#tell({ type: 'ended' });
        break;
      }
    }
  }

  refused(command: string | null, code: string, args: Record<string, string>): void {
    this.notice = { code, args };
    if (command !== null && command === this.#pending?.command) this.#rollBack();
  }

  // Within.

  #take(game: Game): void {
    this.#game = game;
    const pending = this.#pending;
    const answered = pending !== null && game.turns.length > pending.ply;
    if (answered || game.status.type !== 'playing') this.#pending = null;
    const same =
      this.#record !== undefined &&
      game.turns.length === this.#record.turns.length &&
      game.turns.every((turn, index) => this.#record.turns[index]?.text === turn);
    if (same) return;
    if (this.#pending) {
      const turns = [...game.turns, this.#pending.turn];
      this.#record = GameRecord.replay(this.#options.rules, this.variant, game.initialFen, turns);
      return;
    }
    this.#dropChain();
    this.#record = GameRecord.replay(
      this.#options.rules,
      this.variant,
      game.initialFen,
      game.turns,
    );
    this.#keepCursor();
  }

  #played(turn: string): void {
    const pending = this.#pending;
    this.#pending = null;
    if (pending?.turn === turn) return;
    this.#dropChain();
    // The server's turns already hold this one.
    if (pending) this.#rollBack();
    else this.#record = this.#record.playing(turn);
    this.#tellLast();
  }

  #step(step: StepView): void {
    const after = this.shown.play(step.text);
    if (after.view.chain === null) {
      this.#dropChain();
      this.#send(after.under);
      return;
    }
    this.#chain = [...this.#chain, { step, after }];
    const [only, another] = after.view.steps;
    if (!only || another) return;
    this.#forced = setTimeout(
      () => this.#step(only),
      this.#options.forcedDelayMs ?? defaultForcedDelayMs,
    );
  }

  #send(turn: string): void {
    const command = uuid();
    this.notice = null;
    this.#pending = { command, turn, ply: this.#record.turns.length };
    this.#record = this.#record.playing(turn);
    this.#cursor = null;
    this.#tellLast();
    this.#options.send({ type: 'play', command, version: this.#game.version, turn });
  }

  /** The server's turns without ours. */
  #rollBack(): void {
    this.#pending = null;
    const { initialFen, turns } = this.#game;
    this.#record = GameRecord.replay(this.#options.rules, this.variant, initialFen, turns);
    this.#keepCursor();
  }

  #dropChain(): void {
    clearTimeout(this.#forced);
    if (this.#chain.length > 0) this.#chain = [];
  }

  #keepCursor(): void {
    if (this.#cursor !== null && this.#cursor >= this.#record.turns.length) this.#cursor = null;
  }

  #tellLast(): void {
    const turn = this.#record.turns.at(-1);
    const before = this.#record.at(this.#record.turns.length - 1);
    if (turn) this.#tell({ type: 'turn', turn, before });
  }

  #tell(happening: Happening): void {
    this.#options.happened?.(happening);
  }
}
