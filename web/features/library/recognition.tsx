import type { RecognisedSource } from '#contract/library.ts';
import { KindIcon } from './source-name.tsx';

/** Says what the typed address is, before anything is done with it. */
export function Recognition({ recognised }: { recognised: RecognisedSource | undefined }) {
  return (
    <div role="status" className="min-h-5.5 px-4 text-faint text-sm">
      {recognised && (
        <div className="flex gap-2">
          <KindIcon kind={recognised.kind} />
          <p className="wrap-anywhere">{wordsFor(recognised)}</p>
        </div>
      )}
    </div>
  );
}

function wordsFor({ kind, url, moduleId, isKnown, ref, folder }: RecognisedSource) {
  const id = <code className="font-mono text-soft text-xs">{moduleId}</code>;
  const what = {
    site: 'A documentation site',
    pdf: 'A PDF file',
    folder: /\.pdf$/i.test(url) ? 'A PDF file on the server' : 'A folder on the server',
    git: `A repository${ref ? `, ${ref.kind} ${ref.name}` : ''}${folder ? `, folder ${folder}` : ''}`,
  }[kind];
  return isKnown ? (
    <>
      {what}. It is already indexed as {id}: indexing refreshes it.
    </>
  ) : (
    <>
      {what}. Its module id will be {id}.
    </>
  );
}
