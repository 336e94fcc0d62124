import { markdownPathOf } from '#contract/public-page.ts';
import type { PublicPage } from '#contract/public-page-schema.ts';

const sections: { title: string; kind: PublicPage['kind'] }[] = [
  { title: 'Documentation', kind: 'docs' },
  { title: 'Pages', kind: 'page' },
  { title: 'Use cases', kind: 'use-case' },
  { title: 'Blog', kind: 'post' },
];

/** What agents find here, as https://llmstxt.org proposes; links lead to the Markdown of each page. */
export function llmsFile(pages: readonly PublicPage[], productName: string, address: string): string {
  const lists = sections.flatMap(({ title, kind }) => {
    const listed = pages.filter((page) => page.kind === kind);
    if (listed.length === 0) return [];
    const lines = listed.map(
      (page) => `- [${page.title}](${address}${markdownPathOf(page.path)}): ${page.description}`,
    );
    return [`## ${title}\n\n${lines.join('\n')}`];
  });
  return [
    `# ${productName}`,
    '> Context for your agent: searches documentation and answers with the passages that hold the answer, over MCP.',
    `The MCP server is at ${address}/mcp (streamable HTTP). It takes an API key in the header Authorization (Bearer), ` +
      'or lets a person connect it with OAuth. Every page listed here is Markdown; the same path without .md is the ' +
      'page for people, which is also sent as Markdown to requests with "Accept: text/markdown".',
    ...lists,
    '',
  ].join('\n\n');
}
