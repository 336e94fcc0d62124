import { describe, test } from 'vitest';
import { hasChromium } from './chromium.ts';
import { useHarness } from './harness.ts';
import { hostingScenes } from './hosting-scenes.ts';
import { checkScene } from './scene.ts';

describe.skipIf(!hasChromium)('each state of the repositories panel is accessible, in both themes and widths', () => {
  const harness = useHarness();

  test.each(hostingScenes)('$name', (scene) => checkScene(harness, scene));
});
