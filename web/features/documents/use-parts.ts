import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import type { Document, DocumentSnippet } from '#contract/documents.ts';
import * as limits from '#contract/limits.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { documentPartOptions } from './queries.ts';

const partSize = limits.documentSnippetsPerPart;
/** Beyond this distance, the parts in between are skipped: a manual of 10,000 pages is not loaded at once. */
const partsBetweenMax = 4;

interface Parts {
  snippets: DocumentSnippet[];
  /** Number of passages before and after those shown. */
  before: number;
  after: number;
  isLoading: boolean;
  isFaulty: boolean;
  retry(): void;
  showBefore(): void;
  showAfter(): void;
  /** Loads and shows a passage, in whichever part it is. */
  showPassage(index: number): void;
}

/** Returns the visible parts of a long page: the initial one, and those requested since. */
export function useParts(document: Document): Parts {
  const workspace = useWorkspaceId();
  const own = Math.floor(document.from / partSize);
  const last = Math.max(0, Math.ceil(document.snippetCount / partSize) - 1);
  const [range, setRange] = useState({ own, first: own, last: own });
  // A different part was loaded with the page: the parts around the old one are far away.
  const shown = range.own === own ? range : { own, first: own, last: own };
  const page = {
    address: document.url,
    moduleId: document.module.moduleId,
    visibility: document.module.visibility,
  };
  const wanted = Array.from({ length: shown.last - shown.first + 1 }, (_, at) => shown.first + at);
  const queries = useQueries({
    queries: wanted.map((part) => ({
      ...documentPartOptions(workspace, page, part * partSize),
      enabled: part !== own,
    })),
  });
  const snippets = wanted.flatMap((part, at) =>
    part === own ? document.snippets : (queries[at]?.data?.snippets ?? []),
  );
  const others = queries.filter((_, at) => wanted[at] !== own);
  return {
    snippets,
    before: shown.first * partSize,
    after: Math.max(0, document.snippetCount - (shown.last + 1) * partSize),
    isLoading: others.some(({ isPending }) => isPending),
    isFaulty: others.some(({ isError }) => isError),
    retry: () => {
      for (const query of others) if (query.isError) void query.refetch();
    },
    showBefore: () => setRange({ ...shown, first: Math.max(0, shown.first - 1) }),
    showAfter: () => setRange({ ...shown, last: Math.min(last, shown.last + 1) }),
    showPassage: (index) => {
      const part = Math.floor(index / partSize);
      const distance = Math.max(shown.first - part, part - shown.last, 0);
      if (distance === 0) return;
      if (distance > partsBetweenMax) setRange({ own, first: part, last: part });
      else setRange({ own, first: Math.min(shown.first, part), last: Math.max(shown.last, part) });
    },
  };
}
