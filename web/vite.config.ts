import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

const server = process.env['ADOUBE_URL'] ?? 'http://127.0.0.1:8787';

export default defineConfig({
  plugins: [svelte()],
  resolve: { alias: { $lib: fileURLToPath(new URL('src/lib', import.meta.url)) } },
  // A piece drawing or a language is fetched when it is needed, not inlined in the script.
  build: {
    target: 'es2022',
    assetsInlineLimit: 1024,
    rolldownOptions: {
      output: {
        // What every page has, and pages that come later have too, is one file: without this it is one for each set of pages
        // that have it, and each file costs its headers.
        codeSplitting: {
          groups: [
            {
              name: 'shared',
              test: /\/(AskWhy|Icon|ConfirmButton|CopyButton|DisplaySettings|MiniDiagram|Reply|TextField)\.svelte|\/(board-labels|me\.svelte|names|until-answered|uuid)\.ts|\/lib\/(board|question)\//,
            },
          ],
        },
      },
    },
  },
  // The worker fetches its module as the page does.
  worker: { format: 'es' },
  server: {
    // The messages are at the root of the repository, where the server reads them, too.
    fs: { allow: ['..'] },
    proxy: { '/api': { target: server, ws: true } },
  },
  test: { include: ['src/**/*.test.ts'] },
});
