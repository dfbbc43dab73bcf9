import type { InfoView } from '../analysis-types';
import type { BoardDrawing } from '../board';
import type { Position } from '../rules';

/**
 * Returns arrows for the first turn of each engine line, best line first. Threats are red.
 */
export function arrowsOf(
  from: Position,
  lines: readonly InfoView[],
  isThreat: boolean,
): BoardDrawing[] {
  return lines.flatMap(({ pv }, index) => {
    const [first] = pv;
    if (!first) return [];
    const brush = isThreat ? 'shift' : index === 0 ? 'alt' : 'shift-alt';
    const { steps } = from.describe(first.text);
    return steps.map(({ from: begin, to }) => ({ from: begin, to, brush }));
  });
}
