// @vitest-environment happy-dom
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Drill } from '../api';
import { i18n, t } from '../i18n/i18n.svelte';
import { languages } from '../i18n/languages';
import type { MissCode, Position } from '../rules';
import { rulesFrom } from '../rules-wasm';
import { PositionHandle, initSync } from '../wasm/adoube_wasm';
import { variants, type Variant } from '../variants';
import { DrillState } from './drill-state.svelte';

initSync({ module: readFileSync(join(import.meta.dirname, '../wasm/adoube_wasm_bg.wasm')) });
const rules = rulesFrom(PositionHandle);

/** Goals that are answered by selecting squares. */
const OF_SQUARES: ReadonlySet<string> = new Set(['moves']);
/** Goals that are answered with yes or no. All others are answered with a turn. */
const OF_CHOICE: ReadonlySet<string> = new Set(['dead', 'over', 'legal', 'captures']);

const strings = (list: string): string[] =>
  [...list.matchAll(/"([^"]*)"/g)].map(([, x]) => x ?? '');

/** Reads the drills of a game from their file, with the fields that the page needs. */
function drillsOf(variant: Variant): Drill[] {
  const file = join(import.meta.dirname, '../../../../games', variant, 'drills.toml');
  const [text = ''] = readFileSync(file, 'utf8').split('[[practice]]');
  return text
    .split('[[drill]]')
    .slice(1)
    .map((part): Drill => {
      const [own = '', ...stages] = part.split('[[drill.then]]');
      const field = (from: string, name: string): string =>
        new RegExp(`^${name} = (.*)$`, 'm').exec(from)?.[1] ?? '';
      const word = (name: string): string => strings(field(own, name))[0] ?? '';
      const [goal = '', man = null] = word('goal').split(' ');
      return {
        name: word('name'),
        group: word('group'),
        difficulty: 'easy',
        optional: field(own, 'optional') === 'true',
        clause: word('clause'),
        fen: word('fen'),
        before: strings(field(own, 'before')),
        goal,
        manner: OF_SQUARES.has(goal) ? 'squares' : OF_CHOICE.has(goal) ? 'choice' : 'turn',
        man: goal === 'frees' || goal === 'freezes' ? man : null,
        solutions: strings(field(own, 'solutions')),
        then: stages.map((stage) => ({
          reply: strings(field(stage, 'reply'))[0] ?? '',
          solutions: strings(field(stage, 'solutions')),
        })),
      };
    });
}

/** Lists the turns of a position as lists of steps, and the coordinate notation of each. */
function turnsOf(position: Position, played: string[] = []): { steps: string[]; text: string }[] {
  return position.view.steps.flatMap(({ text }) => {
    const after = position.play(text);
    const steps = [...played, text];
    return after.view.chain === null
      ? [{ steps, text: after.currentSteps }]
      : turnsOf(after, steps);
  });
}

interface Example {
  readonly variant: Variant;
  readonly drill: Drill;
  readonly steps: readonly string[];
}

/** Finds a wrong turn for each code that occurs in the drills of a game. */
function findExamples(variant: Variant, examples: Map<MissCode, Example>): void {
  for (const drill of drillsOf(variant).filter(({ manner }) => manner === 'turn')) {
    const { start } = new DrillState(rules, variant, drill);
    const { goal, man, solutions, then } = drill;
    const rest = then.flatMap((stage) => [stage.reply, stage.solutions[0] ?? '']);
    const line = [solutions[0] ?? '', ...rest];
    const question = { goal, man, line, past: [start.view.fen] };
    for (const { steps, text } of turnsOf(start)) {
      if (drill.solutions.includes(text)) continue;
      for (const { code } of start.wrongTurn(text, question))
        if (!examples.has(code)) examples.set(code, { variant, drill, steps });
    }
  }
}

describe('a wrong turn', { timeout: 60_000 }, () => {
  const examples = new Map<MissCode, Example>();

  beforeAll(async () => {
    for (const variant of variants) findExamples(variant, examples);
    // Most of the codes occur.
    expect(examples.size).toBeGreaterThan(28);
    await i18n.need('drill');
  });

  it.each(languages)('is explained by complete sentences in %s', async (language) => {
    await i18n.use(language);
    for (const [code, { variant, drill, steps }] of examples) {
      const attempt = new DrillState(rules, variant, drill);
      for (const step of steps) attempt.play(step);
      const where = `${code}: ${variant} ${drill.name} ${steps.join(' ')}`;
      expect(attempt.verdict, where).toBe('wrong');
      const lines = attempt.reply?.lines.map((line) => line.text) ?? [];
      // The first line says which goal was missed, the others what happened.
      expect(lines.length, where).toBeGreaterThan(1);
      expect(new Set(lines).size, where).toBe(lines.length);
      for (const line of lines) {
        expect(line, where).not.toMatch(/^(drill|why|way)-|undefined|\{|\s\s/);
        expect(line, where).not.toBe(t('question-takes-nothing'));
      }
    }
  });
});
