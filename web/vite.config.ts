import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { svelteTesting } from '@testing-library/svelte/vite';
import { defineConfig } from 'vitest/config';

const server = process.env['ADOUBE_URL'] ?? 'http://127.0.0.1:8787';

export default defineConfig({
  // The second plugin affects tests only: it resolves Svelte for the browser. Its automatic cleanup
  // is off, because most test files render no components; `src/lib/testing.ts` unmounts them in
  // those that do.
  plugins: [svelte(), svelteTesting({ autoCleanup: false })],
  resolve: { alias: { $lib: fileURLToPath(new URL('src/lib', import.meta.url)) } },
  // The house may be served under a path that is known only at run time, so scripts and styles
  // refer to other files by relative paths. The server puts the path in front of the links in the
  // document.
  experimental: {
    renderBuiltUrl: (_, { hostType }) => (hostType === 'html' ? undefined : { relative: true }),
  },
  // Only the smallest images are inlined; other files are fetched when needed.
  build: {
    target: 'es2022',
    assetsInlineLimit: 1024,
    // The server reads this manifest to tell the browser early which files a page will need.
    manifest: 'chunks.json',
    rolldownOptions: {
      output: {
        // Code that every page needs goes into one file, and code that three or more lazily loaded
        // pages share into another; splitting it further would cost more requests.
        codeSplitting: {
          groups: [
            { name: 'page', tags: ['$initial'] },
            { name: 'shared', minShareCount: 3 },
          ],
        },
      },
    },
  },
  // The workers load their WebAssembly module in the same way as the page.
  worker: { format: 'es' },
  server: {
    // The messages are at the root of the repository. Installed packages may be elsewhere if
    // `node_modules` is a link.
    fs: { allow: ['..', realpathSync(new URL('node_modules', import.meta.url))] },
    proxy: { '/api': { target: server, ws: true } },
  },
  // The defaults of five and ten seconds are too short while compilers are using all the processors.
  test: { include: ['src/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000 },
});
