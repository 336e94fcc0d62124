import type { Page } from 'playwright-core';
import { expectAccessible, expectNoSidewaysScroll, type Harness } from './harness.ts';

/** One screen in one state. */
export interface Scene {
  name: string;
  path: string;
  isVisitor?: boolean;
  /** Puts the calls into the state to be shown. */
  set?: (page: Page) => Promise<void>;
  /** Brings up what is not there at first. */
  act?: (page: Page) => Promise<void>;
  /** What shows that the state is reached. */
  until: (page: Page) => Promise<void>;
}

export const heading = (name: string | RegExp) => (page: Page) => page.getByRole('heading', { name }).waitFor();

/** Fails unless the screen is accessible in both themes and fits, wide and narrow. */
export async function checkScene(harness: Harness, scene: Scene): Promise<void> {
  for (const width of [1280, 390] as const) {
    const page = await (scene.isVisitor ? harness.signedOut : harness.signedIn)({ width, isStill: true });
    await scene.set?.(page);
    await page.goto(scene.path);
    await scene.act?.(page);
    await scene.until(page);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.context().close();
  }
}
