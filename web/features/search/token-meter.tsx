import { limits } from '#contract/limits.ts';
import type { SearchOutput } from '#contract/search.ts';
import { countOf, formatCompact, formatCount, formatMs } from '../../ui/quantities.ts';

/** What the answer costs an agent, beside what a look-up costs without a documentation search. */
export function TokenMeter({ answer }: { answer: SearchOutput }) {
  const passages = answer.results.filter(({ text }) => text !== '').length;
  const share = Math.min(answer.tokens / limits.baselineTokens, 1);
  const percentSaved = Math.max(0, Math.round((1 - share) * 100));
  return (
    <div className="tabular flex flex-wrap items-center justify-between gap-x-6 gap-y-2 text-faint text-sm">
      <p role="status">
        <span className="text-ink">{countOf(passages, 'passage')}</span> out of{' '}
        {countOf(answer.searchedSnippets, 'snippet').replace(/^[\d,]+/, formatCompact(answer.searchedSnippets))} in{' '}
        {formatMs(answer.tookMs)}
      </p>
      {/* What finds nothing saves nothing. */}
      {answer.results.length > 0 && (
        <div className="flex items-center gap-2.5">
          <span aria-hidden className="hidden h-1.5 w-24 overflow-hidden rounded-full bg-hover sm:block">
            <span className="block h-full min-w-1 rounded-full bg-lamp" style={{ width: `${share * 100}%` }} />
          </span>
          <p>
            <span className="text-ink">{countOf(answer.tokens, 'token')}</span>, {percentSaved}% below the{' '}
            {formatCount(limits.baselineTokens)} baseline
          </p>
        </div>
      )}
    </div>
  );
}
