import { type RefObject, useEffect, useRef, useState } from 'react';
import type { ThemedToken } from 'shiki/core';
import { classNames } from './class-names.ts';
import { CopyButton } from './copy-button.tsx';

interface CodeBlockProps {
  code: string;
  language?: string | undefined;
  /** Accessible name if there are several blocks: "Configuration for Cursor". */
  label?: string;
  /** Shown in a bar above the code: a file name or a title. Without it, there is no bar. */
  title?: string;
  /** A command to type: one line, no bar. */
  isCommand?: boolean;
  /** Wraps long lines instead of scrolling. */
  isWrapped?: boolean;
  className?: string;
  onCopied?: () => void;
}

/** Highlighted code with a copy button. The copied text is exactly `code`. */
export function CodeBlock(props: CodeBlockProps) {
  const { code, language, label, title, isCommand = false, isWrapped = false, className, onCopied } = props;
  const name = label ?? title ?? (language ? `${language} code` : 'Code');
  const body = (
    // A block that scrolls sideways must be reachable by keyboard.
    <pre
      tabIndex={0}
      role="group"
      aria-label={name}
      className={classNames(
        'min-w-0 flex-1 overflow-x-auto rounded-sm font-mono text-[0.8125rem] text-ink leading-5',
        isCommand ? 'px-3.5 py-2.5' : 'px-4 py-3',
        isWrapped && 'wrap-anywhere whitespace-pre-wrap',
      )}
    >
      {isCommand && (
        <span aria-hidden className="mr-2 select-none text-faint">
          $
        </span>
      )}
      <HighlightedCode code={code} language={language} />
    </pre>
  );
  const frame = classNames('overflow-hidden rounded-lg border border-line bg-sunken', className);
  if (isCommand) {
    return (
      <div className={classNames(frame, 'flex items-center pr-1.5')}>
        {body}
        <CopyButton text={code} label="Copy command" onCopied={onCopied} />
      </div>
    );
  }
  const copy = <CopyButton text={code} label={`Copy ${name}`} onCopied={onCopied} />;
  if (title === undefined) {
    return (
      <div className={classNames(frame, 'relative')}>
        {body}
        <div className="absolute top-1 right-1 flex items-center gap-1 rounded-sm bg-sunken pl-2 text-faint text-xs">
          {language}
          {copy}
        </div>
      </div>
    );
  }
  return (
    <div className={frame}>
      <div className="flex h-9 items-center justify-between gap-2 border-line border-b pr-1 pl-4">
        <span className="truncate text-faint text-xs">{title}</span>
        {copy}
      </div>
      {body}
    </div>
  );
}

function HighlightedCode({ code, language }: { code: string; language: string | undefined }) {
  const shown = useRef<HTMLElement>(null);
  const lines = useHighlight(code, language, shown);
  if (!lines) return <code ref={shown}>{code}</code>;
  return (
    <code>
      {lines.map((tokens, line) => (
        <span key={line}>
          {tokens.map(({ content, offset, color }) => (
            <span key={offset} style={{ color }}>
              {content}
            </span>
          ))}
          {line < lines.length - 1 && '\n'}
        </span>
      ))}
    </code>
  );
}

/** Highlights code once it is near the visible part of the page: the highlighter is large. */
function useHighlight(
  code: string,
  language: string | undefined,
  shown: RefObject<HTMLElement | null>,
): ThemedToken[][] | undefined {
  const [done, setDone] = useState<{ code: string; lines: ThemedToken[][] | undefined }>();
  useEffect(() => {
    if (language === undefined || shown.current === null) return;
    let isCurrent = true;
    const seen = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        seen.disconnect();
        void highlightApart(code, language).then((lines) => isCurrent && setDone({ code, lines }));
      },
      { rootMargin: '50%' },
    );
    seen.observe(shown.current);
    return () => {
      isCurrent = false;
      seen.disconnect();
    };
  }, [code, language, shown]);
  return done?.code === code ? done.lines : undefined;
}

let worker: Worker | undefined;

/** Highlights on a thread of its own: on a phone, it would block the page for hundreds of milliseconds. */
function highlightApart(code: string, language: string): Promise<ThemedToken[][] | undefined> {
  if (worker === undefined) {
    worker = new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module' });
    // Code is readable without colours: a highlighter that failed to load needs no message, and the next code tries again.
    worker.onerror = () => {
      worker = undefined;
    };
  }
  const { port1, port2 } = new MessageChannel();
  worker.postMessage({ code, language }, [port2]);
  return new Promise((done) => {
    port1.onmessage = ({ data }) => {
      port1.close();
      done(data);
    };
  });
}
