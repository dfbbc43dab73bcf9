// @vitest-environment happy-dom
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { recordsFrom, type Records } from '$lib/analysis/module';
import { rulesForTests } from '$lib/game/fixtures';
import { i18n } from '$lib/i18n/i18n.svelte';
import type { Rules } from '$lib/rules';
import { fireEvent, render, screen, useFrench } from '$lib/testing';
import * as module from '$lib/wasm/adoube_wasm_analysis';
import SetupEditor from './SetupEditor.svelte';

let rules: Rules;
let records: Records;
beforeAll(async () => {
  await useFrench();
  await i18n.need('analysis');
  rules = rulesForTests();
  const file = join(import.meta.dirname, '../../wasm/adoube_wasm_analysis_bg.wasm');
  module.initSync({ module: readFileSync(file) });
  records = recordsFrom(module);
});

/** The reserves in the FEN that the editor shows. */
const reserves = () => {
  const { value } = screen.getByLabelText<HTMLInputElement>('FEN de la position');
  return records.readSetup('interweave', value).reserves;
};

it.each([
  { typed: '3', kept: 3 },
  { typed: '2.5', kept: 2 },
  { typed: '99', kept: 16 },
  { typed: '-1', kept: 0 },
  { typed: '', kept: 0 },
])('sets a reserve to $kept if "$typed" is typed', async ({ typed, kept }) => {
  render(SetupEditor, {
    rules,
    records,
    variant: 'interweave',
    fen: '6kk/8/8/8/8/8/8/N5KK[] w - - 0 1',
    orientation: 'white',
    ondone: () => {},
  });
  const [, ...others] = reserves();
  const [field] = screen.getAllByRole<HTMLInputElement>('spinbutton');
  if (!field) throw new Error('no reserve field');
  await fireEvent.change(field, { target: { value: typed } });
  expect(field.value).toBe(String(kept));
  const [changed, ...unchanged] = reserves();
  expect(changed?.count).toBe(kept);
  expect(unchanged).toEqual(others);
});
