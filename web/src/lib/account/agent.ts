/**
 * Browser names in user agents, most specific first, because many user agents also name other
 * browsers.
 */
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

/**
 * Returns the browser and the system of a user agent, or the user agent itself if neither is
 * recognised.
 */
export function agentText(agent: string): string | null {
  const known = [browsers, systems].flatMap((list) => {
    const found = list.find(([pattern]) => pattern.test(agent));
    return found === undefined ? [] : [found[1]];
  });
  if (known.length > 0) return known.join(', ');
  return agent === '' ? null : agent;
}
