// @vitest-environment happy-dom
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { rulesForTests } from '$lib/game/fixtures';
import { Question } from '$lib/question/question.svelte';
import type { Position, Rules, StepView } from '$lib/rules';
import { render, screen, useFrench, userEvent, within } from '$lib/testing';
import PositionBoard from './PositionBoard.svelte';

let rules: Rules;
beforeAll(async () => {
  rules = rulesForTests();
  await useFrench();
});

const square = (name: string): HTMLElement => screen.getByLabelText(new RegExp(`^${name}\\b`));

/** Shows a position; returns the steps played on it. */
function show(position: Position, question = new Question(() => position)): StepView[] {
  const played: StepView[] = [];
  render(PositionBoard, { position, question, onplay: (step) => played.push(step) });
  return played;
}

describe('a position on a board', () => {
  it('names every square with its piece', () => {
    show(rules.initial('chess'));
    expect(screen.getAllByRole('gridcell')).toHaveLength(64);
    expect(square('e1').getAttribute('aria-label')).toMatch(/roi blanc/);
    expect(square('e5').getAttribute('aria-label')).toMatch(/vide/);
  });

  it('can be played with only the keyboard', async () => {
    const user = userEvent.setup();
    const played = show(rules.initial('chess'));
    square('e2').focus();
    await user.keyboard('{Enter}');
    expect(square('e4').getAttribute('aria-label')).toMatch(/destination possible/);
    await user.keyboard('{ArrowUp}{ArrowUp}{Enter}');
    expect(played.map(({ text }) => text)).toEqual(['e2e4']);
  });

  it('deselects a piece on Escape', async () => {
    const user = userEvent.setup();
    const played = show(rules.initial('chess'));
    square('e2').focus();
    await user.keyboard('{Enter}{Escape}');
    expect(square('e4').getAttribute('aria-label')).not.toMatch(/destination possible/);
    expect(played).toEqual([]);
  });

  describe('with a promotion', () => {
    const pawnOnSeventh = '7k/P7/8/8/8/8/8/K7 w - - 0 1';

    it('asks for the piece in a dialog', async () => {
      const user = userEvent.setup();
      const played = show(rules.fromFen('chess', pawnOnSeventh));
      square('a7').focus();
      await user.keyboard('{Enter}{ArrowUp}{Enter}');
      const dialog = within(await screen.findByRole('dialog'));
      await user.click(dialog.getByLabelText('cavalier blanc'));
      expect(played.map(({ text }) => text)).toEqual(['a7a8n']);
      expect(screen.queryByRole('dialog')).toBeNull();
    });

    it('cancels on Escape', async () => {
      const user = userEvent.setup();
      const played = show(rules.fromFen('chess', pawnOnSeventh));
      square('a7').focus();
      await user.keyboard('{Enter}{ArrowUp}{Enter}');
      expect(await screen.findByRole('dialog')).toBeTruthy();
      await user.keyboard('{Escape}');
      expect(screen.queryByRole('dialog')).toBeNull();
      expect(played).toEqual([]);
    });
  });

  it('answers questions instead of playing in question mode', async () => {
    const user = userEvent.setup();
    const position = rules.initial('chess');
    const question = new Question(() => position);
    const press = vi.spyOn(question, 'press');
    const played = show(position, question);
    question.toggle();
    square('e2').focus();
    await user.keyboard('{Enter}{ArrowUp}{ArrowUp}{Enter}');
    expect(press).toHaveBeenCalledWith('e2', 'primary');
    expect(question.answerText?.head).toMatch(/e4/);
    expect(played).toEqual([]);
  });
});
