import { defineConfig } from '@playwright/test';
import tests from './playwright.config';

/** Benchmarks, run one at a time: `cargo xtask bench browser`. */
export default defineConfig(tests, {
  testDir: 'bench',
  testMatch: '*.bench.ts',
  workers: 1,
  retries: 0,
  reporter: 'list',
  // A recording slows the page down.
  use: { ...tests.use, trace: 'off' },
  projects: tests.projects?.filter(({ name }) => name === 'wide') ?? [],
});
