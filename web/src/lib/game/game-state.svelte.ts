import type { Command, Connection } from '../socket';
import type {
  ClientMessage,
  Color,
  Condition,
  Game,
  GameEvent,
  MatchState,
  Obligation,
} from '../api';
import type { Position, Rules, StepView } from '../rules';
import { refusalOf, type Refusal } from '../refusal';
import { uuid } from '../uuid';
import { isVariant, type Variant } from '../variants';
import { applied } from './apply';
import { allowedSteps } from './obligation';
import { carriedOut, Foresight } from './plan';
import { GameRecord, type PlayedTurn } from './record';

/** A turn of ours that the server has not yet answered. */
interface PendingTurn {
  /** None as long as the visitor has not confirmed it. */
  readonly command: string | null;
  readonly turn: string;
  /** How many turns had been played before it. */
  readonly ply: number;
}

/** A step of a turn that is not over, and the position after it. */
interface ChainStep {
  readonly step: StepView;
  readonly after: Position;
}

/** What the two players can propose to each other. */
export const proposals = ['draw', 'takeback', 'rematch'] as const;
export type Proposal = (typeof proposals)[number];

/** Something that happened, for whoever announces it. */
export type Happening =
  | { type: 'turn'; turn: PlayedTurn; before: Position }
  | { type: 'joined' }
  | { type: 'proposed'; what: Proposal }
  | { type: 'declined'; what: Proposal }
  | { type: 'taken-back'; plies: number }
  | { type: 'time-given'; by: Color; ms: number }
  | { type: 'touched'; by: Color; square: string; obligation: Obligation | null }
  | { type: 'adjusted'; by: Color }
  | { type: 'interrupted'; ms: number }
  | { type: 'plan-dropped' }
  | { type: 'rematch'; next: string }
  | { type: 'ended' };

/** The commands that say all by their name. */
export type Plain = Exclude<
  Command['type'],
  'play' | 'touch' | 'adjust' | 'set-conditions' | 'chat' | 'report-chat'
>;

export interface Options {
  rules: Rules;
  send(command: Command): void;
  happened?: (happening: Happening) => void;
  /** Whether a turn is sent only after the visitor has said so once more. */
  confirms?: () => boolean;
  /** Time in which the only continuation of a chain can be seen before it is played. */
  forcedDelayMs?: number;
}

const defaultForcedDelayMs = 350;

/**
 * A game as the page shows it: what the server has said, the turn sent and not yet answered, the
 * steps of a chain not yet sent, the turn planned for later, and the place in the game being looked
 * at.
 */
export class GameState {
  #options: Options;
  #game: Game = $state.raw() as Game;
  #record: GameRecord = $state.raw() as GameRecord;
  #pending: PendingTurn | null = $state.raw(null);
  /** The steps of the chain under way, none of them sent. */
  #chain: readonly ChainStep[] = $state.raw([]);
  #plan: readonly StepView[] = $state.raw([]);
  #cursor: number | null = $state.raw(null);
  #forced: ReturnType<typeof setTimeout> | undefined;
  /** Touches sent and not yet answered, by command. */
  #touching = new Map<string, string>();
  readonly #foresight = $derived.by(() => new Foresight(this.#record.last));

  readonly variant: Variant;
  connection: Connection = $state('connecting');
  notice: Refusal | null = $state.raw(null);
  /** What the other side has just declined. */
  declined: Proposal | null = $state.raw(null);
  /** For how long the server was last down in this game. */
  interruptedMs: number | null = $state.raw(null);

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
    return this.#pending !== null && this.#pending.command !== null;
  }

  /** Whether a turn waits for the visitor's word before it is sent. */
  get isConfirming(): boolean {
    return this.#pending !== null && this.#pending.command === null;
  }

  get you(): Color | null {
    return this.#game.you;
  }

  get opponent(): Color | null {
    return this.you === null ? null : this.you === 'white' ? 'black' : 'white';
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

  /** The steps that may be played now, by the rules and by what was touched. */
  get steps(): readonly StepView[] {
    return this.canPlay ? allowedSteps(this.shown, this.chain, this.#game.touch.obligation) : [];
  }

  /** Whether the side to move is the visitor's, wherever they are looking. */
  get isYourTurn(): boolean {
    return this.isPlaying && this.#record.last.view.turn === this.#game.you;
  }

  /** The steps of a chain that have been played and not sent. */
  get chain(): readonly StepView[] {
    return this.#chain.map(({ step }) => step);
  }

  /** Whether steps of a chain may be undone: released in a game with touch-move, they stand (C15). */
  get canUndo(): boolean {
    return this.#chain.length > 0 && !this.#game.touchMove;
  }

  get shownTurn(): PlayedTurn | null {
    return this.#record.turns[this.ply - 1] ?? null;
  }

  /** The steps planned for when it is the visitor's turn. */
  get plan(): readonly StepView[] {
    return this.#plan;
  }

  /** Whether the visitor may plan a turn now. */
  get canPlan(): boolean {
    return (
      this.isLive &&
      this.isPlaying &&
      !this.isConfirming &&
      this.#game.you !== null &&
      this.#record.last.view.turn !== this.#game.you
    );
  }

  /** The steps that may be planned next. */
  get planSteps(): readonly StepView[] {
    return this.canPlan ? this.#foresight.steps(this.#plan) : [];
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
        this.#offer(turn);
        return null;
      } catch (error) {
        refusal ??= refusalOf(error);
      }
    }
    return refusal;
  }

  /** Sends the turn that waits for it. */
  confirm(): void {
    const pending = this.#pending;
    if (pending === null || pending.command !== null) return;
    this.#dispatch(pending.turn, pending.ply);
  }

  /** Takes the turn back that waits to be confirmed. */
  reconsider(): void {
    if (this.isConfirming) this.#rollBack();
  }

  undoStep(): void {
    if (!this.canUndo) return;
    clearTimeout(this.#forced);
    this.#chain = this.#chain.slice(0, -1);
  }

  undoChain(): void {
    if (this.canUndo) this.#dropChain();
  }

  /** Adds a step to the planned turn. */
  planStep(step: StepView): void {
    if (this.canPlan) this.#plan = [...this.#plan, step];
  }

  dropPlan(): void {
    if (this.#plan.length > 0) this.#plan = [];
  }

  /** A man was picked up or pressed: the server is told where that binds (C13). */
  touch(square: string): void {
    const { touchMove, touch } = this.#game;
    if (!touchMove || !this.canPlay || this.#chain.length > 0) return;
    if (touch.squares.includes(square) || [...this.#touching.values()].includes(square)) return;
    const command = uuid();
    this.#touching.set(command, square);
    this.#options.send({ type: 'touch', command, version: this.#game.version, square });
  }

  /** Whether *J'adoube* may be said now (C14). */
  get canAdjust(): boolean {
    return (
      this.#game.touchMove &&
      this.isYourTurn &&
      this.#pending === null &&
      this.#chain.length === 0 &&
      !this.#game.touch.adjusting
    );
  }

  adjust(): void {
    if (!this.canAdjust) return;
    this.#options.send({ type: 'adjust', command: uuid(), version: this.#game.version });
  }

  ask(type: Plain): void {
    this.#options.send({ type, command: uuid() } as Extract<ClientMessage, { type: Plain }>);
  }

  setConditions(tree: Condition[]): void {
    const { version } = this.#game;
    this.#options.send({ type: 'set-conditions', command: uuid(), version, tree });
  }

  goTo(ply: number): void {
    // A chain that was begun with a released step is not taken back by looking elsewhere.
    if (this.#chain.length > 0 && !this.canUndo) return;
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
    this.#touching.clear();
    this.#take(game);
    if (this.#record.turns.length <= before) return;
    this.#tellLast();
    this.#carryOut();
  }

  event(event: GameEvent, version: number, at: number): void {
    const offeredDraw = this.#game.drawOffer;
    this.#game = { ...applied(this.#game, event, at, this.#mover), version };
    switch (event.type) {
      case 'joined':
        this.#tell({ type: 'joined' });
        break;
      case 'played':
        this.declined = null;
        this.#touching.clear();
        this.#played(event.turn);
        break;
      case 'draw-offered':
        this.#proposed('draw', event.color);
        break;
      case 'draw-declined':
        if (offeredDraw === this.you) this.#wasDeclined('draw');
        break;
      case 'takeback-proposed':
        this.#proposed('takeback', event.color);
        break;
      case 'takeback-declined':
        if (event.color !== this.you) this.#wasDeclined('takeback');
        break;
      case 'taken-back':
        this.#dropChain();
        this.dropPlan();
        this.#touching.clear();
        this.declined = null;
        this.#rollBack();
        this.#cursor = null;
        this.#tell({ type: 'taken-back', plies: event.plies });
        break;
      case 'time-given':
        this.#tell({ type: 'time-given', by: event.color, ms: event.ms });
        break;
      case 'touched': {
        const { color: by, square, obligation } = event;
        for (const [command, sent] of this.#touching)
          if (sent === square) this.#touching.delete(command);
        this.#tell({ type: 'touched', by, square, obligation });
        break;
      }
      case 'adjusted':
        this.#tell({ type: 'adjusted', by: event.color });
        break;
      case 'interrupted':
        this.interruptedMs = event.until - event.from;
        this.#tell({ type: 'interrupted', ms: this.interruptedMs });
        break;
      case 'ended':
        this.#dropChain();
        this.dropPlan();
        if (this.isConfirming) this.#rollBack();
        this.#tell({ type: 'ended' });
        break;
      case 'rematch-offered':
        this.#proposed('rematch', event.color);
        break;
      case 'rematch-declined':
        if (event.color !== this.you) this.#wasDeclined('rematch');
        break;
      case 'rematch-accepted':
        this.#tell({ type: 'rematch', next: event.next });
        break;
      case 'conditions-set':
      case 'hidden':
        break;
    }
  }

  matchStands(match: MatchState): void {
    this.#game = { ...this.#game, match };
  }

  refused(command: string | null, code: string, args: Record<string, string>): void {
    // A touch comes unasked: that it bound nobody, or came too late, is no news.
    if (command !== null && this.#touching.delete(command)) return;
    this.notice = { code, args };
    if (command !== null && command === this.#pending?.command) this.#rollBack();
  }

  // Within.

  /** The side to move as far as the server has said. */
  get #mover(): Color {
    const first = this.#record.initial.view.turn;
    const second = first === 'white' ? 'black' : 'white';
    return this.#game.turns.length % 2 === 0 ? first : second;
  }

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
    const turns = this.#pending ? [...game.turns, this.#pending.turn] : game.turns;
    this.#record = GameRecord.replay(this.#options.rules, this.variant, game.initialFen, turns);
    if (this.#pending) return;
    this.#dropChain();
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
    this.#carryOut();
  }

  #step(step: StepView): void {
    const after = this.shown.play(step.text);
    if (after.view.chain === null) {
      this.#dropChain();
      this.#offer(after.under);
      return;
    }
    this.#chain = [...this.#chain, { step, after }];
    this.#goOnIfForced(after);
  }

  #goOnIfForced(position: Position): void {
    const [only, another] = position.view.steps;
    if (!only || another) return;
    this.#forced = setTimeout(
      () => this.#step(only),
      this.#options.forcedDelayMs ?? defaultForcedDelayMs,
    );
  }

  /** Plays the planned turn if it is legal now, and forgets it in any case. */
  #carryOut(): void {
    const planned = this.#plan;
    if (planned.length === 0 || !this.isYourTurn) return;
    this.#plan = [];
    const played = carriedOut(this.#record.last, planned);
    const last = played?.at(-1)?.after;
    if (!played || !last) {
      this.#tell({ type: 'plan-dropped' });
    } else if (last.view.chain === null) {
      this.#show(last.under);
      this.#dispatch(last.under, this.#game.turns.length);
    } else {
      this.#cursor = null;
      this.#chain = played;
      this.#goOnIfForced(last);
    }
  }

  /** Shows a turn of ours, and sends it unless the visitor wants to be asked. */
  #offer(turn: string): void {
    const ply = this.#record.turns.length;
    this.#show(turn);
    if (this.#options.confirms?.()) this.#pending = { command: null, turn, ply };
    else this.#dispatch(turn, ply);
  }

  #show(turn: string): void {
    this.notice = null;
    this.#record = this.#record.playing(turn);
    this.#cursor = null;
    this.#tellLast();
  }

  #dispatch(turn: string, ply: number): void {
    const command = uuid();
    this.#pending = { command, turn, ply };
    this.#options.send({ type: 'play', command, version: this.#game.version, turn });
  }

  /** The server's turns without ours. */
  #rollBack(): void {
    this.#pending = null;
    const { initialFen, turns } = this.#game;
    this.#record = GameRecord.replay(this.#options.rules, this.variant, initialFen, turns);
    this.dropPlan();
    this.#keepCursor();
  }

  #dropChain(): void {
    clearTimeout(this.#forced);
    if (this.#chain.length > 0) this.#chain = [];
  }

  #keepCursor(): void {
    if (this.#cursor !== null && this.#cursor >= this.#record.turns.length) this.#cursor = null;
  }

  #proposed(what: Proposal, by: Color): void {
    if (this.declined === what) this.declined = null;
    if (by !== this.you) this.#tell({ type: 'proposed', what });
  }

  #wasDeclined(what: Proposal): void {
    if (this.you === null) return;
    this.declined = what;
    this.#tell({ type: 'declined', what });
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
