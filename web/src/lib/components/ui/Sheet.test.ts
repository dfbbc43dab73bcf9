// @vitest-environment happy-dom
import { beforeAll, describe, expect, it } from 'vitest';
import { createRawSnippet, tick } from 'svelte';
import { fireEvent, render, screen, useFrench } from '$lib/testing';
import Sheet from './Sheet.svelte';

beforeAll(useFrench);

describe('the focus, when a sheet beside the board is closed', () => {
  /** Opens a sheet from a button; returns that button and another one on the page. */
  async function open() {
    const children = createRawSnippet(() => ({ render: () => '<p>Le roi</p>' }));
    const { component, baseElement } = render(Sheet, { title: 'Les pièces', children });
    const opener = document.createElement('button');
    const board = document.createElement('button');
    baseElement.append(opener, board);
    opener.focus();
    component.show();
    await tick();
    return { opener, board };
  }
  const close = () => fireEvent.click(screen.getByRole('button', { name: 'Fermer' }));

  it('returns from the sheet to the button that opened it', async () => {
    const { opener } = await open();
    screen.getByRole('button', { name: 'Fermer' }).focus();
    await close();
    expect(document.activeElement).toBe(opener);
  });

  it('returns to the button even if nothing is focused, as after a click in Safari', async () => {
    const { opener } = await open();
    opener.blur();
    expect(document.activeElement).toBe(document.body);
    await close();
    expect(document.activeElement).toBe(opener);
  });

  it('stays on the board', async () => {
    const { board } = await open();
    board.focus();
    await close();
    expect(document.activeElement).toBe(board);
  });
});
