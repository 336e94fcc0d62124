/**
 * Records the blog's film: a search on a running installation's home page, as the browser renders it.
 *
 *   node scripts/record-search-video.mjs http://127.0.0.1:7331 "git undo the last commit but keep the changes"
 *
 * Chromium records (timestamped screencast frames) and encodes (VP9 with WebCodecs); this script writes the container.
 * Writes film, poster image and captions with matching times to web/public/film/.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchChromium } from './chromium.ts';
import { webmOf } from './webm.mjs';

const folder = fileURLToPath(new URL('../web/public/film/', import.meta.url));
const size = { width: 1120, height: 700 };
const [address = 'http://127.0.0.1:7331', query = 'git undo the last commit but keep the changes'] =
  process.argv.slice(2);

const browser = await launchChromium();
const { frames, captions } = await film(await browser.newContext({ viewport: size, colorScheme: 'dark' }));
const { chunks, poster } = await encode(await browser.newPage(), frames);
await browser.close();
await mkdir(folder, { recursive: true });
await writeFile(join(folder, 'search.webm'), webmOf({ ...size, chunks }));
await writeFile(join(folder, 'search.webp'), Buffer.from(poster, 'base64'));
await writeFile(join(folder, 'search.vtt'), captionsOf(captions));
console.log(`${frames.length} frames, ${(chunks.at(-1).timestamp / 1e6).toFixed(1)} s`);

/** Plays the scene and returns each frame with the seconds since the first one. */
async function film(context) {
  const page = await context.newPage();
  await page.goto(address);
  const answer = page.getByRole('group', { name: 'Answer' });
  await answer.getByRole('link').first().waitFor();
  const frames = [];
  const captions = [];
  const devtools = await context.newCDPSession(page);
  let begunAt;
  devtools.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    begunAt ??= metadata.timestamp;
    frames.push({ data, at: metadata.timestamp - begunAt });
    void devtools.send('Page.screencastFrameAck', { sessionId });
  });
  const screen = { maxWidth: size.width, maxHeight: size.height };
  await devtools.send('Page.startScreencast', { format: 'jpeg', quality: 92, ...screen });
  const startedAt = Date.now();
  const say = (text) => captions.push({ text, at: (Date.now() - startedAt) / 1000 });
  const pause = (seconds) => new Promise((fulfil) => setTimeout(fulfil, seconds * 1000));

  say('The home page of an installation shows a real search of its own public index.');
  await pause(3.2);
  say('Another question, worded as an agent would.');
  const box = page.getByRole('textbox', { name: 'Search the public documentation here' });
  await box.click();
  await box.press('ControlOrMeta+A');
  await box.pressSequentially(query, { delay: 55 });
  await pause(0.5);
  await box.press('Enter');
  await page.getByText(/found in .* on this installation/).waitFor();
  say('The passages that answer, each with its address. Below: their cost, out of 10,000 tokens.');
  await pause(4);
  await answer.hover();
  for (let turn = 0; turn < 12; turn += 1) {
    await page.mouse.wheel(0, 22);
    await pause(0.09);
  }
  await pause(1.6);
  say('The suggested queries are titles of indexed pages.');
  await page.getByRole('list', { name: 'Queries to try' }).getByRole('button').nth(2).click();
  await pause(4.2);
  await devtools.send('Page.stopScreencast');
  const endedAt = (Date.now() - startedAt) / 1000;
  captions.push({ text: '', at: endedAt });
  frames.push({ ...frames.at(-1), at: endedAt });
  return { frames: inOrder(frames), captions };
}

/** Sorts frames by time: a few arrive out of order, and players refuse a film whose timestamps do not increase. */
function inOrder(frames) {
  const kept = [];
  for (const frame of frames.toSorted((a, b) => a.at - b.at)) {
    if (kept.length === 0 || frame.at - kept.at(-1).at >= 0.01) kept.push(frame);
  }
  return kept;
}

/** Encodes the frames as VP9, and one of them as an image. WebCodecs require a secure origin, which loopback is. */
async function encode(page, frames) {
  const server = createServer((_, response) => response.end('<!doctype html><title>Encoder</title>'));
  await new Promise((fulfil) => server.listen(0, '127.0.0.1', fulfil));
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  const encoded = await page.evaluate(encodeInPage, { frames, size });
  server.close();
  return {
    poster: encoded.poster,
    chunks: encoded.chunks.map((chunk) => ({ ...chunk, data: Buffer.from(chunk.data, 'base64') })),
  };
}

/** Runs inside the browser. */
async function encodeInPage({ frames, size }) {
  const toBase64 = (bytes) => {
    let text = '';
    for (const byte of bytes) text += String.fromCharCode(byte);
    return btoa(text);
  };
  const pictureOf = async ({ data }) => {
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    return createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }));
  };
  const chunks = [];
  const encoder = new VideoEncoder({
    output: (chunk) => {
      const bytes = new Uint8Array(chunk.byteLength);
      chunk.copyTo(bytes);
      chunks.push({ data: toBase64(bytes), timestamp: chunk.timestamp, isKey: chunk.type === 'key' });
    },
    error: (error) => {
      throw error;
    },
  });
  encoder.configure({ codec: 'vp09.00.31.08', ...size, bitrate: 420_000, latencyMode: 'quality' });
  let keyAt = Number.NEGATIVE_INFINITY;
  for (const frame of frames) {
    const picture = await pictureOf(frame);
    const keyFrame = frame.at - keyAt >= 5;
    if (keyFrame) keyAt = frame.at;
    const image = new VideoFrame(picture, { timestamp: Math.round(frame.at * 1e6) });
    encoder.encode(image, { keyFrame });
    image.close();
    picture.close();
    if (encoder.encodeQueueSize > 8) await new Promise((fulfil) => setTimeout(fulfil, 50));
  }
  await encoder.flush();
  const canvas = new OffscreenCanvas(size.width, size.height);
  canvas.getContext('2d').drawImage(await pictureOf(frames.at(-1)), 0, 0);
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.85 });
  return { chunks, poster: toBase64(new Uint8Array(await blob.arrayBuffer())) };
}

function captionsOf(captions) {
  const time = (seconds) => new Date(seconds * 1000).toISOString().slice(11, 23);
  const cues = captions
    .slice(0, -1)
    .map(({ text, at }, place) => `${time(at)} --> ${time(captions[place + 1].at - 0.1)}\n${text}`);
  return `WEBVTT\n\n${cues.join('\n\n')}\n`;
}
