import { describe, test } from 'vitest';
import { hasChromium } from './chromium.ts';
import { useHarness } from './harness.ts';
import { pdfSetScenes } from './pdf-set-scenes.ts';
import { checkScene } from './scene.ts';

describe.skipIf(!hasChromium)('the PDF sets panel is accessible in its states, in both themes and at both widths', () => {
  const harness = useHarness();

  test.each(pdfSetScenes)('$name', (scene) => checkScene(harness, scene));
});
