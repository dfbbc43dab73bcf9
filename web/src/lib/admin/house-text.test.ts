import { describe, expect, it } from 'vitest';
import { blocksOf, spansOf } from './house-text';

describe('blocksOf', () => {
  it('reads headings, paragraphs and lists', () => {
    expect(
      blocksOf('# Mentions\n\nUne ligne\nsur deux.\n- un\n- **deux**\n\n## Suite\nfin'),
    ).toEqual([
      { type: 'title', spans: [{ text: 'Mentions' }] },
      { type: 'paragraph', spans: [{ text: 'Une ligne sur deux.' }] },
      { type: 'list', items: [[{ text: 'un' }], [{ text: 'deux', bold: true }]] },
      { type: 'heading', spans: [{ text: 'Suite' }] },
      { type: 'paragraph', spans: [{ text: 'fin' }] },
    ]);
    expect(blocksOf('\n \n')).toEqual([]);
  });
});

describe('spansOf', () => {
  it('links addresses without the punctuation after them', () => {
    expect(spansOf('Voir https://www.cnil.fr/fr, ou a@b.example.')).toEqual([
      { text: 'Voir ' },
      { text: 'https://www.cnil.fr/fr', href: 'https://www.cnil.fr/fr' },
      { text: ', ou ' },
      { text: 'a@b.example', href: 'mailto:a@b.example' },
      { text: '.' },
    ]);
  });

  it('leaves markup and other schemes as text', () => {
    const text = '<script>alert(1)</script> javascript:alert(1)';
    expect(spansOf(text)).toEqual([{ text }]);
  });
});
