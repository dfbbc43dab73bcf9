import start, { PositionHandle } from './wasm/adoube_wasm';
// Imported as a URL rather than left to the bindings, so that the bundler adds a content hash to
// the file name.
import address from './wasm/adoube_wasm_bg.wasm?url';
import { withRefusals, loadOnce } from './wasm-module';
import type { Square } from './board';
import type {
  ManExplanationView,
  DefenceView,
  FenView,
  MissView,
  Position,
  PositionView,
  Question,
  RatingView,
  Rules,
  RoleView,
  StepAnswer,
  StepView,
  TurnView,
} from './rules';
import type { Variant } from './variants';

type Handles = typeof PositionHandle;

class WasmPosition implements Position {
  #view: PositionView | undefined;

  constructor(
    readonly variant: Variant,
    private readonly handle: PositionHandle,
  ) {}

  get view(): PositionView {
    this.#view ??= JSON.parse(this.handle.view()) as PositionView;
    return this.#view;
  }

  get currentSteps(): string {
    return this.handle.currentSteps();
  }

  play(step: string): Position {
    return new WasmPosition(
      this.variant,
      withRefusals(() => this.handle.play(step)),
    );
  }

  playTurn(turn: string): Position {
    return new WasmPosition(
      this.variant,
      withRefusals(() => this.handle.playTurn(turn)),
    );
  }

  readTurn(text: string): string {
    return withRefusals(() => this.handle.readTurn(text));
  }

  stepsToPlan(planned: readonly string[]): readonly StepView[] {
    return JSON.parse(this.handle.stepsToPlan(planned.join(' '))) as StepView[];
  }

  describe(turn: string): TurnView {
    return JSON.parse(withRefusals(() => this.handle.describe(turn))) as TurnView;
  }

  explainPiece(square: Square): ManExplanationView | null {
    return JSON.parse(
      withRefusals(() => this.handle.aboutMan(square)),
    ) as ManExplanationView | null;
  }

  explainStep(from: Square, to: Square): StepAnswer {
    return JSON.parse(withRefusals(() => this.handle.aboutStep(from, to))) as StepAnswer;
  }

  wrongTurn(turn: string, question: Question): readonly MissView[] {
    const { goal, man, line, past } = question;
    const misses = withRefusals(() =>
      this.handle.wrongTurn(turn, goal, man ?? '', line.join(' '), past.join('\n')),
    );
    return JSON.parse(misses) as MissView[];
  }

  bestDefence(turns: number): DefenceView {
    return JSON.parse(this.handle.bestDefence(turns)) as DefenceView;
  }
}

/** Wraps a WebAssembly module that is already initialised. */
export function rulesFrom(handles: Handles): Rules {
  const roles = new Map<Variant, readonly RoleView[]>();
  return {
    roles(variant) {
      const known = roles.get(variant) ?? (JSON.parse(handles.roles(variant)) as RoleView[]);
      roles.set(variant, known);
      return known;
    },
    initial: (variant) => new WasmPosition(variant, handles.initial(variant)),
    startCount: (variant) => handles.startCount(variant),
    rate: (value, problems, of, solved) =>
      JSON.parse(handles.rate(value, problems, of, solved)) as RatingView,
    readFen: (variant, text) =>
      JSON.parse(withRefusals(() => handles.readFen(variant, text))) as FenView,
    fromFen: (variant, fen) =>
      new WasmPosition(
        variant,
        withRefusals(() => handles.fromFen(variant, fen)),
      ),
  };
}

/** Loads the module once. */
export const loadRules = loadOnce(async () => {
  await start({ module_or_path: address });
  return rulesFrom(PositionHandle);
});
