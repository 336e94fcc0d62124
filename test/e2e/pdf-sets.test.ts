import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import { hasChromium } from './chromium.ts';
import { expectFocus, useHarness } from './harness.ts';
import { somePdf } from './some-pdf.ts';

const pdf = (name: string, words: string, padding = 0) => ({
  name,
  mimeType: 'application/pdf',
  buffer: somePdf(words, padding),
});

const set = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name }).first();

describe.skipIf(!hasChromium)('PDF sets', () => {
  const harness = useHarness();

  test('a new set is named and filled with files, and is then indexed and searchable', async () => {
    const page = await harness.signedIn();
    await page.goto('/resources?tab=pdf-sets');
    await page.getByRole('button', { name: 'New PDF set' }).press('Enter');
    const name = page.getByRole('textbox', { name: 'Name' });
    await expectFocus(name);
    await page.keyboard.press('Enter');
    await page.getByText('Enter a name.').waitFor();
    await choose(page, [
      pdf('pump-manual.pdf', 'The pump is primed with two litres of water.'),
      pdf('valve-manual.pdf', 'The valve closes clockwise.'),
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no') },
    ]);
    await page.getByText('notes.txt is not a PDF, so it was not stored.').waitFor();
    expect(await name.inputValue()).toBe('pump manual');
    await name.fill('Lab manuals');
    await page.getByRole('button', { name: 'Create and upload' }).click();

    const card = set(page, 'Lab manuals');
    await card.getByText('complete', { exact: true }).waitFor();
    const files = page.getByRole('table', { name: 'Files of Lab manuals' });
    await files.getByRole('row').filter({ hasText: 'pump-manual.pdf' }).getByText('Indexed').waitFor();
    await card.getByText(/2 files .* 2 pages indexed/).waitFor();

    await page.getByRole('tab', { name: 'Sources' }).click();
    await page.getByRole('row').filter({ hasText: 'Lab manuals' }).getByText('Ready').locator('visible=true').waitFor();
    await page.goto('/search?q=primed+with+water');
    await page.getByRole('article').filter({ hasText: 'two litres' }).waitFor();
  });

  test('a damaged file fails alone and shows that it failed', async () => {
    const page = await harness.signedIn();
    await page.goto('/resources?tab=pdf-sets');
    await page.getByRole('button', { name: /^Lab manuals/ }).click();
    await choose(page, [
      {
        name: 'broken.pdf',
        mimeType: 'application/pdf',
        buffer: Buffer.from('%PDF-1.7\nnothing of it is true\n%%EOF'),
      },
    ]);
    const row = page
      .getByRole('table', { name: 'Files of Lab manuals' })
      .getByRole('row')
      .filter({ hasText: 'broken.pdf' });
    await row.getByText('Failed').waitFor();
    await set(page, 'Lab manuals').getByText('1 file failed').waitFor();
    await page.getByRole('button', { name: 'Remove broken.pdf' }).click();
    await page.getByRole('button', { name: 'Remove file' }).click();
    await row.waitFor({ state: 'detached' });
  });

  test('an upload resumes where it stopped after the connection was lost', async () => {
    const page = await harness.signedIn();
    const parts: string[] = [];
    let isLost = false;
    await page.route(/\/api\/pdf-uploads\/[^/]+\/parts/, async (route) => {
      const offset = new URL(route.request().url()).searchParams.get('offset') ?? '';
      // The first part arrives, then the connection is cut once.
      if (offset !== '0' && !isLost) {
        isLost = true;
        return route.abort('connectionreset');
      }
      parts.push(offset);
      return route.continue();
    });
    await page.goto('/resources?tab=pdf-sets');
    await page.getByRole('button', { name: /^Lab manuals/ }).click();
    await choose(page, [pdf('atlas.pdf', 'The atlas shows the coast.', limits.pdfPartBytes)]);
    await page.getByText('Connection lost, trying again…').waitFor();
    const table = page.getByRole('table', { name: 'Files of Lab manuals' });
    await table.getByRole('row').filter({ hasText: 'atlas.pdf' }).waitFor();
    expect(parts).toEqual(['0', String(limits.pdfPartBytes)]);
  });

  test('a paused upload resumes after a reload when the user chooses the file again', async () => {
    const page = await harness.signedIn();
    const begun: string[] = [];
    const offsets: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/uploads')) begun.push(request.url());
    });
    await page.route(/\/api\/pdf-uploads\/[^/]+\/parts/, async (route) => {
      const offset = new URL(route.request().url()).searchParams.get('offset') ?? '';
      offsets.push(offset);
      if (offset === '0') return route.continue();
      // Held until the user pauses.
      if (offsets.length === 2) return undefined;
      return route.continue();
    });
    await page.goto('/resources?tab=pdf-sets');
    await page.getByRole('button', { name: /^Lab manuals/ }).click();
    const chart = pdf('chart.pdf', 'The chart names the reefs.', limits.pdfPartBytes);
    await choose(page, [chart]);
    await expect.poll(() => offsets.length, { timeout: 15_000 }).toBe(2);
    await page.getByRole('button', { name: 'Pause chart.pdf' }).click();
    await page.getByText('Paused').waitFor();
    await page.reload();
    await page.getByText(/^Upload interrupted/).waitFor();
    await choose(page, [chart]);
    const table = page.getByRole('table', { name: 'Files of Lab manuals' });
    await table.getByRole('row').filter({ hasText: 'chart.pdf' }).waitFor();
    expect(begun).toHaveLength(1);
    expect(offsets).toEqual(['0', String(limits.pdfPartBytes), String(limits.pdfPartBytes)]);
  });

  test('a second interrupted upload can be discarded while the first is being discarded', async () => {
    const page = await harness.signedIn();
    await page.route(/\/api\/pdf-sets\/[^/]+$/, async (route) => {
      const response = await route.fetch();
      const read = (await response.json()) as { set: { setId: string } };
      const upload = { setId: read.set.setId, sizeBytes: 9, offset: 4, expiresAt: Date.now() + 3_600_000 };
      const uploads = ['first', 'second'].map((name) => ({ ...upload, uploadId: name, fileName: `${name}.pdf` }));
      await route.fulfill({ response, json: { ...read, uploads } });
    });
    const discarded: string[] = [];
    // Never answered.
    await page.route(/\/api\/pdf-uploads\/[^/]+$/, (route) => {
      discarded.push(route.request().url().split('/').at(-1) ?? '');
    });
    await page.goto('/resources?tab=pdf-sets');
    await page.getByRole('button', { name: /^Lab manuals/ }).click();
    await page.getByRole('button', { name: 'Discard first.pdf' }).click();
    await page.getByRole('button', { name: 'Discard second.pdf' }).click();
    await expect.poll(() => discarded).toEqual(['first', 'second']);
  });

  test('files can be dropped onto a set', async () => {
    const page = await harness.signedIn();
    await page.goto('/resources?tab=pdf-sets');
    await page.getByRole('button', { name: /^Lab manuals/ }).click();
    const bytes = somePdf('The siphon drains the tank.').toString('base64');
    const transfer = await page.evaluateHandle(
      `(() => {
        const transfer = new DataTransfer();
        const bytes = Uint8Array.from(atob(${JSON.stringify(bytes)}), (letter) => letter.charCodeAt(0));
        transfer.items.add(new File([bytes], 'siphon.pdf', { type: 'application/pdf' }));
        return transfer;
      })()`,
    );
    await page.getByText('Drop PDF files or folders here, or').dispatchEvent('drop', { dataTransfer: transfer });
    const table = page.getByRole('table', { name: 'Files of Lab manuals' });
    await table.getByRole('row').filter({ hasText: 'siphon.pdf' }).waitFor();
  });

  test('a set can be renamed in place, and is removed after a confirmation that names the loss', async () => {
    const page = await harness.signedIn();
    await page.goto('/resources?tab=pdf-sets');
    await page.getByRole('button', { name: 'More for Lab manuals' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Workshop manuals');
    await page.keyboard.press('Enter');
    const more = page.getByRole('button', { name: 'More for Workshop manuals' });
    await more.click();
    await page.getByRole('menuitem', { name: 'Remove…' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Remove Workshop manuals' });
    await dialog.getByText(/^Permanently deletes \d+ files? \(/).waitFor();
    await expectFocus(dialog.getByRole('button', { name: 'Cancel' }));
    await dialog.getByRole('button', { name: 'Remove PDF set' }).click();
    await more.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'No PDF sets yet' }).waitFor();
  });
});

async function choose(page: Page, files: { name: string; mimeType: string; buffer: Buffer }[]): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose files' }).click();
  await (await choosing).setFiles(files);
}
