import { describe, test } from 'vitest';
import { billingScenes } from './billing-scenes.ts';
import { hasChromium } from './chromium.ts';
import { useHarness } from './harness.ts';
import { checkScene } from './scene.ts';

describe.skipIf(!hasChromium)('each billing screen and state is accessible, in both themes and widths', () => {
  const harness = useHarness();

  test.each(billingScenes)('$name', (scene) => checkScene(harness, scene));
});
