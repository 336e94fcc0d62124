import { useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { emptyFault, lengthFault } from './question-fault.ts';

interface EditQuestionProps {
  question: string;
  onSend: (question: string) => void;
  onCancel: () => void;
}

/** Edits the last question; the new question replaces it and its answer. */
export function EditQuestion({ question, onSend, onCancel }: EditQuestionProps) {
  const [text, setText] = useState(question);
  const [isEmptyTold, setIsEmptyTold] = useState(false);
  const inputRef = useRef<HTMLTextAreaElement>(null);
  const tooLong = lengthFault(text);
  const fault = tooLong ?? (isEmptyTold ? emptyFault : undefined);
  const send = () => {
    const isEmpty = text.trim() === '';
    setIsEmptyTold(isEmpty);
    if (isEmpty || tooLong !== undefined) inputRef.current?.focus();
    else onSend(text.trim());
  };
  return (
    <form
      aria-label="Edit question"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      className="flex flex-col gap-2 rounded-xl border border-line-field bg-surface p-3 focus-within:border-lamp"
    >
      {/* Replaces the question, which is its answer's heading. */}
      <h2 className="sr-only">Edit question</h2>
      <textarea
        ref={inputRef}
        autoFocus
        rows={Math.min(8, Math.max(2, text.split('\n').length))}
        aria-label="Question"
        aria-invalid={fault !== undefined}
        aria-describedby={fault === undefined ? undefined : 'edit-fault'}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setIsEmptyTold(false);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onCancel();
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          send();
        }}
        className="resize-none bg-transparent text-ink text-md outline-none"
      />
      <div className="flex items-center justify-end gap-2">
        {fault !== undefined && (
          <span id="edit-fault" role="alert" className="mr-auto text-danger text-xs">
            {fault}
          </span>
        )}
        <Button size="sm" look="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <Button size="sm" look="action" type="submit">
          Ask again
        </Button>
      </div>
    </form>
  );
}
