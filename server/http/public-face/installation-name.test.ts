import { expect, test } from 'vitest';
import { productToolNames, slugOf } from '#contract/product-name.ts';
import { placeholders } from '#contract/public-page.ts';
import { withName } from './installation-name.ts';

test('a page names the installation, its tools and its server before any script runs', () => {
  const { productName, address } = placeholders;
  const server = slugOf(productName).replaceAll('_', '-');
  const page = `<p>${productName} at ${address}</p><code>${productToolNames(productName).search} ${server}</code>`;
  const named = { productName: 'Acme & Docs', address: 'https://docs.acme.example', program: ['lectern-mcp'] };
  expect(withName(page, named)).toBe(
    '<p>Acme &amp; Docs at https://docs.acme.example</p><code>acme_docs_search_documentation acme-docs</code>',
  );
});

test('configurations on a page name the program of the installation, escaped for JSON and shell', () => {
  const snippet = `{"command": "${placeholders.program}", "args": ["${placeholders.arguments}"]}\n-- ${placeholders.program} ${placeholders.arguments}`;
  const page = snippet.replaceAll('"', '&quot;');
  const textWith = (program: string[]) =>
    withName(page, { productName: 'Acme', address: 'https://docs.acme.example', program })
      .replaceAll('&quot;', '"')
      .replaceAll('&apos;', "'");
  expect(textWith(['npx', '-y', 'lectern-mcp'])).toBe(
    '{"command": "npx", "args": ["-y", "lectern-mcp"]}\n-- npx -y lectern-mcp',
  );
  expect(textWith(['/my tools/lectern', 'mcp'])).toBe(
    '{"command": "/my tools/lectern", "args": ["mcp"]}\n-- \'/my tools/lectern\' mcp',
  );
  expect(textWith(['lectern-mcp'])).toBe('{"command": "lectern-mcp", "args": []}\n-- lectern-mcp');
});
