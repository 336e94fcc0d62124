import { CopyButton } from '../../ui/copy-button.tsx';

interface SampleProps {
  of: { code: string; lines: [kind: string, text: string][][] };
  title: string;
}

/** Code that was highlighted at build time. */
export function Sample({ of: { code, lines }, title }: SampleProps) {
  return (
    <div className="my-5 overflow-hidden rounded-lg border border-line bg-sunken">
      <div className="flex h-9 items-center justify-between gap-2 border-line border-b pr-1 pl-4">
        <span className="truncate text-faint text-xs">{title}</span>
        <CopyButton text={code} label={`Copy ${title}`} />
      </div>
      <pre
        tabIndex={0}
        role="group"
        aria-label={title}
        className="overflow-x-auto px-4 py-3 font-mono text-[0.8125rem] text-ink leading-5"
      >
        <code>
          {lines.map((parts, line) => (
            <span key={line}>
              {parts.map(([kind, text], place) => (
                <span key={place} className={kind === '' ? undefined : kind}>
                  {text}
                </span>
              ))}
              {line < lines.length - 1 && '\n'}
            </span>
          ))}
        </code>
      </pre>
    </div>
  );
}
