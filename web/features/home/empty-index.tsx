import { commands } from '../../lib/commands.ts';
import { CodeBlock } from '../../ui/code-block.tsx';

/** Nothing is indexed for everyone, not even the product's own documentation: what to do. */
export function EmptyIndex() {
  return (
    <div className="font-sans text-sm">
      <p className="font-medium text-ink">Nothing is indexed here yet</p>
      <p className="mt-1 text-soft">Index a site to try the search:</p>
      <CodeBlock code={commands.index} isCommand label="Command that indexes a site" className="mt-2.5" />
    </div>
  );
}
