import type { ReactNode } from 'react';

interface SampleAnswerProps {
  question: string;
  /** Location of the passage. */
  path: string[];
  children: ReactNode;
  /** Figures shown below the passage. */
  measured: ReactNode;
  caption: ReactNode;
}

/** An answer as an agent receives it: question, location, passage and cost. */
export function SampleAnswer({ question, path, children, measured, caption }: SampleAnswerProps) {
  return (
    <figure className="mt-7 min-w-0">
      <div className="overflow-hidden rounded-xl border border-line bg-surface shadow-lg">
        <p className="flex flex-wrap gap-x-3 border-line border-b bg-sunken px-5 py-3 font-mono text-sm">
          <span className="text-faint">Agent asks:</span> <span className="wrap-anywhere text-ink">{question}</span>
        </p>
        <div className="flex flex-col gap-3.5 px-5 py-5 text-md leading-6">
          <p className="text-faint text-sm">{path.join(' › ')}</p>
          {children}
        </div>
        <p className="border-line border-t px-5 py-3 text-sm text-soft">{measured}</p>
      </div>
      <figcaption className="mt-3 max-w-[46rem] text-faint text-sm">{caption}</figcaption>
    </figure>
  );
}

/** Code inside an answer. */
export function AnswerCode({ code, label }: { code: string; label: string }) {
  return (
    // A block that scrolls sideways must be reachable by keyboard.
    <pre
      tabIndex={0}
      role="group"
      aria-label={label}
      className="overflow-x-auto rounded-md border border-line bg-sunken px-4 py-3 font-mono text-ink text-sm leading-5"
    >
      <code>{code}</code>
    </pre>
  );
}
