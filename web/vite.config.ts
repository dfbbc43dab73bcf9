import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { svelteTesting } from '@testing-library/svelte/vite';
import { defineConfig } from 'vitest/config';

const server = process.env['ADOUBE_URL'] ?? 'http://127.0.0.1:8787';

export default defineConfig({
  // The second one acts in tests alone: components are those of a browser there, and gone after each test.
  plugins: [svelte(), svelteTesting()],
  resolve: { alias: { $lib: fileURLToPath(new URL('src/lib', import.meta.url)) } },
  // A piece drawing or a language is fetched when it is needed, not inlined in the script.
  build: {
    target: 'es2022',
    assetsInlineLimit: 1024,
    // The server reads in it the names of the files that a page is going to need, and tells the browser early.
    manifest: 'chunks.json',
    rolldownOptions: {
      output: {
        // What every page needs is one file, however many pages that come later share a part of it: each file more is a request.
        codeSplitting: {
          groups: [
            { name: 'page', tags: ['$initial'] },
            { name: 'shared', minShareCount: 3 },
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
