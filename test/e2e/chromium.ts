import { findChromium } from '../../scripts/chromium.ts';

/** Path of the browser; undefined when there is none. */
export const chromiumPath = findChromium();

/** Whether the screens can be tested here. On CI a missing browser is a failure, elsewhere one visible line. */
export const hasChromium = chromiumPath !== undefined || Boolean(process.env.CI);
if (!hasChromium) console.warn('test/e2e is left out: no Chromium found (install it or set CHROMIUM_PATH)');
