// Draws the images for link previews, 1200 by 630, from the list of public pages into web/public/social, and the icons
// that cannot be SVG. They do not contain the product's name, because an installation may change it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { publicPages } from '../web/lib/public-pages.ts';
import { launchChromium } from './chromium.ts';

const size = { width: 1200, height: 630 };

export async function drawSocialImages(root) {
  const folder = join(root, 'web/public/social');
  mkdirSync(folder, { recursive: true });
  const mark = readFileSync(join(root, 'web/public/favicon.svg'), 'utf8');
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: size, colorScheme: 'light' });
    for (const listed of publicPages) {
      if (listed.socialImage === undefined) continue;
      await page.setContent(pictureOf(listed, mark));
      const file = join(folder, basename(listed.socialImage));
      await page.screenshot({ path: file });
      process.stdout.write(`${file}\n`);
    }
    await drawIcons(page, mark, join(root, 'web/public'));
  } finally {
    await browser.close();
  }
  return 0;
}

/** For home screens, which round the corners themselves, and for browsers without SVG icon support. */
async function drawIcons(page, mark, folder) {
  const draw = async (pixels, isFull) => {
    await page.setViewportSize({ width: pixels, height: pixels });
    // A square in the mark's background colour; the shapes stay inside the middle 80 percent, which masks never crop.
    const shown = isFull ? mark.replace('viewBox="0 0 24 24"', 'viewBox="1 1 22 22"').replace('rx="6"', '') : mark;
    await page.setContent(
      `<style>*{margin:0;background:none}svg{display:block;height:100vh;width:100vw}</style>${shown}`,
    );
    return page.screenshot({ omitBackground: true });
  };
  writeFileSync(join(folder, 'apple-touch-icon.png'), await draw(180, true));
  writeFileSync(join(folder, 'icon-192.png'), await draw(192, true));
  writeFileSync(join(folder, 'icon-512.png'), await draw(512, true));
  writeFileSync(join(folder, 'favicon.ico'), asIco(await draw(32, false), 32));
}

/** Returns a PNG wrapped as an ICO file. */
function asIco(png, pixels) {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(pixels, 6);
  head.writeUInt8(pixels, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}

const kickers = { page: '', post: 'Blog', 'use-case': 'Use case', docs: 'Documentation' };

/** Returns a picture of a page with one highlighted passage, the product's idea, and the title beside it. */
function pictureOf({ title, description, kind }, mark) {
  const lines = [62, 100, 88, 94, 40, 0, 100, 92, 97, 55, 0, 84, 100, 71, 0, 96, 89, 100, 64];
  const drawn = lines.map((width, at) => {
    const isLit = at >= 6 && at <= 9;
    return `<i class="${isLit ? 'lit' : ''}" style="width:${width}%"></i>`;
  });
  const kicker = kickers[kind] === '' ? '' : `<p class="kicker">${kickers[kind]}</p>`;
  return `<!doctype html><html lang="en"><style>
    * { box-sizing: border-box; margin: 0 }
    body { background: #f8fbf8; color: #16221d; display: grid; font-family: "Liberation Sans", sans-serif;
      grid-template-columns: 700px 1fr; height: 630px; overflow: hidden; width: 1200px }
    main { display: flex; flex-direction: column; justify-content: space-between; height: 630px; padding: 68px 0 64px 76px }
    svg { height: 64px; margin-left: -3px; width: 64px }
    .kicker { color: #0b6344; font-size: 26px; font-weight: 600; margin-bottom: 16px }
    h1 { font-family: "P052", "URW Palladio L", "Liberation Serif", serif; font-size: ${title.length > 34 ? 60 : 72}px;
      font-weight: 500; letter-spacing: -0.022em; line-height: 1.06; text-wrap: balance }
    .text { color: #45544d; font-size: 27px; line-height: 1.42; margin-top: 24px; text-wrap: pretty }
    aside { padding: 92px 0 0 74px }
    .sheet { background: #fff; border: 1.5px solid #d9e2dc; border-radius: 18px 0 0 0; box-shadow: 0 24px 70px -18px #16221d33;
      display: flex; flex-direction: column; gap: 17px; height: 600px; padding: 46px 60px 0 46px }
    i { background: #e2e9e4; border-radius: 6px; display: block; height: 12px }
    i[style="width:0%"] { height: 2px; background: none }
    i.lit { background: #0b6344; box-shadow: 0 0 0 9px #d5f2e2 }
  </style><main><div>${mark}</div><div>${kicker}<h1>${escaped(title.replace(/^Use case: /, ''))}</h1><p class="text">${escaped(description)}</p></div></main>
  <aside><div class="sheet">${drawn.join('')}</div></aside></html>`;
}

function escaped(text) {
  return text.replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[character]);
}
