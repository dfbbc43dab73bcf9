/**
 * Patterns for browsers in user-agent strings, most specific first, because many of these strings
 * also name other browsers.
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
 * Returns the browser and the operating system named in a user-agent string, or the string itself
 * if neither is recognised; null if it is empty.
 */
export function agentText(agent: string): string | null {
  const known = [browsers, systems].flatMap((list) => {
    const found = list.find(([pattern]) => pattern.test(agent));
    return found === undefined ? [] : [found[1]];
  });
  if (known.length > 0) return known.join(', ');
  return agent === '' ? null : agent;
}
