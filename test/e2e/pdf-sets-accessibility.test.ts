import { describe, test } from 'vitest';
import { hasChromium } from './chromium.ts';
import { useHarness } from './harness.ts';
import { pdfSetScenes } from './pdf-set-scenes.ts';
import { checkScene } from './scene.ts';

describe.skipIf(!hasChromium)('each state of the PDF sets panel is accessible, in both themes and widths', () => {
  const harness = useHarness();

  test.each(pdfSetScenes)('$name', (scene) => checkScene(harness, scene));
});
