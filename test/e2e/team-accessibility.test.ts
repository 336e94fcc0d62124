import { describe, expect, test } from 'vitest';
import { libraryEndpoints } from '#contract/library.ts';
import { teamEndpoints } from '#contract/teams.ts';
import { answerWith, someModule } from './answers.ts';
import { hasChromium } from './chromium.ts';
import { useHarness } from './harness.ts';
import { checkScene } from './scene.ts';
import { answerTeams, someTeam } from './team-answers.ts';
import { teamScenes } from './team-scenes.ts';

describe.skipIf(!hasChromium)('each team screen and state is accessible, in both themes and widths', () => {
  const harness = useHarness();

  test.each(teamScenes)('$name', (scene) => checkScene(harness, scene));

  test('a long name without spaces does not widen any screen', async () => {
    const page = await harness.signedIn({ width: 390, isStill: true });
    const displayName = 'W'.repeat(200);
    await answerTeams(page, 'admin', { displayName });
    await answerWith(page, teamEndpoints.listTeams, { teams: [someTeam({ name: 'W'.repeat(100) })] });
    await answerWith(page, libraryEndpoints.listModules, { modules: [someModule({ displayName })] });
    const wide: string[] = [];
    for (const path of [
      ...['/dashboard', '/keys', '/resources', '/search', '/chat', '/activity'],
      ...['/team', '/team?tab=plan', '/team?tab=settings', '/add-members', '/upgrade-team', '/team-manage-seats'],
    ]) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
      await page.waitForLoadState('networkidle');
      if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) wide.push(path);
    }
    expect(wide).toEqual([]);
  });
});
