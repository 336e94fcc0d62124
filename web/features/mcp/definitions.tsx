import type { ReactNode } from 'react';
import type { AgentSurface } from '#contract/agent-surface.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { countOf, formatCount } from '../../ui/quantities.ts';

type Described = AgentSurface['tools'][number];

interface Argument {
  type?: string;
  description?: string;
  minimum?: number;
  maximum?: number;
}

/** Tools as sent to agents: a table of arguments, the definition below, and its tokens. */
export function Tools({ tools }: { tools: Described[] }) {
  return (
    <ul className="flex flex-col gap-6">
      {tools.map((tool) => (
        <li key={tool.name} className="min-w-0 rounded-xl border border-line bg-surface p-5 shadow-sm">
          <Head tool={tool} />
          <Arguments of={tool} />
          <Definition of={tool} />
        </li>
      ))}
    </ul>
  );
}

/** Prompts or resources: one line each, with the definition below. */
export function Definitions({ list, uriOf }: { list: Described[]; uriOf?: (name: string) => string | undefined }) {
  return (
    <ul className="flex flex-col divide-y divide-line rounded-xl border border-line bg-surface shadow-sm">
      {list.map((entry) => (
        <li key={entry.name} className="min-w-0 p-5">
          <Head tool={entry} address={uriOf?.(entry.name)} />
          <Definition of={entry} />
        </li>
      ))}
    </ul>
  );
}

function Head({ tool, address }: { tool: Described; address?: string | undefined }) {
  return (
    <>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 className="font-medium font-mono text-ink text-sm">{address ?? tool.name}</h3>
        <span className="tabular shrink-0 text-faint text-xs">{countOf(tool.tokens, 'token')}</span>
      </div>
      <p className="mt-1.5 max-w-prose text-soft">{tool.description}</p>
    </>
  );
}

function Arguments({ of: { name, definition } }: { of: Described }) {
  const { properties = {}, required = [] } = definition['inputSchema'] as {
    properties?: Record<string, Argument>;
    required?: string[];
  };
  return (
    <div className="prose-table mt-4 overflow-x-auto" tabIndex={0} role="group" aria-label={`Arguments of ${name}`}>
      <table className="w-full text-left text-sm">
        <thead className="text-faint text-xs">
          <tr>
            <Cell isHead>Argument</Cell>
            <Cell isHead>Type</Cell>
            <Cell isHead>Description</Cell>
          </tr>
        </thead>
        <tbody>
          {Object.entries(properties).map(([argument, { type, description, minimum, maximum }]) => (
            <tr key={argument} className="border-line border-t align-top">
              <Cell>
                <code className="font-mono text-ink">{argument}</code>
                {required.includes(argument) && <span className="block text-faint text-xs">required</span>}
              </Cell>
              <Cell>
                {type}
                {minimum !== undefined && maximum !== undefined && (
                  <span className="tabular block text-faint text-xs">
                    {formatCount(minimum)} to {formatCount(maximum)}
                  </span>
                )}
              </Cell>
              <Cell>{description}</Cell>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell({ isHead = false, children }: { isHead?: boolean; children: ReactNode }) {
  const classes = 'py-2 pr-4 text-soft last:pr-0 last:w-full';
  return isHead ? <th className={`${classes} font-normal`}>{children}</th> : <td className={classes}>{children}</td>;
}

function Definition({ of: { name, definition } }: { of: Described }) {
  return (
    <details className="group mt-3">
      <summary className="inline-flex min-h-6 items-center rounded-xs font-medium text-lamp text-sm">
        The definition as sent
      </summary>
      <CodeBlock code={JSON.stringify(definition, null, 2)} label={`Definition of ${name}`} className="mt-2" />
    </details>
  );
}
