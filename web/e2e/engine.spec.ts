import { spawnSync } from 'node:child_process';
import { expect, test } from '@playwright/test';
import { benchInPage, builds, engineFiles, networkOf } from './engine-module';

for (const [variant, build] of ['chess', 'baroque', 'interweave'].flatMap((each) =>
  builds.map((one) => [each, one] as const),
))
  test(`${variant} ${build}: as many nodes in the browser as natively`, async ({ page }) => {
    const binary = process.env['ADOUBE_BIN'];
    if (binary === undefined)
      throw new Error('ADOUBE_BIN is not set to a binary; run `cargo xtask test e2e`');
    const files = await engineFiles(page, variant, build);
    expect(files.get('wasm')?.includes('threads')).toBe(build === 'with shared memory');
    const { nodes } = await benchInPage(page, variant, files);
    const { stdout } = spawnSync(
      binary,
      ['bench', '--variant', variant, '--network', networkOf(variant)],
      { encoding: 'utf8' },
    );
    expect(stdout).toContain(`${variant} ${nodes}\n`);
  });
