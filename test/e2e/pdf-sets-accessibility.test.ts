import { describe, test } from 'vitest';
import { hasChromium } from './chromium.ts';
import { useHarness } from './harness.ts';
import { pdfSetScenes } from './pdf-set-scenes.ts';
import { checkScene } from './scene.ts';

describe.skipIf(!hasChromium)('the panel of PDF sets, in its states, both themes, both widths', () => {
  const harness = useHarness();

  test.each(pdfSetScenes)('$name', (scene) => checkScene(harness, scene));
});
