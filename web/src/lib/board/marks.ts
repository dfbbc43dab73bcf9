import type { SquareMarks } from './types';

/** Returns true if two squares have the same marks. */
export function sameMarks(a: SquareMarks, b: SquareMarks): boolean {
  const { takes: takesA, ...restA } = a;
  const { takes: takesB, ...restB } = b;
  return (
    takesA.length === takesB.length &&
    takesA.every((square, i) => square === takesB[i]) &&
    (Object.keys(restA) as (keyof typeof restA)[]).every((key) => restA[key] === restB[key])
  );
}
