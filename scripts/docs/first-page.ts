import type { DocsPage, WrittenDocs } from '../../contract/product-docs.ts';
import type { DocsSource } from './sources.ts';

export const sectionTitles = {
  guide: 'Guide',
  operate: 'Operate',
  reference: 'Reference',
  errors: 'Errors',
} as const;

const about = {
  guide: 'For people who index documentation and connect agents to it.',
  operate: 'For operators of an installation.',
  reference: 'Generated from this version’s code.',
  errors: 'One page for each code: what happened and what to do.',
} as const;

/** Returns `/docs`, the overview of all pages by section. */
export function firstPage(sections: WrittenDocs['sections'], pages: readonly DocsPage[]): DocsSource {
  const parts = sections.map(({ id, title, paths }) => {
    if (id === 'errors') return `## ${title}\n\n${about[id]} [All ${paths.length - 1} codes](/docs/errors).\n`;
    const lines = paths.map((path) => {
      const page = pages.find((known) => known.path === path);
      return `- [${page?.title}](${path}): ${page?.description}`;
    });
    return `## ${title}\n\n${about[id]}\n\n${lines.join('\n')}\n`;
  });
  const opening =
    'How to index documentation, connect agents to it and run an installation; with references of every endpoint, tool, command and setting.';
  return {
    path: '/docs',
    section: null,
    sourcePath: 'docs/contents.json',
    isGenerated: true,
    markdown: `# Documentation\n\n${opening}\n\n${parts.join('\n')}`,
  };
}
