/**
 * Reads the page sizes, the text and the number of pictures from a PDF written by Chromium; other
 * PDFs are not supported.
 */
import { inflateSync } from 'node:zlib';

export interface PdfPage {
  /** In points, 72 to the inch. */
  readonly width: number;
  readonly height: number;
  readonly text: string;
}

export interface Pdf {
  readonly pages: readonly PdfPage[];
  /** The number of raster images. */
  readonly pictures: number;
}

/** Reads a PDF. Its pages are returned in order. */
export function readPdf(file: Buffer): Pdf {
  const source = file.toString('latin1');
  const objects = new Map<string, string>();
  for (const [, id = '', body = ''] of source.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g))
    objects.set(id, body);

  const stream = (id: string): string => {
    const body = objects.get(id) ?? '';
    const start = body.indexOf('stream\n') + 'stream\n'.length;
    const bytes = Buffer.from(body.slice(start, body.lastIndexOf('endstream')), 'latin1');
    return body.includes('/FlateDecode')
      ? inflateSync(bytes).toString('latin1')
      : bytes.toString('latin1');
  };

  /** Returns the characters that a font's glyphs stand for. */
  const glyphs = (font: string): ReadonlyMap<number, string> => {
    const names = new Map<number, string>();
    const [, map] = /\/ToUnicode (\d+) 0 R/.exec(objects.get(font) ?? '') ?? [];
    if (map === undefined) return names;
    const text = stream(map);
    const number = (hex: string): number => Number.parseInt(hex, 16);
    const letters = (hex: string): string => Buffer.from(hex, 'hex').swap16().toString('utf16le');
    for (const [, block = ''] of text.matchAll(/beginbfchar([\s\S]*?)endbfchar/g))
      for (const [, glyph = '', name = ''] of block.matchAll(/<(\w+)>\s*<(\w+)>/g))
        names.set(number(glyph), letters(name));
    for (const [, block = ''] of text.matchAll(/beginbfrange([\s\S]*?)endbfrange/g))
      for (const [, first = '', last = '', name = ''] of block.matchAll(
        /<(\w+)>\s*<(\w+)>\s*<(\w+)>/g,
      ))
        for (let glyph = number(first); glyph <= number(last); glyph += 1)
          names.set(glyph, String.fromCharCode(number(name) + glyph - number(first)));
    return names;
  };

  const textOf = (page: string): string => {
    const fonts = new Map(
      [...page.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name = '', id = '']) => [name, glyphs(id)]),
    );
    const [, contents = ''] = /\/Contents (\d+) 0 R/.exec(page) ?? [];
    let font: ReadonlyMap<number, string> | undefined;
    let text = '';
    for (const [, name, hex = ''] of stream(contents).matchAll(
      /\/(F\d+) [\d.]+ Tf|<([\dA-Fa-f]+)>/g,
    )) {
      if (name !== undefined) font = fonts.get(name);
      else
        for (const glyph of hex.match(/.{4}/g) ?? [])
          text += font?.get(Number.parseInt(glyph, 16)) ?? '';
    }
    return text;
  };

  const pages = [...objects.values()]
    .filter((body) => /\/Type \/Page\b(?!s)/.test(body))
    .map((body) => {
      const [, width = '0', height = '0'] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(body) ?? [];
      return { width: Number(width), height: Number(height), text: textOf(body) };
    });
  const pictures = [...objects.values()].filter((body) => /\/Subtype \/Image\b/.test(body)).length;
  return { pages, pictures };
}
