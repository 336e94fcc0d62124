import type { UseMutationResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { sentenceForPeople } from '../lib/api-error.ts';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { useToast } from '../ui/toast.tsx';

interface Question<Subject, Output> {
  title: (subject: Subject) => string;
  /** Says what will happen and names the item. */
  body: (subject: Subject) => ReactNode;
  actionLabel: string;
  cancelLabel?: (subject: Subject) => string;
  look?: 'danger' | 'action';
  /** The toast's text after success. */
  toast?: (subject: Subject) => string;
  onDone?: (subject: Subject, output: Output) => void;
}

type Mutation<Input, Output> = Pick<
  UseMutationResult<Output, Error, Input>,
  'mutateAsync' | 'isPending' | 'error' | 'reset'
>;

/**
 * Asks for confirmation before an action on a list item. `ask(subject)` opens the dialog; `dialog` can be rendered
 * anywhere on the screen.
 */
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
  // Uses the promise, because the list may unmount with its last row.
  const confirm = (confirmed: Subject) =>
    mutateAsync(inputOf(confirmed)).then(
      (output) => {
        close();
        question.onDone?.(confirmed, output);
        if (question.toast) toast({ message: question.toast(confirmed) });
      },
      // The dialog shows the error.
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
