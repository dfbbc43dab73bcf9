import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Drill } from '../api';
import { i18n, t } from '../i18n/i18n.svelte';
import type { Position } from '../rules';
import { rulesOver } from '../rules-wasm';
import { PositionHandle, initSync } from '../wasm/adoube_wasm';
import { variants, type Variant } from '../variants';
import { DrillState } from './drill-state.svelte';

initSync({ module: readFileSync(join(import.meta.dirname, '../wasm/adoube_wasm_bg.wasm')) });
const rules = rulesOver(PositionHandle);

/** Goals that are answered by a turn; the others are answered by squares, or by yes or no. */
const OF_SQUARES: ReadonlySet<string> = new Set(['moves']);
const OF_CHOICE: ReadonlySet<string> = new Set(['dead', 'over', 'legal', 'captures']);

const strings = (list: string): string[] =>
  [...list.matchAll(/"([^"]*)"/g)].map(([, x]) => x ?? '');

/** Reads the drills of a game from their file, as far as the page needs them. */
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

/** Lists the turns of a position as lists of steps, and the coordinate text of each. */
function turnsOf(position: Position, played: string[] = []): { steps: string[]; text: string }[] {
  return position.view.steps.flatMap(({ text }) => {
    const after = position.play(text);
    const steps = [...played, text];
    return after.view.chain === null
      ? [{ steps, text: after.currentSteps }]
      : turnsOf(after, steps);
  });
}

describe('every wrong turn of every drill', { timeout: 60_000 }, () => {
  beforeAll(async () => {
    vi.stubGlobal('document', { documentElement: {} });
    await i18n.use('fr');
    await i18n.need('drill');
  });

  it.each(variants)('in %s is explained by what it does in the position', (variant) => {
    let count = 0;
    for (const drill of drillsOf(variant).filter(({ manner }) => manner === 'turn')) {
      const { start } = new DrillState(rules, variant, drill);
      for (const { steps, text } of turnsOf(start)) {
        if (drill.solutions.includes(text)) continue;
        const attempt = new DrillState(rules, variant, drill);
        for (const step of steps) attempt.play(step);
        const where = `${variant} ${drill.name} ${text}`;
        const lines = attempt.reply?.lines.map((line) => line.text) ?? [];
        expect(attempt.verdict, where).toBe('wrong');
        // The first line says which goal was missed, the others what happened.
        // That a position occurs too often says both.
        if (drill.goal !== 'avoids') expect(lines.length, where).toBeGreaterThan(1);
        expect(new Set(lines).size, where).toBe(lines.length);
        for (const line of lines) {
          expect(line, where).not.toMatch(/^(drill|why|way)-|undefined|\{/);
          expect(line, where).not.toBe(t('question-takes-nothing'));
        }
        // To read them all, run with SHOW_DRILLS=1 and --silent=false.
        if (process.env['SHOW_DRILLS']) console.log(`${where}\n  ${lines.join('\n  ')}`);
        count += 1;
      }
    }
    expect(count).toBeGreaterThan(20);
  });
});
