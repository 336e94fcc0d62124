import type { Page } from 'playwright-core';
import { expectAccessible, expectAccessibleLayout, expectNoSidewaysScroll, type Harness } from './harness.ts';

/** One screen in one state. */
export interface Scene {
  name: string;
  path: string;
  isVisitor?: boolean;
  /** Sets the responses for the state. */
  set?: (page: Page) => Promise<void>;
  /** Opens what is not visible at first. */
  act?: (page: Page) => Promise<void>;
  /** Waits until the state is visible. */
  until: (page: Page) => Promise<void>;
}

export const heading = (name: string | RegExp) => (page: Page) => page.getByRole('heading', { name }).waitFor();

export const wide = { width: 1280, height: 800 };
export const narrow = { width: 390, height: 844 };
/** The width of WCAG 1.4.10 (reflow): a screen of 1280 at 400 %. */
const narrowest = { width: 320, height: 844 };

/**
 * Fails unless the screen is accessible in both themes and fits, wide and narrow. An opened menu or dialog may close
 * when the window is resized, so a scene with `act` is shown again at the narrow width; others are only resized.
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
