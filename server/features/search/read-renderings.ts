import { cleanLabel } from './clean-text.ts';
import type { PageToRead } from './page-to-read.ts';

/** Renders the answer from the Markdown of a read; `next` is the id of the document's next part. */
type Renderer = (page: PageToRead, url: string, markdown: string, next?: string) => string;

/** Markdown for agents, or JSON for deep-research clients. */
export type ReadRendering = 'text' | 'deep-research';

export const readRenderings: Record<ReadRendering, Renderer> = {
  text: (_, __, markdown) => markdown,
  'deep-research': (page, url, markdown, next) =>
    JSON.stringify({
      id: url,
      title: cleanLabel(page.title),
      text: markdown,
      url,
      metadata: {
        ...(page.moduleId === null ? {} : { moduleId: page.moduleId }),
        ...(next === undefined ? {} : { next }),
      },
    }),
};
