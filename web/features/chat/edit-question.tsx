import { useState } from 'react';
import { limits } from '#contract/limits.ts';
import { Button } from '../../ui/button.tsx';

interface EditQuestionProps {
  question: string;
  onSend: (question: string) => void;
  onCancel: () => void;
}

/** The last question, to be asked in other words: it and its answer are replaced. */
export function EditQuestion({ question, onSend, onCancel }: EditQuestionProps) {
  const [text, setText] = useState(question);
  const send = () => {
    if (text.trim() !== '') onSend(text.trim());
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
      <textarea
        autoFocus
        rows={Math.min(8, Math.max(2, text.split('\n').length))}
        aria-label="Question"
        maxLength={limits.chatQuestionCharactersMax}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onCancel();
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          send();
        }}
        className="resize-none bg-transparent text-ink text-md outline-none"
      />
      <div className="flex justify-end gap-2">
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
