import { expect, test } from 'vitest';
import { htmlSiblingsOf, isOtherData, isPlainText, isReadableType } from './page-kinds.ts';

test.each([
  'text/html; charset=utf-8',
  'text/plain',
  'text/x-rst',
  'text/org',
  'text/x-pod',
  'application/x-texinfo',
  'text/troff',
  'application/graphql',
  'application/x-ipynb+json',
])('a page sent as %s is read like a file of that format', (type) => {
  const address = 'https://docs.example/guide/a';
  expect(isReadableType(type, address)).toBe(true);
  expect(isOtherData(new TextEncoder().encode('{"cells": []}'), type, address)).toBe(false);
});

test.each(['a.ipynb', 'a.texi', 'a.mkd'])('%s is a copy of an HTML page next to it', (name) => {
  const address = `https://docs.example/guide/${name}`;
  expect(isPlainText(address)).toBe(true);
  expect(htmlSiblingsOf(address)).toContain(`${address}.html`);
});

test.each(['application/json', 'text/css', 'text/x-python', 'application/javascript', 'image/svg+xml', 'font/woff2'])(
  '%s is not a readable type',
  (type) => {
    expect(isReadableType(type, 'https://docs.example/guide/a')).toBe(false);
  },
);

test.each(['my-pet-api.json', 'spec.v2.yaml', 'api-v1.json', 'v3/api-docs', 'capital.json', 'api.json.map'])(
  'data is read only if its name suggests an API description: %s',
  (name) => {
    const isPromised = !/capital|map/.test(name);
    expect(isReadableType('application/json', `https://docs.example/${name}`)).toBe(isPromised);
  },
);
