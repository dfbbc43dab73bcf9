/** The games that this page can show, in the order of the home page. */
export const variants = ['chess', 'baroque', 'interweave'] as const;
export type Variant = (typeof variants)[number];

export function isVariant(text: string): text is Variant {
  return variants.some((variant) => variant === text);
}
