import { ChevronRight, Lock } from 'lucide-react';
import { lazy, Suspense } from 'react';
import type { ChatCitation, ChatMessage } from '#contract/chat.ts';
import { countOf } from '../../ui/quantities.ts';
import { viewerPath } from './citation-chip.tsx';
import { placeOf } from './citation-words.ts';
import { sourcesOf } from './turns.ts';

// The Markdown parser is larger than the rest of the screen: it loads while the first answer is searched for.
export const AnswerMarkdown = lazy(() =>
  import('./answer-markdown.tsx').then((part) => ({ default: part.AnswerMarkdown })),
);

/** An answer's passages: the cited ones, and the others collapsed. */
export function SourceList({ answer }: { answer: ChatMessage }) {
  const { cited, others } = sourcesOf(answer);
  if (answer.citations.length === 0) return null;
  if (answer.writer === 'passages') return others.length > 0 && <MorePassages passages={others} />;
  return (
    <div className="mt-5 flex flex-col gap-2">
      {cited.length > 0 && (
        <>
          <h3 className="font-medium text-faint text-xs">Sources</h3>
          <Sources citations={cited} />
        </>
      )}
      {others.length > 0 && (
        <details className="group text-sm">
          <summary className="inline-flex min-h-6 items-center gap-1 rounded-xs text-faint text-xs hover:text-ink">
            <Unfold />
            {cited.length > 0 ? 'Also found' : 'Found'}: {countOf(others.length, 'passage')}
          </summary>
          <div className="mt-2">
            <Sources citations={others} />
          </div>
        </details>
      )}
    </div>
  );
}

function Unfold() {
  return (
    <ChevronRight
      aria-hidden
      className="size-3.5 shrink-0 transition-transform duration-100 [details[open]>summary>&]:rotate-90"
    />
  );
}

/** The passages after the one shown as the answer, each expandable. */
function MorePassages({ passages }: { passages: ChatCitation[] }) {
  return (
    <section aria-label="More passages" className="mt-5">
      <h3 className="font-medium text-faint text-xs">{countOf(passages.length, 'more passage')}</h3>
      <ul className="mt-2 divide-y divide-line rounded-lg border border-line bg-surface">
        {passages.map((passage) => (
          <li key={passage.number}>
            <details>
              <summary className="flex min-h-9 items-center gap-2 rounded-lg px-3 py-1.5 text-sm hover:bg-hover">
                <Unfold />
                <span className="min-w-0 flex-1 truncate text-ink">{placeOf(passage)}</span>
                {passage.visibility === 'private' && (
                  <Lock aria-label="Private" className="size-3 shrink-0 text-faint" />
                )}
                <span title={passage.moduleName} className="max-w-[30%] shrink-0 truncate text-faint text-xs">
                  {passage.moduleName}
                </span>
              </summary>
              <div className="px-4 pt-1 pb-3">
                <Suspense fallback={<p className="prose whitespace-pre-wrap">{passage.text}</p>}>
                  <AnswerMarkdown text={passage.text} citations={[]} />
                </Suspense>
                <a
                  href={viewerPath(passage)}
                  target="_blank"
                  rel="noopener"
                  className="mt-2 inline-flex min-h-6 items-center rounded-xs text-soft text-sm underline decoration-line-strong underline-offset-3 hover:text-ink"
                >
                  Open the page
                </a>
              </div>
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Sources({ citations }: { citations: ChatCitation[] }) {
  return (
    <ol className="grid gap-2 sm:grid-cols-2">
      {citations.map((citation) => (
        <li key={citation.number} className="min-w-0">
          <a
            href={viewerPath(citation)}
            target="_blank"
            rel="noopener"
            className="flex h-full items-start gap-2.5 rounded-lg border border-line bg-surface px-3 py-2 transition-colors duration-100 hover:border-line-strong hover:bg-hover"
          >
            <span className="tabular mt-0.5 flex size-4.5 shrink-0 items-center justify-center rounded-sm bg-lamp-ground font-medium text-2xs text-lamp">
              {citation.number}
            </span>
            <span className="min-w-0 flex-1">
              <span className="line-clamp-2 font-medium text-ink text-sm">{placeOf(citation)}</span>
              <span className="flex items-center gap-1.5 text-faint text-xs">
                {citation.visibility === 'private' && <Lock aria-label="Private" className="size-3 shrink-0" />}
                <span className="wrap-anywhere">{citation.moduleName}</span>
                <span className="tabular ml-auto shrink-0 pl-2">{countOf(citation.tokens, 'token')}</span>
              </span>
            </span>
          </a>
        </li>
      ))}
    </ol>
  );
}
