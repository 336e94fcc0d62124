import type { UseMutationResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { sentenceForPeople } from '../lib/api-error.ts';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { useToast } from '../ui/toast.tsx';

interface Question<Subject, Output> {
  title: (subject: Subject) => string;
  /** What will happen, naming the thing. */
  body: (subject: Subject) => ReactNode;
  actionLabel: string;
  cancelLabel?: (subject: Subject) => string;
  look?: 'danger' | 'action';
  /** What the toast says when it is done. */
  toast?: (subject: Subject) => string;
  onDone?: (subject: Subject, output: Output) => void;
}

type Mutation<Input, Output> = Pick<
  UseMutationResult<Output, Error, Input>,
  'mutateAsync' | 'isPending' | 'error' | 'reset'
>;

/** Asks before an action on one thing of a list. `ask(subject)` opens the dialog; `dialog` goes anywhere in the screen. */
export function useConfirm<Subject, Input, Output>(
  question: Question<Subject, Output>,
  { mutateAsync, isPending, error, reset }: Mutation<Input, Output>,
  inputOf: (subject: Subject) => Input,
) {
  const toast = useToast();
  const [subject, setSubject] = useState<Subject>();
  const close = () => {
    setSubject(undefined);
    reset();
  };
  // A promise, because the list may be gone with its last row.
  const confirm = (confirmed: Subject) =>
    mutateAsync(inputOf(confirmed)).then(
      (output) => {
        close();
        question.onDone?.(confirmed, output);
        if (question.toast) toast({ message: question.toast(confirmed) });
      },
      // The dialog shows it.
      () => undefined,
    );
  const dialog = subject !== undefined && (
    <ConfirmDialog
      isOpen
      onClose={close}
      title={question.title(subject)}
      actionLabel={question.actionLabel}
      cancelLabel={question.cancelLabel?.(subject)}
      look={question.look ?? 'danger'}
      isBusy={isPending}
      error={error ? sentenceForPeople(error) : undefined}
      onConfirm={() => void confirm(subject)}
    >
      {question.body(subject)}
    </ConfirmDialog>
  );
  return { ask: setSubject, dialog };
}
