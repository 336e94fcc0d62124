import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';

interface OpeningCardProps {
  isOpen: boolean;
  onToggle: () => void;
  /** Drawn before the name. */
  icon: ReactNode;
  name: string;
  /** Beside the name, such as its state. */
  badges: ReactNode;
  /** In one line beneath it. */
  facts: ReactNode;
  /** In place of all these, while the name is being changed. */
  editor?: ReactNode;
  /** Buttons at the end of the line. */
  actions: ReactNode;
  /** Always shown, beneath the head. */
  beneath?: ReactNode;
  /** Shown when the card is open. */
  children: ReactNode;
}

/** One of a list of cards: a head that is pressed to show the rest. */
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
