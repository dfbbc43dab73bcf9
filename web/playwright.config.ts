import { defineConfig, devices } from '@playwright/test';

/** The system's Chromium: nothing is downloaded. */
const chromium = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  forbidOnly: process.env['CI'] !== undefined,
  fullyParallel: true,
  workers: 2,
  // Two browsers and a server share two cores: a page may be slow to show what it knows, and that is no failure.
  // A long page of rules takes a slow machine most of a minute to look through.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  // A test that needs a second try is reported as flaky.
  retries: process.env['CI'] === undefined ? 0 : 1,
  reporter: process.env['CI'] === undefined ? 'list' : [['list'], ['html', { open: 'never' }]],
  use: {
    // A running server; `cargo xtask test` starts one.
    baseURL: process.env['ADOUBE_URL'] ?? 'http://127.0.0.1:8787',
    locale: 'fr-FR',
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: chromium,
      args: [
        '--no-sandbox',
        '--disable-dev-shm-usage',
        '--disable-gpu',
        // Nothing but the pages under test is asked for anything.
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
  projects: [
    {
      name: 'wide',
      use: { ...devices['Desktop Chrome'], viewport: { width: 1280, height: 860 } },
    },
    {
      name: 'narrow',
      // A game is as long on every screen; the games look at narrow ones by themselves.
      testIgnore: /(boards|games|crash|rules|weight|refusals|engine)\.spec\.ts/,
      use: { ...devices['Desktop Chrome'], viewport: { width: 360, height: 740 }, hasTouch: true },
    },
  ],
});
