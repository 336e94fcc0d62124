import type { PublicPage } from '#contract/public-page-schema.ts';

/** All were published together. */
const published = { publishedOn: '2026-11-22', updatedOn: '2026-11-22' };

/**
 * All public pages, in the order of the site map. Prerendering, titles and sharing metadata, sitemap, feed, llms.txt
 * and the Markdown versions are generated from it. To add a public page, add it here and give it a route with
 * `publicPage`.
 */
export const publicPages: readonly PublicPage[] = [
  {
    path: '/',
    title: 'Context for your agent',
    description:
      'Indexes documentation on your own machine and answers coding agents over MCP with the passage they need, not the page.',
    kind: 'page',
    ...published,
    socialImage: '/social/home.png',
  },
  {
    path: '/status',
    title: 'Status',
    description:
      "This installation's health, measured every minute: components, speed of searches and reads, index, and incidents.",
    kind: 'page',
    ...published,
    socialImage: '/social/status.png',
  },
  {
    path: '/mcp',
    title: 'Connect over MCP',
    description:
      'Connect Claude Code, Cursor, VS Code and any other MCP client, with a key or without; tools, prompts, resources and errors as agents get them.',
    kind: 'page',
    ...published,
  },
  {
    path: '/blog',
    title: 'Blog',
    description: 'How the product is built and measured, with our own figures and the commands to reproduce them.',
    kind: 'page',
    ...published,
  },
  {
    path: '/blog/how-make-search-good',
    title: 'How we make search good for agents',
    description: 'Recall and tokens instead of precision: what is counted, against what, and where it is weak.',
    kind: 'post',
    ...published,
    socialImage: '/social/how-make-search-good.png',
  },
  {
    path: '/blog/how-does-ref-mcp',
    title: 'How we use MCP',
    description:
      'Two tools, two prompts and a memory: what each part of the protocol costs an agent, and what it saves.',
    kind: 'post',
    ...published,
    socialImage: '/social/how-does-ref-mcp.png',
  },
  {
    path: '/use-case/turbopuffer',
    title: 'Use case: turbopuffer',
    description:
      'How the documentation of a vector and full-text search database is served to coding agents: the passage with its code, not the page.',
    kind: 'use-case',
    ...published,
    socialImage: '/social/use-case-turbopuffer.png',
  },
  {
    path: '/use-case/rime',
    title: 'Use case: Rime',
    description:
      'How the documentation of a text-to-speech API is served to coding agents: one operation at a time, with its types and defaults.',
    kind: 'use-case',
    ...published,
    socialImage: '/social/use-case-rime.png',
  },
  {
    path: '/subscribe',
    title: 'Subscribe',
    description:
      'Plans and prices: what a search or a read costs, what each month includes, and how to buy more credits.',
    kind: 'page',
    ...published,
  },
  {
    path: '/conf',
    title: 'Conference',
    description: 'An online conference about context for agents: program, call for speakers, and sign-up by email.',
    kind: 'page',
    ...published,
  },
  {
    path: '/privacy',
    title: 'Privacy',
    description: 'What this installation stores about you, where and for how long, and how to export or delete it.',
    kind: 'page',
    ...published,
  },
  {
    path: '/test_doc2',
    title: 'A page with everything on it',
    description: 'A sample page with every construct that the document viewer supports.',
    kind: 'page',
    ...published,
  },
  {
    path: '/chat',
    title: 'Chat',
    description:
      'Ask the documentation indexed here. Answers cite numbered passages, and each number opens its page at that passage.',
    kind: 'page',
    ...published,
    socialImage: '/social/chat.png',
  },
  {
    path: '/demo',
    title: 'Demo',
    description:
      'Ask the public documentation of this installation without an account. Every answer shows its sources and how many tokens it took.',
    kind: 'page',
    ...published,
    socialImage: '/social/demo.png',
  },
];

/**
 * Returns the listed page at `path`. Throws if it is missing, because it would also be missing from everything
 * generated from the list.
 */
export function publicPageAt(path: string): PublicPage {
  const page = publicPages.find((listed) => listed.path === path);
  if (page === undefined) throw new Error(`${path} is missing in web/lib/public-pages.ts`);
  return page;
}
