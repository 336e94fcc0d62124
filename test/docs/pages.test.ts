import { join } from 'node:path';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { beforeAll, describe, expect, test } from 'vitest';
import { errorTable } from '#contract/errors.ts';
import type { DocsPage, WrittenDocs } from '#contract/product-docs.ts';
import { openSegment } from '#server/engine/index.ts';
import type { ByteSource } from '#server/engine/types.ts';
import { productDocsAddress } from '#server/features/product-docs/index.ts';
import { writeDocs } from '../../scripts/docs/build.ts';
import { docsSegment } from '../../scripts/docs/docs-segment.ts';

let docs: WrittenDocs;

beforeAll(async () => {
  docs = await writeDocs(join(import.meta.dirname, '..', '..'));
});

describe('documentation pages', () => {
  test('every link leads to an existing page and heading', () => {
    const anchors = new Map(docs.pages.map((page) => [page.path, idsOf(page)]));
    const broken = docs.pages.flatMap((page) =>
      linksOf(page).flatMap((href) => {
        const [path = '', fragment] = href.split('#');
        const known = anchors.get(path === '' ? page.path : path);
        const isThere = known !== undefined && (fragment === undefined || known.has(decodeURIComponent(fragment)));
        return isThere ? [] : [`${page.path}: ${href}`];
      }),
    );
    expect(broken).toEqual([]);
  });

  test('every passage of the index is on its page, below the heading that it names', () => {
    const anchors = new Map(docs.pages.map((page) => [page.path, idsOf(page)]));
    const segment = openSegment(sourceOf(docsSegment(docs.pages)));
    const lost = [...segment.pages()].flatMap(({ url }, index) => {
      const path = url.slice(productDocsAddress.length);
      const isLost = ({ anchor }: { anchor: string }): boolean =>
        anchor !== '' && anchors.get(path)?.has(anchor) !== true;
      return segment
        .pageSnippets(index)
        .filter(isLost)
        .map(({ anchor }) => `${path}#${anchor}`);
    });
    expect(lost).toEqual([]);
    expect(segment.snippetCount).toBeGreaterThan(300);
  });

  test('every error code has a page', () => {
    const paths = new Set(docs.pages.map(({ path }) => path));
    expect(Object.keys(errorTable).filter((code) => !paths.has(`/docs/errors/${code}`))).toEqual([]);
  });

  test('every page is in the menu once and has a description', () => {
    const listed = docs.sections.flatMap(({ paths }) => paths);
    expect(new Set(listed).size).toBe(listed.length);
    expect(docs.pages.map(({ path }) => path).sort()).toEqual(['/docs', ...listed].sort());
    for (const page of docs.pages) {
      expect(page.title, page.path).not.toBe('');
      expect(page.description, page.path).not.toBe('');
    }
  });

  test('no page contains a script, its own styles or an event handler', () => {
    const bad = docs.pages.flatMap((page) =>
      elementsOf(page).flatMap(({ tagName, attrs }) =>
        ['script', 'style', 'iframe'].includes(tagName) || attrs.some(({ name }) => /^(style|on\w+)$/.test(name))
          ? [`${page.path}: ${tagName}`]
          : [],
      ),
    );
    expect(bad).toEqual([]);
  });
});

function sourceOf(bytes: Uint8Array): ByteSource {
  return { byteLength: bytes.byteLength, read: (offset, length) => bytes.subarray(offset, offset + length) };
}

function linksOf(page: DocsPage): string[] {
  return elementsOf(page)
    .filter(({ tagName }) => tagName === 'a')
    .map(({ attrs }) => attrs.find(({ name }) => name === 'href')?.value ?? '')
    .filter((href) => href.startsWith('/docs') || href.startsWith('#'));
}

function idsOf(page: DocsPage): Set<string> {
  const within = elementsOf(page).flatMap(({ attrs }) => attrs.find(({ name }) => name === 'id')?.value ?? []);
  return new Set([page.anchor, ...within]);
}

function elementsOf(page: DocsPage): DefaultTreeAdapterTypes.Element[] {
  const found: DefaultTreeAdapterTypes.Element[] = [];
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    if ('tagName' in node) found.push(node);
    if ('childNodes' in node) node.childNodes.forEach(visit);
  };
  visit(parseFragment(page.html));
  return found;
}
