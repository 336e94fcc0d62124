import type { Locator, Page } from 'playwright-core';

const triesMax = 5;
const tryMs = 8_000;

/**
 * Drops files and folders of this machine on an element, like a user who drags them in from outside, until the page
 * shows `outcome`: a busy browser treats a drop that comes too soon as cancelled.
 */
export async function dropPaths(page: Page, place: Locator, files: string[], outcome: Locator): Promise<void> {
  await place.scrollIntoViewIfNeeded();
  const box = await place.boundingBox();
  if (box === null) throw new Error('there is nothing to drop on');
  const session = await page.context().newCDPSession(page);
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const data = { items: [], files, dragOperationsMask: 1 };
  for (let tries = 1; ; tries += 1) {
    for (const type of ['dragEnter', 'dragOver', 'dragOver', 'drop'] as const) {
      await session.send('Input.dispatchDragEvent', { type, ...at, data });
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    }
    try {
      await outcome.waitFor({ timeout: tryMs });
      break;
    } catch (error) {
      if (tries === triesMax) throw error;
    }
  }
  await session.detach();
}
