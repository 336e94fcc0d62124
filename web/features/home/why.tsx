import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { agents } from '#contract/agents.ts';
import * as limits from '#contract/limits.ts';
import { creditPack, plans, tiers } from '#contract/plans.ts';
import { commands } from '../../lib/commands.ts';
import { useProductName, useSession } from '../../lib/session.ts';
import { buttonClasses } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { formatCount } from '../../ui/quantities.ts';
import { peerFigures } from './peer-figures.ts';

/** Shown below the search: comparison, supported agents, prices, and how to start. */
export function Why() {
  return (
    <div className="border-line border-t">
      <div className="frame flex flex-col gap-14 py-14 md:py-20">
        <Comparison />
        <WorksWith />
        <Plans />
        <Begin />
      </div>
    </div>
  );
}

function Part({ title, lead, children }: { title: string; lead: ReactNode; children: ReactNode }) {
  return (
    <section className="grid gap-x-14 gap-y-5 lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
      <div>
        <h2 className="font-display text-2xl text-ink tracking-tight">{title}</h2>
        <p className="mt-2 text-pretty text-soft">{lead}</p>
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  );
}

function Comparison() {
  const productName = useProductName();
  const rows = [
    ...peerFigures.map(({ name = productName, meanTokens, answerFound }) => ({
      name,
      tokens: meanTokens,
      found: answerFound,
    })),
    { name: 'Whole pages, without a search', tokens: limits.baselineTokens, found: undefined },
  ];
  return (
    <Part
      title="Answers for a fifth of the tokens"
      lead={
        <>
          The same 60 questions about Python, PostgreSQL and Git, asked of each server over MCP.{' '}
          <Link to="/blog/how-make-search-good" className="rounded-xs text-lamp underline-offset-3 hover:underline">
            How we measure
          </Link>
        </>
      }
    >
      <table className="tabular w-full text-sm">
        <caption className="sr-only">Tokens per search and questions answered, by server</caption>
        <thead>
          <tr className="text-faint text-xs">
            <th scope="col" className="pb-2 text-left font-normal">
              Server
            </th>
            <th scope="col" className="w-1/3 pb-2 pl-3 text-left font-normal">
              Tokens per search
            </th>
            <th scope="col" className="pb-2 pl-3 text-right font-normal">
              Answers found
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, tokens, found }, place) => (
            <tr key={name} className="border-line border-t">
              <th
                scope="row"
                className={place === 0 ? 'py-2 text-left font-medium text-ink' : 'py-2 text-left font-normal text-soft'}
              >
                {name}
              </th>
              <td className="py-2 pl-3">
                <span className="flex items-center gap-2">
                  <span aria-hidden className="block h-2 flex-1 rounded-full bg-hover max-sm:hidden">
                    <span
                      className={
                        place === 0 ? 'block h-full rounded-full bg-lamp' : 'block h-full rounded-full bg-line-strong'
                      }
                      style={{ width: `${(tokens / limits.baselineTokens) * 100}%` }}
                    />
                  </span>
                  <span className="w-14 text-right text-ink">{formatCount(tokens)}</span>
                </span>
              </td>
              <td className="py-2 pl-3 text-right text-ink">
                {found === undefined ? '–' : `${Math.round(found * 100)}%`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Part>
  );
}

function WorksWith() {
  const names = agents.filter(({ kind }) => kind !== 'Anything else').map(({ name }) => name);
  return (
    <Part
      title="Works with your agent"
      lead={
        <>
          One line of configuration, or a sign-in through the browser.{' '}
          <Link to="/mcp" className="rounded-xs text-lamp underline-offset-3 hover:underline">
            How to connect
          </Link>
        </>
      }
    >
      <ul className="flex flex-wrap gap-2">
        {names.map((name) => (
          <li key={name} className="rounded-full border border-line bg-surface px-3 py-1 text-soft text-sm">
            {name}
          </li>
        ))}
        <li className="py-1 text-faint text-sm">and any other MCP client</li>
      </ul>
    </Part>
  );
}

function Plans() {
  return (
    <Part
      title="Plans"
      lead={`A search or a read uses one credit. ${formatCount(creditPack.credits)} more cost $${creditPack.usd} and never expire. On installations that don't charge, everything is free.`}
    >
      <ul className="grid gap-3 sm:grid-cols-3">
        {tiers.map((tier) => (
          <li key={tier} className="rounded-lg border border-line bg-surface px-4 py-4 shadow-sm">
            <p className="font-medium text-ink">{tier}</p>
            <p className="mt-1 text-ink">
              <span className="font-display text-2xl">${plans[tier].usdPerMonth}</span>
              <span className="text-faint text-sm"> a month</span>
            </p>
            <p className="mt-1 text-soft text-sm">
              {tier === 'Free'
                ? `${formatCount(limits.initialCredits)} credits to begin with`
                : `${formatCount(plans[tier].creditsPerMonth)} credits each month`}
            </p>
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Begin() {
  const isSignedIn = Boolean(useSession().data?.user);
  return (
    <Part title="Get started" lead="On your own machine, or with an account here.">
      <div className="flex flex-wrap items-center gap-4">
        <Link to={isSignedIn ? '/dashboard' : '/signup'} className={buttonClasses('action')}>
          {isSignedIn ? 'Go to dashboard' : 'Sign up'}
        </Link>
        <CodeBlock code={commands.start} isCommand label="Command that starts a server" className="min-w-56" />
      </div>
    </Part>
  );
}
