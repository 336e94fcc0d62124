import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** The headless shell comes first: it has no windows, for which the others start drawing processes. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/**
 * Returns a browser on this machine: `CHROMIUM_PATH`, or else the first known name on PATH; undefined if there is none.
 */
export function findChromium(): string | undefined {
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
    // Missing or not executable, so unusable.
    return false;
  }
}

/** Starts the browser without a window. Throws if there is none. */
export async function launchChromium(): Promise<Browser> {
  const path = findChromium();
  if (path === undefined) throw new Error('there is no Chromium: install one, or set CHROMIUM_PATH');
  return chromium.launch({
    executablePath: path,
    // The second half prevents the browser's requests to other machines.
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run']
      .concat([
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--disable-extensions',
      ])
      // The last two are pages that Chromium keeps ready in each window; without them, a tab takes half the processor time.
      .concat(['--disable-features=Translate,OptimizationHints,MediaRouter,WebUIOmniboxPopup,WebUIOmniboxAimPopup'])
      .concat(['--force-color-profile=srgb']),
  });
}
