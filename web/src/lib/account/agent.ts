/** Words by which browsers name themselves, the telling ones first: many name other browsers as well. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** A browser and its system in two words; what it called itself if neither is known. */
export function agentWords(agent: string): string | null {
  const known = [browsers, systems].flatMap((list) => {
    const found = list.find(([pattern]) => pattern.test(agent));
    return found === undefined ? [] : [found[1]];
  });
  if (known.length > 0) return known.join(', ');
  return agent === '' ? null : agent;
}
