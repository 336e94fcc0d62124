import { Link } from 'react-router';
import { type ErrorCode, errorTable } from '#contract/errors.ts';

/** What an agent may meet, and whether it can mend it by itself. */
const met: readonly { code: ErrorCode; as: string }[] = [
  { code: 'key-missing', as: 'HTTP 401, with the address to sign in at' },
  { code: 'key-refused', as: 'HTTP 401' },
  { code: 'connection-refused', as: 'HTTP 401, with the address to sign in at' },
  { code: 'credits-exhausted', as: 'result with isError: what is left, when it renews, where to upgrade' },
  { code: 'query-empty', as: 'result with isError' },
  { code: 'query-too-long', as: 'result with isError' },
  { code: 'module-unknown', as: 'result with isError, naming the nearest modules' },
  { code: 'page-not-indexed', as: 'result with isError' },
  { code: 'invalid-input', as: 'result with isError' },
  { code: 'index-damaged', as: 'error of the protocol' },
];

export function AgentErrors() {
  return (
    <div
      className="prose-table overflow-x-auto rounded-xl border border-line bg-surface shadow-sm"
      tabIndex={0}
      role="group"
      aria-label="Errors"
    >
      <table className="w-full text-left text-sm">
        <thead className="text-faint text-xs">
          <tr>
            <th className="px-5 py-2.5 font-normal">Code</th>
            <th className="px-5 py-2.5 font-normal">Message</th>
            <th className="px-5 py-2.5 font-normal">Form</th>
          </tr>
        </thead>
        <tbody>
          {met.map(({ code, as }) => (
            <tr key={code} className="border-line border-t align-top">
              <td className="whitespace-nowrap px-5 py-2.5">
                <Link
                  to={`/docs/errors/${code}`}
                  className="rounded-xs font-mono text-ink underline decoration-lamp-line underline-offset-3 hover:decoration-lamp"
                >
                  {code}
                </Link>
              </td>
              <td className="min-w-56 px-5 py-2.5 text-soft">{sentence(code)}</td>
              <td className="min-w-44 px-5 py-2.5 text-soft">{as}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** With words in the place of values; whose credits they are is said in teams alone. */
function sentence(code: ErrorCode): string {
  return errorTable[code].sentence.replace('{whose}', '').replace(/\{(\w+)\}/g, '<$1>');
}
