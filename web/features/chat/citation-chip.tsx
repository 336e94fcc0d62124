import { PreviewCard } from '@base-ui/react/preview-card';
import { Lock } from 'lucide-react';
import type { ChatCitation } from '#contract/chat.ts';
import { documentPath } from '../../lib/document-path.ts';
import { popupLook } from '../../ui/popup-classes.ts';
import { countOf } from '../../ui/quantities.ts';
import { passageWords, placeOf } from './citation-words.ts';

/** Where the viewer shows a passage. */
export function viewerPath({ url, passageId, moduleId, visibility }: ChatCitation): string {
  return documentPath(url, { moduleId, visibility, passage: passageId });
}

/** The number of a passage in the text: leads to it in the viewer, shows it on hover and focus. */
export function CitationChip({ citation }: { citation: ChatCitation }) {
  return (
    <PreviewCard.Root>
      <PreviewCard.Trigger
        delay={200}
        closeDelay={100}
        href={viewerPath(citation)}
        target="_blank"
        rel="noopener"
        aria-label={`Source ${citation.number}: ${placeOf(citation)}`}
        className="tabular mx-0.5 inline-flex h-4.5 min-w-4.5 -translate-y-px select-none items-center justify-center rounded-sm border border-lamp-line bg-lamp-ground px-1 align-middle font-medium font-sans text-2xs text-lamp no-underline! hover:border-lamp"
      >
        {citation.number}
      </PreviewCard.Trigger>
      <PreviewCard.Portal>
        <PreviewCard.Positioner sideOffset={6} collisionPadding={12} className="z-30">
          <PreviewCard.Popup className={`${popupLook} w-80 max-w-[var(--available-width)] p-3.5!`}>
            <CitationPreview citation={citation} />
          </PreviewCard.Popup>
        </PreviewCard.Positioner>
      </PreviewCard.Portal>
    </PreviewCard.Root>
  );
}

function CitationPreview({ citation }: { citation: ChatCitation }) {
  return (
    <div className="flex flex-col gap-1.5 text-sm">
      <p className="flex items-center gap-1.5 text-faint text-xs">
        {citation.visibility === 'private' && <Lock aria-hidden className="size-3 shrink-0" />}
        <span className="truncate">{citation.moduleName}</span>
        <span className="tabular ml-auto shrink-0">{countOf(citation.tokens, 'token')}</span>
      </p>
      <p className="font-medium text-ink">{placeOf(citation)}</p>
      <p className="line-clamp-5 text-soft">{passageWords(citation.text)}</p>
    </div>
  );
}
