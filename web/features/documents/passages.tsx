import { type KeyboardEvent, type MouseEvent, useCallback } from 'react';
import { useNavigate } from 'react-router';
import type { Document, DocumentCut } from '#contract/documents.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { countOf } from '../../ui/quantities.ts';
import { type Fate, Passage } from './passage.tsx';
import { newHeadings } from './passage-words.ts';
import { goToPassage } from './reading-place.ts';
import type { useParts } from './use-parts.ts';

interface PassagesProps {
  document: Document;
  parts: ReturnType<typeof useParts>;
  cut: DocumentCut | null | undefined;
  pathOf: (anchor: string) => string;
  pathOfPage: (url: string) => string;
}

/** The page in reading order. J and K go from passage to passage once one of them has the focus. */
export function Passages({ document, parts, cut, pathOf, pathOfPage }: PassagesProps) {
  const navigate = useNavigate();
  const { url, module } = document;
  const linkTo = useCallback(
    (target: string) =>
      target.startsWith(`${url}#`) || target.startsWith(module.url) ? pathOfPage(target) : undefined,
    [url, module.url, pathOfPage],
  );
  const fates = new Map(cut?.kept.map(({ index, isWhole }) => [index, isWhole ? 'whole' : 'part'] as const));
  const onClick = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('.prose a[href^="/document/"]') : null;
    if (link === null || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const path = link.getAttribute('href') ?? '';
    void navigate(path, { preventScrollReset: path.startsWith(`${pathOfPage(url)}#`) });
  };
  return (
    // The links inside are the controls; this only keeps those to other pages of the viewer in this window.
    <div onClick={onClick} onKeyDown={stepThrough} className="flex flex-col">
      {parts.before > 0 && (
        <MoreButton onClick={parts.showBefore} isBusy={parts.isLoading}>
          Show previous ({countOf(parts.before, 'passage')})
        </MoreButton>
      )}
      {parts.snippets.map((snippet, at) => (
        <Passage
          key={snippet.index}
          snippet={snippet}
          headings={newHeadings(document.title, snippet, parts.snippets[at - 1])}
          fate={cut ? ((fates.get(snippet.index) ?? 'out') satisfies Fate) : undefined}
          title={document.title}
          baseUrl={url}
          linkTo={linkTo}
          pathOf={pathOf}
        />
      ))}
      {parts.isFaulty && (
        <Notice
          tone="bad"
          title="Couldn't load a part of this page"
          action={<Button onClick={parts.retry}>Try again</Button>}
        />
      )}
      {parts.after > 0 && (
        <MoreButton onClick={parts.showAfter} isBusy={parts.isLoading}>
          Show next ({countOf(parts.after, 'passage')})
        </MoreButton>
      )}
    </div>
  );
}

function MoreButton({
  onClick,
  isBusy,
  children,
}: {
  onClick: () => void;
  isBusy: boolean;
  children: React.ReactNode;
}) {
  return (
    <div className="my-4 flex justify-center print:hidden">
      <Button isBusy={isBusy} onClick={onClick}>
        {children}
      </Button>
    </div>
  );
}

function stepThrough(event: KeyboardEvent): void {
  if ((event.key !== 'j' && event.key !== 'k') || event.metaKey || event.ctrlKey || event.altKey) return;
  const passage = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('[data-passage]') : null;
  if (passage === null) return;
  event.preventDefault();
  goToPassage({ index: Number(passage.dataset.passage) + (event.key === 'j' ? 1 : -1) });
}
