import { expect, test } from 'vitest';
import { productToolNames, slugOf } from '#contract/product-name.ts';
import { placeholders } from '#contract/public-page.ts';
import { withName } from './installation-name.ts';

test('a page says the name of the installation, of its tools and of its server before any script runs', () => {
  const { productName, address } = placeholders;
  const server = slugOf(productName).replaceAll('_', '-');
  const page = `<p>${productName} at ${address}</p><code>${productToolNames(productName).search} ${server}</code>`;
  expect(withName(page, 'Acme & Docs', 'https://docs.acme.example')).toBe(
    '<p>Acme &amp; Docs at https://docs.acme.example</p><code>acme_docs_search_documentation acme-docs</code>',
  );
});
