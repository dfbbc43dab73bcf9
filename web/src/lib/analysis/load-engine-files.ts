import { loadRules } from '../rules-wasm';
import { variants } from '../variants';

/**
 * Briefly searches the initial position of every variant, so that the service worker caches the
 * engine's code and all networks.
 */
export async function loadEngineFiles(): Promise<void> {
  // Imported on demand, as on the problem page: with one more static import, the bundler would put
  // the client into the file that all pages share (`minShareCount` in `vite.config.ts`).
  const [rules, { EngineClient }] = await Promise.all([loadRules(), import('./engine')]);
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
