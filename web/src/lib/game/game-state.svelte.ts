import type { Command, Connection } from '../socket';
import type {
  ClientMessage,
  ClockState,
  Color,
  Condition,
  Game,
  GameEvent,
  GameResult,
  MatchState,
  Millis,
  Obligation,
} from '../api';
import type { Position, Rules, StepView } from '../rules';
import { refusalOf, type Refusal } from '../refusal';
import { uuid } from '../uuid';
import { isVariant, type Variant } from '../variants';
import { announcementOf, proposedBy, type Announcement, type Proposal } from './announcements';
import type { GameMirror, Mirrors } from './mirror';
import { PlannedTurn } from './planned-turn.svelte';
import { GameRecord, type PlayedTurn } from './record';
import { RecordCursor } from './record-cursor.svelte';
import { SentTouches } from './sent-touches';
import { TurnInProgress } from './turn-in-progress.svelte';
import { UnansweredTurn } from './unanswered-turn.svelte';

/** Commands without arguments. */
export type SimpleCommand = Exclude<
  Command['type'],
  'play' | 'touch' | 'adjust' | 'set-conditions' | 'chat' | 'report-chat'
>;

/** Acts whose availability depends on the state of the game. */
export type Act = SimpleCommand | 'adjust' | 'set-conditions';

export interface Options {
  rules: Rules;
  mirrors: Mirrors;
  send(command: Command): void;
  /** Requests a snapshot of the game, because an event did not fit the local state. */
  resync?: () => void;
  onannouncement?: (announcement: Announcement) => void;
  /** Whether the visitor must confirm a turn before it is sent. */
  confirms?: () => boolean;
  /** Current server time. */
  now?: () => Millis;
  /** Delay in milliseconds before the only continuation of a chain is played. */
  forcedDelayMs?: number;
}

const defaultForcedDelayMs = 350;

/**
 * State of a game page: a mirror of the server's game, the visitor's turn until the server
 * acknowledges it, the steps of an unfinished chain, the planned turn, and the ply on the board.
 */
export class GameState {
  readonly #options: Options;
  #mirror: GameMirror = $state.raw() as GameMirror;
  #game: Game = $state.raw() as Game;
  /** The turns, including our unacknowledged one, and the ply on the board. */
  readonly #cursor: RecordCursor;
  readonly #turn = new TurnInProgress(() => this.record.last);
  readonly #touches = new SentTouches();
  readonly #unanswered = new UnansweredTurn((turn) => this.#sendTurn(turn));
  readonly #plan = new PlannedTurn();
  #forced: ReturnType<typeof setTimeout> | undefined;

  readonly variant: Variant;
  connection: Connection = $state('connecting');
  notice: Refusal | null = $state.raw(null);
  /** The proposal that the opponent has just declined. */
  declined: Proposal | null = $state.raw(null);
  /** The last server downtime during this game, and the ply up to which it is shown. */
  #interruption: { readonly ms: number; readonly untilPly: number } | null = $state.raw(null);

  readonly #acts = $derived.by(
    () => new Map(this.#mirror.acts(this.#now()).map(({ act, ends }) => [act, ends])),
  );
  readonly #steps = $derived.by(() =>
    this.canPlay ? this.#mirror.allowed(this.#turn.text, this.shown.view.steps) : [],
  );

  constructor(game: Game, options: Options) {
    if (!isVariant(game.variant)) throw new TypeError(`unknown variant ${game.variant}`);
    this.#options = options;
    this.variant = game.variant;
    this.#follow(options.mirrors.of(game), game.at);
    this.#cursor = new RecordCursor(this.#replay(game.turns));
  }

  get game(): Game {
    return this.#game;
  }

  /** Returns the state of the clocks at an instant. */
  clock(now: Millis): ClockState | null {
    return this.#mirror.clock(now);
  }

  /**
   * Returns true if the visitor may perform an act now. For `claim-left`, assumes that the opponent
   * has been away for long enough.
   */
  may(act: Act): boolean {
    return this.#acts.has(act);
  }

  /**
   * Returns the result if a permitted act would end the game; otherwise null. Also null for
   * `claim-left`, whose result requires a search (C23).
   */
  resultOf(act: Act): GameResult | null {
    return this.#acts.get(act) ?? null;
  }

  /** The game including our unacknowledged turn, shown as if it had been accepted. */
  get record(): GameRecord {
    return this.#cursor.record;
  }

  get ply(): number {
    return this.#cursor.ply;
  }

  get isLive(): boolean {
    return this.#cursor.isLive;
  }

  get isSending(): boolean {
    return this.#unanswered.isSending;
  }

  /** Whether a turn is waiting for confirmation. */
  get isConfirming(): boolean {
    return this.#unanswered.isConfirming;
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
    return this.isLive ? this.#turn.position : this.#cursor.position;
  }

  /** Whether the visitor may play a step now. */
  get canPlay(): boolean {
    return this.isLive && this.#unanswered.isEmpty && this.isYourTurn;
  }

  /** The steps allowed now by the rules and by touched pieces. */
  get steps(): readonly StepView[] {
    return this.#steps;
  }

  /**
   * Returns the obligation that forbids a legal step from `from` to `to` (C13); null if there is
   * none. If the obligation forbids every legal step of the piece on `from`, it is returned for any
   * `to`. `to` is null for a question about the piece as a whole.
   */
  obligationAgainst(from: string, to: string | null): Obligation | null {
    const { obligation } = this.#game.touch;
    if (obligation === null || !this.canPlay) return null;
    const allowed = new Set(this.steps.map(({ text }) => text));
    const legal = this.shown.view.steps.filter((step) => step.from === from);
    const forbidden = legal.filter(({ text }) => !allowed.has(text));
    const isForbidden =
      forbidden.length === legal.length
        ? legal.length > 0
        : forbidden.some((step) => [step.to, ...step.alsoTo].some((end) => end === to));
    return isForbidden ? obligation : null;
  }

  /** Whether it is the visitor's turn, whichever position is shown. */
  get isYourTurn(): boolean {
    return this.isPlaying && this.record.last.view.turn === this.you;
  }

  /**
   * The side to move. A turn that is waiting for confirmation has not been played, so its player's
   * clock is still running.
   */
  get toMove(): Color {
    return this.isConfirming && this.you !== null ? this.you : this.record.last.view.turn;
  }

  /** Duration in milliseconds of a server downtime that has just ended; null if there is none. */
  get interruptedMs(): number | null {
    if (this.#interruption === null || !this.isPlaying) return null;
    return this.record.turns.length <= this.#interruption.untilPly ? this.#interruption.ms : null;
  }

  /** The steps of an unfinished chain, not sent yet. */
  get chain(): readonly StepView[] {
    return this.#turn.steps;
  }

  /**
   * Whether the visitor has to choose how the chain continues; a forced step is played
   * automatically.
   */
  get hasChoiceInChain(): boolean {
    return !this.#turn.isEmpty && this.shown.view.steps.length > 1;
  }

  /**
   * Whether steps of a chain may be undone. With touch-move, a step is final once the piece is
   * released (C15).
   */
  get canUndo(): boolean {
    return !this.#turn.isEmpty && !this.#game.touchMove;
  }

  get shownTurn(): PlayedTurn | null {
    return this.#cursor.turn;
  }

  /** The steps planned for the visitor's next turn. */
  get plan(): readonly StepView[] {
    return this.#plan.steps;
  }

  /** Whether the visitor may plan a turn now. */
  get canPlan(): boolean {
    return (
      this.isLive &&
      this.isPlaying &&
      !this.isConfirming &&
      this.you !== null &&
      this.record.last.view.turn !== this.you
    );
  }

  /** The steps that can be planned next. */
  get planSteps(): readonly StepView[] {
    return this.canPlan ? this.#plan.next(this.record.last) : [];
  }

  // Actions of the visitor.

  play(step: StepView): void {
    if (!this.canPlay) return;
    this.notice = null;
    this.#step(step);
  }

  /**
   * Plays a typed turn as a whole; returns the reason if that is not possible. `readings` are the
   * possible interpretations of the text, most likely first.
   */
  playText(readings: readonly string[]): Refusal | null {
    if (!this.isYourTurn || !this.#unanswered.isEmpty) return { code: 'not-your-turn', args: {} };
    let refusal: Refusal | null = null;
    for (const reading of readings) {
      try {
        const turn = this.#mirror.play(this.record.last.readTurn(reading), this.#now());
        this.#dropTurn();
        this.#submit(turn);
        return null;
      } catch (error) {
        refusal ??= refusalOf(error);
      }
    }
    return refusal ?? { code: 'turn-syntax', args: { turn: '' } };
  }

  /** Confirms the pending turn, which is then sent. */
  confirm(): void {
    this.#unanswered.confirm();
  }

  /** Takes back the turn that is waiting for confirmation. */
  reconsider(): void {
    if (this.isConfirming) this.#rollBack();
  }

  undoStep(): void {
    if (!this.canUndo) return;
    clearTimeout(this.#forced);
    this.#turn.undo();
  }

  undoChain(): void {
    if (this.canUndo) this.#dropTurn();
  }

  /** Adds a step to the planned turn. */
  planStep(step: StepView): void {
    if (this.canPlan) this.#plan.add(step);
  }

  dropPlan(): void {
    this.#plan.clear();
  }

  /** With touch-move, sends a touch to the server if it is allowed and new (C13). */
  touch(square: string): void {
    if (!this.#game.touchMove || !this.canPlay || !this.#turn.isEmpty) return;
    if (this.#touches.includes(square) || !this.#mirror.mayTouch(square, this.#now())) return;
    const command = uuid();
    this.#touches.add(command, square);
    this.#options.send({ type: 'touch', command, version: this.#game.version, square });
  }

  /** Whether the player may say “J’adoube” now (C14). */
  get canAdjust(): boolean {
    return this.#unanswered.isEmpty && this.#turn.isEmpty && this.may('adjust');
  }

  adjust(): void {
    if (!this.canAdjust) return;
    this.#options.send({ type: 'adjust', command: uuid(), version: this.#game.version });
  }

  sendCommand(type: SimpleCommand): void {
    this.#options.send({ type, command: uuid() } as Extract<
      ClientMessage,
      { type: SimpleCommand }
    >);
  }

  setConditions(tree: Condition[]): void {
    const { version } = this.#game;
    this.#options.send({ type: 'set-conditions', command: uuid(), version, tree });
  }

  goTo(ply: number): void {
    // Showing another position would discard the unfinished turn; touch-move does not allow that.
    if (!this.#turn.isEmpty && !this.canUndo) return;
    this.#dropTurn();
    this.#cursor.goTo(ply);
  }

  /** Discards the unfinished turn, because the visitor is leaving the page. */
  leave(): void {
    this.#dropTurn();
  }

  // Messages from the server.

  snapshot(game: Game): void {
    try {
      this.#follow(this.#options.mirrors.of(game), game.at);
    } catch (error) {
      this.notice = refusalOf(error);
      return;
    }
    this.#touches.clear();
    const before = this.record.turns.length;
    this.#catchUp(game);
    if (this.record.turns.length <= before) return;
    this.#announceLast();
    this.#playPlan();
  }

  event(event: GameEvent, version: number, at: Millis): void {
    try {
      this.#follow(this.#mirror.after({ version, at, event }), at);
    } catch {
      this.#options.resync?.();
      return;
    }
    this.#settle(event);
    const announcement = announcementOf(event, this.you);
    if (announcement === null) return;
    if (announcement.type === 'declined') this.declined = announcement.what;
    if (announcement.type === 'interrupted')
      // The server usually reports the downtime just before the next event, often a turn.
      this.#interruption = { ms: announcement.ms, untilPly: this.#game.turns.length + 1 };
    this.#announce(announcement);
  }

  updateMatch(match: MatchState): void {
    this.#follow(this.#mirror.withMatch(match), this.#game.at);
  }

  refused(command: string | null, code: string, args: Record<string, string>): void {
    // Touches are sent automatically, so a refused one is not reported.
    if (command !== null && this.#touches.refused(command)) return;
    this.notice = { code, args };
    if (command !== null && this.#unanswered.isSentBy(command)) this.#rollBack();
  }

  // Internals.

  #now(): Millis {
    return this.#options.now?.() ?? Date.now();
  }

  #follow(mirror: GameMirror, at: Millis): void {
    this.#mirror = mirror;
    this.#game = mirror.view(at);
  }

  #replay(turns: readonly string[]): GameRecord {
    return GameRecord.replay(this.#options.rules, this.variant, this.#game.initialFen, turns);
  }

  /** Applies the turns of a snapshot. */
  #catchUp({ turns, status }: Game): void {
    const isPlaying = status.type === 'playing';
    if (this.#unanswered.isAnsweredBy(turns.length) || !isPlaying) this.#unanswered.clear();
    if (!isPlaying) {
      this.#dropTurn();
      this.dropPlan();
    }
    const shown = this.record.turns;
    if (turns.length === shown.length && turns.every((turn, index) => shown[index]?.text === turn))
      return;
    const ours = this.#unanswered.text;
    this.#cursor.replace(this.#replay(ours === null ? turns : [...turns, ours]));
    if (ours === null) this.#dropTurn();
  }

  /** Updates the unfinished turn, the touches and the plan after an event. */
  #settle(event: GameEvent): void {
    if (proposedBy(event) === this.declined) this.declined = null;
    switch (event.type) {
      case 'played':
        this.declined = null;
        this.#touches.clear();
        this.#played(event.turn);
        break;
      case 'taken-back':
        this.declined = null;
        this.#touches.clear();
        this.#dropTurn();
        this.#rollBack();
        this.#cursor.goToEnd();
        break;
      case 'touched':
        this.#touches.confirmed(event.square);
        break;
      case 'ended':
        this.#dropTurn();
        this.dropPlan();
        if (this.isConfirming) this.#rollBack();
        break;
      default:
        break;
    }
  }

  #played(turn: string): void {
    const ours = this.#unanswered.text;
    this.#unanswered.clear();
    if (ours === turn) return;
    this.#dropTurn();
    // The server's turns already include this one.
    if (ours !== null) this.#rollBack();
    else this.#cursor.replace(this.record.playing(turn));
    this.#announceLast();
    this.#playPlan();
  }

  #step(step: StepView): void {
    const complete = this.#turn.play(step.text);
    if (complete === null) {
      this.#continueIfForced();
      return;
    }
    this.#dropTurn();
    try {
      const turn = this.#mirror.play(complete.text, this.#now());
      // A second click meant to deselect a piece must not give it up.
      const losesMan = step.from === step.to && step.takes.length === 0;
      this.#submit(turn, losesMan);
    } catch (error) {
      this.notice = refusalOf(error);
    }
  }

  #continueIfForced(): void {
    const [only, another] = this.#turn.position.view.steps;
    if (!only || another) return;
    this.#forced = setTimeout(
      () => this.#step(only),
      this.#options.forcedDelayMs ?? defaultForcedDelayMs,
    );
  }

  /** Plays the planned turn if it is legal now, and discards it otherwise. */
  #playPlan(): void {
    // Conditional turns come first; the plan is kept for the following turn.
    if (!this.isYourTurn || this.#mirror.conditionalAnswer !== null) return;
    const planned = this.#plan.take();
    if (planned.length === 0) return;
    const played = this.#turn.playAll(planned);
    if (played === null) {
      this.#announce({ type: 'plan-dropped' });
    } else if (played.complete) {
      this.#turn.clear();
      const ply = this.#game.turns.length;
      this.#show(played.complete.text);
      this.#unanswered.send(played.complete.text, ply);
    } else {
      this.#cursor.goToEnd();
      this.#continueIfForced();
    }
  }

  /** Shows our turn, and sends it unless the visitor has to confirm it. */
  #submit(turn: string, ask = false): void {
    const ply = this.record.turns.length;
    this.#show(turn);
    if (ask || this.#options.confirms?.()) this.#unanswered.hold(turn, ply);
    else this.#unanswered.send(turn, ply);
  }

  #show(turn: string): void {
    this.notice = null;
    this.#cursor.replace(this.record.playing(turn));
    this.#cursor.goToEnd();
    this.#announceLast();
  }

  #sendTurn(turn: string): string {
    const command = uuid();
    this.#options.send({ type: 'play', command, version: this.#game.version, turn });
    return command;
  }

  /**
   * Removes our unacknowledged turn: returns to the server's turns, and drops the plan.
   */
  #rollBack(): void {
    this.#unanswered.clear();
    this.#cursor.replace(this.#replay(this.#game.turns));
    this.dropPlan();
  }

  #dropTurn(): void {
    clearTimeout(this.#forced);
    this.#turn.clear();
  }

  #announceLast(): void {
    const turn = this.record.turns.at(-1);
    const before = this.record.at(this.record.turns.length - 1);
    if (turn) this.#announce({ type: 'turn', turn, before });
  }

  #announce(announcement: Announcement): void {
    this.#options.onannouncement?.(announcement);
  }
}
