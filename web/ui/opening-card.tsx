import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';

interface OpeningCardProps {
  isOpen: boolean;
  onToggle: () => void;
  /** Shown before the name. */
  icon: ReactNode;
  name: string;
  /** Shown beside the name, such as a status. */
  badges: ReactNode;
  /** One line below the name. */
  facts: ReactNode;
  /** Replaces all of these while the name is edited. */
  editor?: ReactNode;
  /** Buttons at the end of the row. */
  actions: ReactNode;
  /** Always shown, below the header. */
  beneath?: ReactNode;
  /** Shown when the card is expanded. */
  children: ReactNode;
}

/** An expandable card in a list. */
export function OpeningCard(props: OpeningCardProps) {
  const { isOpen, editor, actions, beneath, children } = props;
  const id = useId();
  return (
    <li className="rounded-lg border border-line bg-surface shadow-sm">
      <div className="flex items-start gap-2 px-3 py-3 sm:px-4">
        {editor ?? <Head {...props} id={id} />}
        {actions}
      </div>
      {beneath}
      {isOpen && (
        <div id={id} className="flex flex-col gap-4 border-line border-t p-4">
          {children}
        </div>
      )}
    </li>
  );
}

function Head({ id, isOpen, onToggle, icon, name, badges, facts }: OpeningCardProps & { id: string }) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-controls={isOpen ? id : undefined}
      onClick={onToggle}
      className="-m-1 flex min-w-0 flex-1 items-start gap-2.5 rounded-sm p-1 text-left"
    >
      <ChevronRight
        aria-hidden
        className={classNames('mt-1 size-3.5 shrink-0 text-faint transition-transform', isOpen && 'rotate-90')}
      />
      <span aria-hidden className="mt-0.5 shrink-0 text-faint">
        {icon}
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <span className="wrap-anywhere font-medium text-ink">{name}</span>
          {badges}
        </span>
        <span className="tabular mt-0.5 block text-faint text-sm">{facts}</span>
      </span>
    </button>
  );
}
