import { commands } from '../../lib/commands.ts';
import { CodeBlock } from '../../ui/code-block.tsx';

/** Nothing is indexed for everyone: what to do, and what an answer looks like, marked as made up. */
export function EmptyIndex() {
  return (
    <div className="flex min-h-full flex-col gap-4">
      <div className="font-sans text-sm">
        <p className="font-medium text-ink">Nothing is indexed here yet</p>
        <p className="mt-1 text-soft">Index a site to try the search:</p>
        <CodeBlock code={commands.index} isCommand label="Command that indexes a site" className="mt-2.5" />
      </div>
      <figure className="mt-auto rounded-md border border-line-strong border-dashed p-3 text-faint">
        <figcaption className="mb-1.5 font-sans text-2xs">Illustration, not a search result</figcaption>
        <p>§ address of a page#anchor</p>
        <p>Title of the page &gt; Heading</p>
        <p>The passage with the answer, and nothing else.</p>
      </figure>
    </div>
  );
}
