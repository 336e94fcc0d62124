import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

import { buttonClasses } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';

interface UseCasePageProps {
  /** The vendor whose documentation is shown. */
  vendor: string;
  title: string;
  lead: ReactNode;
  /** Why such documentation is difficult for agents, and the solutions. */
  points: { title: string; text: ReactNode }[];
  steps: { title: string; text: ReactNode; command: string; label: string; isCommand?: boolean; language?: string }[];
  answer: ReactNode;
}

/** Explains how one kind of product's documentation is served to agents, from the problem to an answer. */
export function UseCasePage({ vendor, title, lead, points, steps, answer }: UseCasePageProps) {
  return (
    <div className="page flex flex-col gap-20 py-14 md:gap-24 md:py-20">
      <header className="max-w-[46rem]">
        <p className="font-medium text-lamp text-sm">Use case · {vendor}</p>
        <h1 className="mt-3 font-display text-4xl text-ink tracking-[-0.022em] md:text-[3.25rem] md:leading-[1.06]">
          {title}
        </h1>
        <p className="mt-5 text-pretty text-lg text-soft">{lead}</p>
      </header>

      <section aria-labelledby="answer">
        <Heading id="answer">What the agent gets</Heading>
        {answer}
      </section>

      <section aria-labelledby="points">
        <Heading id="points">What this documentation needs</Heading>
        <div className="mt-7 grid gap-x-12 gap-y-9 md:grid-cols-3">
          {points.map((point) => (
            <div key={point.title} className="border-line border-t pt-4">
              <h3 className="font-medium text-ink text-md">{point.title}</h3>
              <p className="mt-2 text-pretty text-base text-soft leading-6">{point.text}</p>
            </div>
          ))}
        </div>
      </section>

      <section aria-labelledby="steps">
        <Heading id="steps">Set it up</Heading>
        <ol className="mt-7 flex flex-col gap-10">
          {steps.map(({ title: step, text, command, label, isCommand = true, language }, index) => (
            <li key={step} className="grid gap-x-12 gap-y-3 md:grid-cols-[1fr_1.35fr]">
              <div>
                <h3 className="flex items-baseline gap-3 font-medium text-ink text-md">
                  <span aria-hidden className="tabular font-mono text-lamp text-sm">
                    {index + 1}
                  </span>
                  {step}
                </h3>
                <p className="mt-2 text-pretty text-base text-soft leading-6 md:pl-5">{text}</p>
              </div>
              <CodeBlock
                className="self-start"
                code={command}
                isCommand={isCommand}
                label={label}
                language={language}
                isWrapped={!isCommand}
              />
            </li>
          ))}
        </ol>
      </section>

      <footer className="flex flex-wrap items-center justify-between gap-6 border-line border-t pt-8">
        <p className="max-w-[34rem] text-faint text-sm">
          {vendor} belongs to its authors, who are not involved in this page. It is an example of documentation that
          agents use.
        </p>
        <Link to="/signup" className={buttonClasses('action')}>
          Create an account
          <ArrowRight aria-hidden className="size-4" />
        </Link>
      </footer>
    </div>
  );
}

function Heading({ id, children }: { id: string; children: ReactNode }) {
  return (
    <h2 id={id} className="font-display font-medium text-2xl text-ink tracking-[-0.014em]">
      {children}
    </h2>
  );
}
