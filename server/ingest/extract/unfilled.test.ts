import { expect, test } from 'vitest';
import { extractHtml } from './extract-html.ts';

const read = (body: string) => {
  const { blocks, needsScripts } = extractHtml(`<title>T</title><body>${body}</body>`, {
    url: 'https://docs.example/',
  });
  return { text: blocks.map(({ markdown }) => markdown).join('\n\n'), needsScripts };
};

test.each([
  '<main><h1>Call</h1><p>What it does.</p><div class="openapi-skeleton lg"></div></main>',
  '<main><h1>Call</h1><p>What it does.</p><span aria-busy="true"><span class="MuiSkeleton-root"></span></span></main>',
  '<div id="app"></div><script src="app.js"></script>',
  '<div id="root">Loading…</div>',
  '<p>Loading...</p><h2>Parameters</h2><h2>Errors</h2><p>None.</p><h2>Fields</h2>',
  '<p>This page requires JavaScript.</p>',
  '<p>You need to enable JavaScript to run this app.</p>',
])('a page whose text comes from scripts is recognized: %s', (body) => {
  expect(read(body).needsScripts).toBe(true);
});

test.each([
  '<h1>Search</h1><p>Please activate JavaScript to enable the search functionality.</p>',
  '<h1>Modules</h1><p>Loading a module.</p><p>Call it first.</p><script src="a.js"></script>',
  '<pre>&lt;div class="skeleton"&gt;</pre>',
  '<div class="skeleton"><p>A text in a frame of that name.</p></div>',
  '<a href="a.html">A</a><script src="menu.js"></script>',
  '',
])('other pages are not: %s', (body) => {
  expect(read(body).needsScripts).toBe(false);
});

test('a page without other text is read from its noscript elements', () => {
  const text = `<h1>Boiler</h1><p>${'Heats the water until it boils. '.repeat(20)}</p><a href="b">More</a>`;
  expect(read(`<noscript>${text}</noscript><div id="app"></div>`)).toMatchObject({ needsScripts: false });
  expect(read(`<noscript>${text}</noscript><div id="app"></div>`).text).toMatch(/^Boiler\n\nHeats the water/);
  const notice = `<style>${'.a{color:red}'.repeat(50)}</style><h1>This page requires JavaScript.</h1><p>Turn it on.</p>`;
  expect(read(`<noscript>${notice}</noscript><script></script><div id="app"></div>`)).toEqual({
    text: '',
    needsScripts: true,
  });
  expect(read(`<noscript>${text}</noscript><div id="app">Text of its own.</div>`).text).toBe('Text of its own.');
});

test.each(['<noscript ', '<noscript>', '<noscript><style>', '<noscript></style'])(
  'endless %s is handled quickly',
  (tag) => {
    expect(read(tag.repeat(200_000)).text.length).toBeLessThan(100);
  },
);
