import type { InfoView } from '../analysis-types';
import type { BoardDrawing } from '../board';
import type { Position } from '../rules';

/** The first turn of each line that the engine has found from a position, the best one first; of a threat in red. */
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
