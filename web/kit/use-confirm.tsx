import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from '../ui/dialog.tsx';

interface Question<Subject> {
  title: (subject: Subject) => string;
  /** What will happen, naming the thing. */
  body: (subject: Subject) => ReactNode;
  actionLabel: string;
  look?: 'danger' | 'action';
}

/** What carries out the answer, such as the result of `useAction`. */
interface Answering {
  isBusy: boolean;
  fault: string | undefined;
  reset: () => void;
}

/**
 * Asks before an action on one thing of a list. `ask(subject)` opens the dialog, `close()` closes it when the action is
 * done; `dialog` goes anywhere in the screen.
 */
export function useConfirm<Subject>(
  { title, body, actionLabel, look = 'danger' }: Question<Subject>,
  { isBusy, fault, reset }: Answering,
  onConfirm: (subject: Subject) => void,
) {
  const [subject, setSubject] = useState<Subject>();
  // Kept while the dialog fades, when there is nothing to ask about any more.
  const [shown, setShown] = useState<Subject>();
  if (subject !== undefined && subject !== shown) setShown(subject);
  const close = () => {
    setSubject(undefined);
    reset();
  };
  const dialog = shown !== undefined && (
    <ConfirmDialog
      isOpen={subject !== undefined}
      onClose={close}
      title={title(shown)}
      actionLabel={actionLabel}
      look={look}
      isBusy={isBusy}
      error={fault}
      onConfirm={() => subject !== undefined && onConfirm(subject)}
    >
      {body(shown)}
    </ConfirmDialog>
  );
  return { ask: setSubject, close, dialog };
}
