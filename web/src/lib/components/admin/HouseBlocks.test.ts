// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { blocksOf } from '$lib/admin/house-text';
import { render } from '$lib/testing';
import HouseBlocks from './HouseBlocks.svelte';

it('a line may contain the same text several times', () => {
  const blocks = blocksOf('**Chess** and **Ultima** and **Chess**');
  const { container } = render(HouseBlocks, { blocks });
  const line = container.querySelector('p');
  expect([...(line?.querySelectorAll('strong') ?? [])].map((each) => each.textContent)).toEqual([
    'Chess',
    'Ultima',
    'Chess',
  ]);
});
