/** A part of a line: plain, bold, or a link. */
export interface TextSpan {
  readonly text: string;
  readonly bold?: true;
  readonly href?: string;
}

/** A block of a page about the house. */
export type TextBlock =
  | { readonly type: 'title' | 'heading' | 'paragraph'; readonly spans: readonly TextSpan[] }
  | { readonly type: 'list'; readonly items: readonly (readonly TextSpan[])[] };

const spanPattern =
  /\*\*(?<bold>[^*]+)\*\*|(?<url>https?:\/\/[^\s<>()«»]+[^\s<>()«».,;:!?])|(?<mail>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)/g;

/** Splits a line at bold text (`**…**`), URLs and e-mail addresses. */
export function spansOf(line: string): TextSpan[] {
  const spans: TextSpan[] = [];
  let end = 0;
  for (const found of line.matchAll(spanPattern)) {
    if (found.index > end) spans.push({ text: line.slice(end, found.index) });
    const { bold, url, mail } = found.groups ?? {};
    if (bold !== undefined) spans.push({ text: bold, bold: true });
    else if (url !== undefined) spans.push({ text: url, href: url });
    else if (mail !== undefined) spans.push({ text: mail, href: `mailto:${mail}` });
    end = found.index + found[0].length;
  }
  if (end < line.length) spans.push({ text: line.slice(end) });
  return spans;
}

/**
 * Parses a page about the house. `#` and `##` begin headings, `- ` begins a list entry, and an
 * empty line ends a paragraph.
 */
export function blocksOf(text: string): TextBlock[] {
  const blocks: TextBlock[] = [];
  let paragraph: string[] = [];
  let items: TextSpan[][] = [];
  const close = (): void => {
    if (paragraph.length > 0)
      blocks.push({ type: 'paragraph', spans: spansOf(paragraph.join(' ')) });
    if (items.length > 0) blocks.push({ type: 'list', items });
    paragraph = [];
    items = [];
  };
  for (const line of text.split('\n').map((each) => each.trim())) {
    const heading = /^(#{1,2})\s+(.+)$/.exec(line);
    if (heading) {
      close();
      const type = heading[1] === '#' ? 'title' : 'heading';
      blocks.push({ type, spans: spansOf(heading[2] ?? '') });
    } else if (line.startsWith('- ')) {
      if (paragraph.length > 0) close();
      items.push(spansOf(line.slice(2).trim()));
    } else if (line === '') close();
    else {
      if (items.length > 0) close();
      paragraph.push(line);
    }
  }
  close();
  return blocks;
}
