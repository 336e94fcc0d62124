import { findChromium } from '../../scripts/chromium.ts';

/** Path of the browser, or undefined if there is none. */
export const chromiumPath = findChromium();

/** True if the browser tests can run here. On CI a missing browser fails the tests; elsewhere it prints one line. */
export const hasChromium = chromiumPath !== undefined || Boolean(process.env.CI);
if (!hasChromium) console.warn('test/e2e is left out: no Chromium found (install it or set CHROMIUM_PATH)');
