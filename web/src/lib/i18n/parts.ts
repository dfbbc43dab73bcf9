import type { Language } from './languages';

/** Messages that only a few pages need. Each part has its own chunks, fetched with the page. */
export const parts = [
  'account',
  'admin',
  'analysis',
  'compose',
  'drill',
  'hall',
  'problem',
] as const;
export type Part = (typeof parts)[number];

const files = import.meta.glob<string>(
  [
    '../../../../locales/*/{account,admin,analysis,compose,drill,hall,problem}.ftl',
    '../../../../games/*/drills.*.ftl',
  ],
  {
    query: '?raw',
    import: 'default',
  },
);

/** Returns the files of a part. For the drills, each game's folder has one as well. */
function filesOf(language: Language, part: Part): string[] {
  const gameFile = part === 'drill' ? `/drills.${language}.ftl` : null;
  return Object.keys(files).filter(
    (file) =>
      file.endsWith(`/locales/${language}/${part}.ftl`) ||
      (gameFile !== null && file.endsWith(gameFile)),
  );
}

/** Loads the contents of a part's files in a language. */
export async function loadPart(language: Language, part: Part): Promise<string[]> {
  return Promise.all(filesOf(language, part).map(async (file) => (await files[file]?.()) ?? ''));
}
