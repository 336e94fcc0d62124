import { Link as LinkIcon } from 'lucide-react';
import { type KeyboardEvent, type MouseEvent, memo, Suspense, useCallback } from 'react';
import { Link, useNavigate } from 'react-router';
import type { Document, DocumentCut, DocumentSnippet } from '#contract/documents.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { EarlyMarkdown } from '../../ui/early-markdown.ts';
import { Notice } from '../../ui/notice.tsx';
import { countOf, formatCount } from '../../ui/quantities.ts';
import { goToPassage, passageId } from './reading-place.ts';
import type { useParts } from './use-parts.ts';

interface PassagesProps {
  document: Document;
  parts: ReturnType<typeof useParts>;
  cut: DocumentCut | null | undefined;
  pathOf: (anchor: string) => string;
  pathOfPage: (url: string) => string;
}

/** The page in reading order. J and K move between passages once one of them has the focus. */
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
    // The links inside are the controls; this handler only opens links to other viewer pages in this window.
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

/** A passage's treatment in a read; undefined if no read is previewed. */
type Fate = 'whole' | 'part' | 'out' | undefined;

const fateWords = { whole: 'Sent', part: 'Sent in part', out: 'Left out' } as const;
const kindWords = { prose: 'prose', code: 'code', api: 'API', table: 'table' } as const;

interface PassageProps {
  snippet: DocumentSnippet;
  /** Headings that begin with this passage, with their depth; 0 is the outermost. */
  headings: { text: string; depth: number }[];
  fate: Fate;
  /** The page's title: a passage that repeats it at its start is shown without it. */
  title: string;
  baseUrl: string;
  linkTo: (url: string) => string | undefined;
  pathOf: (anchor: string) => string;
}

/** A passage as agents receive it: its new headings, its text, and its token offset in the margin. */
const Passage = memo(function Passage(props: PassageProps) {
  const { snippet, headings, fate, title, baseUrl, linkTo, pathOf } = props;
  const { index, anchor, kind, text, tokens, tokensBefore, isCleaned } = snippet;
  const shown = withoutTitle(text, title);
  return (
    <section
      id={passageId(index)}
      data-passage={index}
      data-fate={fate}
      tabIndex={-1}
      aria-label={`Passage ${index + 1}`}
      className="passage"
    >
      <p className="passage-mark" aria-hidden>
        {formatCount(tokensBefore)}
      </p>
      <div className="min-w-0">
        {headings.map(({ text: heading, depth }, at) => (
          <PassageHeading
            key={depth}
            text={heading}
            depth={depth}
            path={at === headings.length - 1 && anchor !== '' ? pathOf(anchor) : undefined}
          />
        ))}
        <Suspense fallback={<p className="prose whitespace-pre-wrap">{shown}</p>}>
          <EarlyMarkdown text={shown} baseUrl={baseUrl} linkTo={linkTo} />
        </Suspense>
        <div className="passage-facts">
          {fate !== undefined && <span className="passage-fate">{fateWords[fate]}</span>}
          <span>{kindWords[kind]}</span>
          <span className="tabular">{countOf(tokens, 'token')}</span>
          {isCleaned && <span>hidden characters removed</span>}
          <span className="ml-auto print:hidden">
            <CopyButton text={text} label={`Copy passage ${index + 1} as Markdown`} />
          </span>
        </div>
      </div>
    </section>
  );
});

function PassageHeading({ text, depth, path }: { text: string; depth: number; path: string | undefined }) {
  const Tag = (['h2', 'h3', 'h4', 'h5', 'h6'] as const)[Math.min(depth, 4)] ?? 'h6';
  return (
    <Tag className="passage-heading group" dir="auto">
      {text}
      {path !== undefined && (
        <Link
          to={path}
          preventScrollReset
          aria-label={`Link to ${text}`}
          className="ml-2 inline-flex size-6 items-center justify-center rounded-xs align-middle text-faint opacity-0 hover:text-lamp focus-visible:opacity-100 group-hover:opacity-100 print:hidden"
        >
          <LinkIcon aria-hidden className="size-3.5" />
        </Link>
      )}
    </Tag>
  );
}

/** Returns a passage's text without the page's title, if the text repeats it at its start. */
export function withoutTitle(text: string, title: string): string {
  const [, first, rest = ''] = /^# +([^\n]*?) *#*\n+([^]*)$/.exec(text) ?? [];
  return first === title ? rest : text;
}

type Headed = Pick<DocumentSnippet, 'headingPath' | 'text'>;

/**
 * Returns the headings that were not above the preceding passage, with their depth. Left out are a heading that repeats
 * the title, headings that this passage's text begins with (or contains anywhere, if it begins the page), and headings
 * still open at the end of the preceding passage.
 */
export function newHeadings(title: string, snippet: Headed, before: Headed | undefined) {
  const { headingPath, text } = snippet;
  const changed = headingPath.findIndex((heading, depth) => before?.headingPath[depth] !== heading);
  if (changed < 0) return [];
  const rest = withoutTitle(text, title);
  const own = new Set(
    headingsIn(rest === text ? (/^(?:#{1,6} .*\n+)+/.exec(text)?.[0] ?? '') : rest).map(({ text }) => text),
  );
  const open = openHeadings(before?.text ?? '');
  const added = headingPath.map((heading, depth) => ({ text: heading, depth })).slice(changed);
  const firstShut = added.findIndex((heading) => !open.has(heading.text));
  return added
    .slice(firstShut < 0 ? added.length : firstShut)
    .filter((heading) => !(heading.depth === 0 && heading.text === title) && !own.has(heading.text));
}

function headingsIn(markdown: string) {
  return [...markdown.matchAll(/^(#{1,6}) +(.*)$/gm)].map(([, marks = '', text = '']) => ({
    level: marks.length,
    text: text.trimEnd(),
  }));
}

/** Returns the headings of the sections still open at the end of a text. */
function openHeadings(markdown: string): Set<string> {
  const all = headingsIn(markdown);
  return new Set(
    all.filter(({ level }, at) => all.slice(at + 1).every((later) => later.level > level)).map(({ text }) => text),
  );
}
