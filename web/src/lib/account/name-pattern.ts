/**
 * The form of a name: letters from any alphabet (with their accents), digits and a few other
 * characters; the server checks the rest. Accents do not count towards the length, whether or not
 * they are separate characters.
 */
export const namePattern = String.raw`\s*([\p{L}\p{N}_.'’\-]\p{M}*){3,20}\s*`;
