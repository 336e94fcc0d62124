import { describe, test } from 'vitest';
import { hasChromium } from './chromium.ts';
import { useHarness } from './harness.ts';
import { checkScene } from './scene.ts';
import { teamScenes } from './team-scenes.ts';

describe.skipIf(!hasChromium)('the screens of teams, in every state, both themes, both widths', () => {
  const harness = useHarness();

  test.each(teamScenes)('$name', (scene) => checkScene(harness, scene));
});
