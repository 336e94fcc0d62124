import { Lock } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { ChatCitation } from '#contract/chat.ts';
import { documentPath } from '#contract/document-path.ts';
import { popupClasses } from '../../ui/popup-classes.ts';
import { countOf } from '../../ui/quantities.ts';
import { keepBeside } from '../../ui/sheet.ts';
import { passageWords, placeOf } from './citation-words.ts';

const delayMs = { show: 200, hide: 100 };

/** Returns a passage's path in the viewer. */
export function viewerPath({ url, passageId, moduleId, visibility }: ChatCitation): string {
  return documentPath(url, { moduleId, visibility, passage: passageId });
}

/** A passage's number in the text: links to it in the viewer, and shows it on hover and focus. */
export function CitationChip({ citation }: { citation: ChatCitation }) {
  const [isShown, setIsShown] = useState(false);
  const chip = useRef<HTMLAnchorElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const change = (isWanted: boolean, afterMs = 0) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setIsShown(isWanted), afterMs);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  const hide = () => change(false);
  const hideSoon = () => change(false, delayMs.hide);
  return (
    <>
      <a
        ref={chip}
        href={viewerPath(citation)}
        target="_blank"
        rel="noopener"
        aria-label={`Source ${citation.number}: ${placeOf(citation)}`}
        onPointerEnter={({ pointerType }) => pointerType !== 'touch' && change(true, delayMs.show)}
        onPointerLeave={hideSoon}
        onFocus={({ target }) => target.matches(':focus-visible') && change(true)}
        onBlur={hide}
        className="tabular mx-0.5 inline-flex h-4.5 min-w-4.5 -translate-y-px select-none items-center justify-center rounded-sm border border-lamp-line bg-lamp-ground px-1 align-middle font-medium font-sans text-2xs text-lamp no-underline! hover:border-lamp"
      >
        {citation.number}
      </a>
      {isShown &&
        createPortal(
          // The user may hover over the card itself.
          <CitationCard
            chip={chip}
            citation={citation}
            onEnter={() => change(true)}
            onLeave={hideSoon}
            onHide={hide}
          />,
          document.body,
        )}
    </>
  );
}

interface CitationCardProps {
  citation: ChatCitation;
  chip: { current: HTMLAnchorElement | null };
  onEnter: () => void;
  onLeave: () => void;
  onHide: () => void;
}

function CitationCard({ citation, chip, onEnter, onLeave, onHide }: CitationCardProps) {
  const card = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!card.current || !chip.current) return undefined;
    card.current.showPopover();
    return keepBeside(card.current, chip.current, { align: 'center' });
  }, [chip]);
  useEffect(() => {
    const onKeyDown = ({ key }: KeyboardEvent) => key === 'Escape' && onHide();
    const view = new IntersectionObserver((seen) => seen.at(-1)?.isIntersecting || onHide());
    if (chip.current) view.observe(chip.current);
    document.addEventListener('keydown', onKeyDown);
    return () => {
      view.disconnect();
      document.removeEventListener('keydown', onKeyDown);
    };
  }, [chip, onHide]);
  return (
    <div
      ref={card}
      popover="manual"
      onPointerEnter={onEnter}
      onPointerLeave={onLeave}
      className={`${popupClasses} flex w-80 max-w-[var(--available-width)] flex-col gap-1.5 p-3.5!`}
    >
      <p className="flex items-center gap-1.5 text-faint text-xs">
        {citation.visibility === 'private' && <Lock aria-hidden className="size-3 shrink-0" />}
        <span className="wrap-anywhere">{citation.moduleName}</span>
        <span className="tabular ml-auto shrink-0">{countOf(citation.tokens, 'token')}</span>
      </p>
      <p className="font-medium text-ink">{placeOf(citation)}</p>
      <p className="line-clamp-5 text-soft">{passageWords(citation.text)}</p>
    </div>
  );
}
