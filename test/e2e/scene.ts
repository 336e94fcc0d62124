import type { Page } from 'playwright-core';
import { expectAccessible, expectAccessibleLayout, expectNoSidewaysScroll, type Harness } from './harness.ts';

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

export const wide = { width: 1280, height: 800 };
export const narrow = { width: 390, height: 844 };
/** What WCAG 1.4.10 (reflow) asks for: a screen of 1280 at 400 %. */
const narrowest = { width: 320, height: 844 };

/**
 * Fails unless the screen is accessible in both themes and fits, wide and narrow. What was brought up by hand may close
 * when the window changes, so it is brought up again; all else is shown once and made narrow.
 */
export async function checkScene(harness: Harness, scene: Scene): Promise<void> {
  const page = await show(harness, scene, wide);
  await expectAccessible(page, ['light', 'dark']);
  await expectNoSidewaysScroll(page);
  if (scene.act === undefined) await page.setViewportSize(narrow);
  const small = scene.act === undefined ? page : await show(harness, scene, narrow);
  await scene.until(small);
  await expectAccessibleLayout(small);
  await expectNoSidewaysScroll(small);
  await small.setViewportSize(narrowest);
  await expectNoSidewaysScroll(small);
}

async function show(harness: Harness, scene: Scene, size: typeof wide): Promise<Page> {
  const page = await harness.still(scene.isVisitor ? 'visitor' : 'signed in');
  await page.setViewportSize(size);
  await scene.set?.(page);
  await page.goto(scene.path);
  await scene.act?.(page);
  await scene.until(page);
  return page;
}
