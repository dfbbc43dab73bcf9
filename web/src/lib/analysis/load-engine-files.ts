import { loadRules } from '../rules-wasm';
import { variants } from '../variants';
import { EngineClient } from './engine';

/**
 * Runs the engine briefly in every game, so that the service worker caches its code and all
 * networks.
 */
export async function loadEngineFiles(): Promise<void> {
  const rules = await loadRules();
  const engine = new EngineClient();
  try {
    for (const variant of variants) {
      const { fen } = rules.initial(variant).view;
      const request = { variant, fen, turns: [], lines: 1, threads: 1, nodes: 1, depth: null };
      await engine.search(request, () => {});
    }
  } finally {
    engine.close();
  }
}
