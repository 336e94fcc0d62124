import { Link } from 'react-router';
import { answerBlocks, answerMark } from '#contract/answer-blocks.ts';
import { documentPath } from '../../lib/document-path.ts';

/**
 * The answer exactly as an agent receives it; the addresses in it lead to the pages. The first one on a loaded page is
 * written by the server, in the same way (`server/http/public-face/written-search.ts`).
 */
export function AnswerText({ text }: { text: string }) {
  return (
    <div className="streams flex flex-col gap-4">
      {answerBlocks(text).map(({ head, address, body }, place) => (
        <div key={place} className="min-w-0">
          {head !== undefined && (
            <p className="wrap-anywhere text-lamp">
              <span aria-hidden>{answerMark}</span>
              {address === undefined ? (
                head
              ) : (
                <Link
                  to={documentPath(address)}
                  className="rounded-xs underline decoration-lamp-line underline-offset-3 hover:decoration-lamp"
                >
                  {head}
                </Link>
              )}
            </p>
          )}
          {body !== '' && <pre className="wrap-anywhere whitespace-pre-wrap text-soft">{body}</pre>}
        </div>
      ))}
    </div>
  );
}
