import { expect, test } from 'vitest';
import { finishMarkdown } from './markdown-finish.ts';

test('an image is replaced with its description and address, so that no browser draws a broken one', () => {
  const image = {
    ...{ type: 'element' as const, tagName: 'img', children: [] },
    properties: { src: 'lamp.png', alt: 'A lamp', title: 'Lit' },
  };
  const baseUrl = 'https://docs.example/guide/';
  const finish = finishMarkdown({ baseUrl, linkTo: undefined, headingLevel: 1, idPrefix: 'text-' });
  finish({ children: [image] });
  expect(image).toMatchObject({
    ...{ tagName: 'span', properties: { className: ['prose-image'] } },
    children: [
      { tagName: 'span', properties: { title: 'Lit' }, children: [{ value: 'A lamp' }] },
      { value: ' ' },
      { tagName: 'a', properties: { href: 'https://docs.example/guide/lamp.png' } },
    ],
  });
});
