import type { Language } from './languages';

/** Messages that few pages need: each file is a chunk of its own, fetched with the page. */
export const parts = ['analysis', 'compose', 'drill', 'problem'] as const;
export type Part = (typeof parts)[number];

const files = import.meta.glob<string>(
  '../../../../locales/*/{analysis,compose,drill,problem}.ftl',
  {
    query: '?raw',
    import: 'default',
  },
);

export async function loadPart(language: Language, part: Part): Promise<string> {
  const file = files[`../../../../locales/${language}/${part}.ftl`];
  return file === undefined ? '' : file();
}
