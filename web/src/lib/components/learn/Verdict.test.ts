// @vitest-environment happy-dom
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { Sentence } from '$lib/question/answer-text';
import { render, useFrench } from '$lib/testing';
import Verdict from './Verdict.svelte';

beforeAll(useFrench);
afterEach(() => vi.restoreAllMocks());

const sentence = (text: string): Sentence => ({ text, clauses: [] });

it('scrolls into view for each verdict, but not for what is added to it later', async () => {
  const scroll = vi.spyOn(Element.prototype, 'scrollIntoView').mockReturnValue();
  const worse = sentence('Un autre coup est meilleur.');
  const show = (...lines: readonly Sentence[]) => ({ answer: { head: 'Non', lines } });
  const { rerender } = render(Verdict, { answer: null, tone: 'wrong' });
  expect(scroll).not.toHaveBeenCalled();
  await rerender(show(worse, sentence('On cherche la réponse.')));
  expect(scroll).toHaveBeenCalledTimes(1);
  await rerender(show(worse, sentence('Les Noirs gagnent la tour.')));
  expect(scroll).toHaveBeenCalledTimes(1);
  // The next attempt gets the same words.
  await rerender(show({ ...worse }));
  expect(scroll).toHaveBeenCalledTimes(2);
});
