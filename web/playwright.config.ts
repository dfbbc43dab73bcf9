import { defineConfig, devices } from '@playwright/test';

/** The system's Chromium, so that nothing is downloaded. */
const chromium = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  forbidOnly: process.env['CI'] !== undefined,
  fullyParallel: true,
  // Tests spend about half of their time waiting, so three workers keep two cores busy.
  workers: 3,
  // Three browsers and a server share two cores, so pages may be slow without being wrong:
  // scrolling through a long rule page can take most of a minute.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  // Reference pictures are updated only deliberately, with `cargo xtask pictures`.
  updateSnapshots: 'none',
  // A test that passes only when retried is reported as flaky.
  retries: process.env['CI'] === undefined ? 0 : 1,
  reporter: process.env['CI'] === undefined ? 'list' : [['list'], ['html', { open: 'never' }]],
  use: {
    // The address of a running server; `cargo xtask test` starts one.
    baseURL: process.env['ADOUBE_URL'] ?? 'http://127.0.0.1:8787',
    locale: 'fr-FR',
    // Recording a trace slows every step, so in CI only a retry is recorded.
    trace: process.env['CI'] === undefined ? 'retain-on-failure' : 'on-first-retry',
    // Requests handled by a service worker cannot be intercepted, so service workers are allowed
    // only in their own tests.
    serviceWorkers: 'block',
    launchOptions: {
      executablePath: chromium,
      args: [
        '--no-sandbox',
        '--disable-dev-shm-usage',
        '--disable-gpu',
        // Stops Chromium's own requests, so that only the tested pages use the network.
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
      // These tests do not depend on the screen width, or set it themselves.
      testIgnore:
        /[\\/](under-path|boards|booklet|crash|engine|game-layout|games|hostile|looks|offline|refusals|responsive|rules|studies|threads|weight|zoom)\.spec\.ts/,
      use: {
        ...devices['Desktop Chrome'],
        viewport: { width: 360, height: 740 },
        hasTouch: true,
        // Pages need less processor time without animations. The wide project tests them.
        contextOptions: { reducedMotion: 'reduce' },
      },
    },
  ],
});
