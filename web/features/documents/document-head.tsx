import { useQueryClient } from '@tanstack/react-query';
import { ArrowUpRight } from 'lucide-react';
import { Link } from 'react-router';
import { encodedAnchor } from '#contract/anchor.ts';
import { type DocumentPlace, documentPath } from '#contract/document-path.ts';
import type { Document } from '#contract/documents.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { buttonClasses } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { documentMarkdownOptions } from './queries.ts';

interface DocumentHeadProps {
  document: Document;
  place: DocumentPlace;
}

/** Title and address, links to leave the viewer, and other modules that contain the page. */
export function DocumentHead({ document, place }: DocumentHeadProps) {
  const client = useQueryClient();
  const workspace = useWorkspaceId();
  const { url, title, module } = document;
  const isWeb = /^https?:\/\//.test(url);
  const page = { address: url, moduleId: module.moduleId, visibility: module.visibility };
  const original = place.anchor === '' ? url : `${url}#${encodedAnchor(place.anchor)}`;
  return (
    <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4 border-line border-b pb-6">
      <div className="min-w-0 flex-1 basis-96">
        <p className="mb-1 font-medium text-lamp text-sm">{module.displayName}</p>
        <h1 className="heading-page" dir="auto">
          {title || url}
        </h1>
        <p className="mt-2 font-mono text-faint text-xs">{url.replace(/^https?:\/\//, '')}</p>
        <Modules document={document} />
      </div>
      <div className="flex flex-wrap items-center gap-2 print:hidden">
        <CopyButton
          look="plain"
          size="md"
          isLabelled
          label="Copy as Markdown"
          text={async () => (await client.fetchQuery(documentMarkdownOptions(workspace, page))).markdown}
        />
        {isWeb && (
          <a href={original} target="_blank" rel="noopener noreferrer nofollow" className={buttonClasses('plain')}>
            Original
            <ArrowUpRight aria-hidden className="size-4" />
          </a>
        )}
      </div>
    </header>
  );
}

/** The modules that contain this address, if there are several: versions of a library, or a private copy. */
function Modules({ document }: { document: Document }) {
  if (document.alternatives.length === 0) return null;
  const own = { ...document.module, isShown: true };
  const all = [own, ...document.alternatives.map((module) => ({ ...module, isShown: false }))];
  return (
    <nav aria-label="Sources with this page" className="mt-3 flex flex-wrap items-center gap-1.5 text-sm print:hidden">
      <span className="mr-1 text-faint">In</span>
      {all.map(({ moduleId, visibility, displayName, version, isShown }) => (
        <Link
          key={`${visibility} ${moduleId}`}
          to={documentPath(document.url, { moduleId, visibility })}
          aria-current={isShown || undefined}
          className={classNames(
            'inline-flex min-h-7 items-center rounded-full border px-3',
            isShown
              ? 'border-lamp-line bg-lamp-ground font-medium text-lamp'
              : 'border-line-strong text-soft hover:bg-hover hover:text-ink',
          )}
        >
          {displayName}
          {version !== null && !displayName.includes(version) && ` ${version}`}
          {visibility === 'private' && ', private'}
        </Link>
      ))}
    </nav>
  );
}
