import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** A browser on this machine: `CHROMIUM_PATH`, else the first known name on PATH; undefined when there is none. */
function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const candidates = [
    process.env.CHROMIUM_PATH,
    ...names.flatMap((name) => folders.map((folder) => join(folder, name))),
  ];
  return candidates.find((path) => path !== undefined && isExecutable(path));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Not there, or not ours to run: either way not a browser for these tests.
    return false;
  }
}

/** Path of the browser; undefined when there is none. */
export const chromiumPath = findChromium();

/** Whether the screens can be tested here. On CI a missing browser is a failure, elsewhere one visible line. */
export const hasChromium = chromiumPath !== undefined || Boolean(process.env.CI);
if (!hasChromium) console.warn('test/e2e is left out: no Chromium found (install it or set CHROMIUM_PATH)');

export async function launchChromium(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error('CI is set, so the screens must be tested, but there is no Chromium');
  return chromium.launch({
    executablePath: chromiumPath,
    // The second half keeps the browser from asking for anything beyond this machine.
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run']
      .concat([
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--disable-extensions',
      ])
      .concat(['--disable-features=Translate,OptimizationHints,MediaRouter', '--force-color-profile=srgb']),
  });
}
