import { Link as LinkIcon } from 'lucide-react';
import { lazy, memo, Suspense } from 'react';
import { Link } from 'react-router';
import type { DocumentSnippet } from '#contract/documents.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { countOf, formatCount } from '../../ui/quantities.ts';
import { withoutTitle } from './passage-words.ts';
import { passageId } from './reading-place.ts';

// Reading Markdown takes more code than the rest of the page: it comes after the words.
const Markdown = lazy(() => import('../../ui/markdown.tsx').then((part) => ({ default: part.Markdown })));

/** What becomes of a passage in a read; undefined where no read is asked about. */
export type Fate = 'whole' | 'part' | 'out' | undefined;

const fateWords = { whole: 'Sent', part: 'Sent in part', out: 'Left out' } as const;
const kindWords = { prose: 'prose', code: 'code', api: 'API', table: 'table' } as const;

interface PassageProps {
  snippet: DocumentSnippet;
  /** Headings that begin with this passage, with their depth, 0 for the outermost. */
  headings: { text: string; depth: number }[];
  fate: Fate;
  /** Of the page: a passage that begins with it again is shown without it. */
  title: string;
  baseUrl: string;
  linkTo: (url: string) => string | undefined;
  pathOf: (anchor: string) => string;
}

/** One passage as agents get it: its new headings, its text, and in the margin where in the page's tokens it begins. */
export const Passage = memo(function Passage(props: PassageProps) {
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
          <Markdown text={shown} baseUrl={baseUrl} linkTo={linkTo} />
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
