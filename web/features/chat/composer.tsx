import { ArrowUp, Square } from 'lucide-react';
import { type ReactNode, type RefObject, useLayoutEffect, useState } from 'react';
import { readStored, writeStored } from '../../lib/browser-storage.ts';
import { Button } from '../../ui/button.tsx';
import { emptyFault, lengthFault } from './question-fault.ts';

interface ComposerProps {
  inputRef: RefObject<HTMLTextAreaElement | null>;
  /** Storage key of the draft question: this tab keeps it across a reload or a visit to a source. */
  draftName: string;
  isAnswering: boolean;
  placeholder: string;
  onSend: (question: string) => void;
  onStop: () => void;
  /** Shown below the text on the left: the search scope. */
  children: ReactNode;
}

/** The question's text area: Enter sends, Shift+Enter inserts a line break. */
export function Composer(props: ComposerProps) {
  const { inputRef, draftName, isAnswering, placeholder, onSend, onStop, children } = props;
  const draftKey = `chat-draft:${draftName}`;
  const [text, setText] = useState(() => readStored('sessionStorage', draftKey) ?? '');
  const [isEmptyTold, setIsEmptyTold] = useState(false);
  const tooLong = lengthFault(text);
  useGrowing(inputRef, text);

  const change = (next: string) => {
    setText(next);
    setIsEmptyTold(false);
    writeStored('sessionStorage', draftKey, next || null);
  };
  const send = () => {
    if (isAnswering || tooLong !== undefined) return;
    if (text.trim() === '') {
      setIsEmptyTold(true);
      inputRef.current?.focus();
      return;
    }
    onSend(text.trim());
    change('');
  };
  const fault = tooLong ?? (isEmptyTold ? emptyFault : undefined);
  return (
    <form
      aria-label="Ask a question"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      className="rounded-xl border border-line-field bg-surface shadow-md focus-within:border-lamp focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-lamp"
    >
      <textarea
        ref={inputRef}
        rows={1}
        aria-label="Your question"
        aria-invalid={fault !== undefined}
        aria-describedby={fault === undefined ? 'chat-keys' : 'chat-fault'}
        placeholder={placeholder}
        value={text}
        onChange={(event) => change(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && isAnswering) onStop();
          // During IME composition, Enter ends the composition.
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          send();
        }}
        className="block max-h-48 w-full resize-none bg-transparent px-4 pt-3.5 pb-1 text-ink text-md outline-none placeholder:text-faint"
      />
      <div className="flex items-center gap-2 px-2.5 pb-2.5">
        <div className="min-w-0 flex-1">{children}</div>
        {fault === undefined ? (
          <span id="chat-keys" className="hidden text-faint text-xs md:inline">
            {isAnswering ? 'Escape stops the answer' : 'Enter sends, Shift + Enter starts a new line'}
          </span>
        ) : (
          <span id="chat-fault" role="alert" className="max-w-1/2 text-right text-danger text-xs">
            {fault}
          </span>
        )}
        {isAnswering ? (
          // A separate element: otherwise the click would go on to submit the form. A double click on "Send" puts its
          // second click here.
          <Button key="stop" look="plain" size="sm" onClick={({ detail }) => detail > 1 || onStop()}>
            <Square aria-hidden className="size-3 fill-current" />
            Stop
          </Button>
        ) : (
          <Button key="send" type="submit" look="action" size="icon-sm" aria-label="Send">
            <ArrowUp aria-hidden className="size-4" />
          </Button>
        )}
      </div>
    </form>
  );
}

/** Makes the text area as high as its text, up to the height that its style allows. */
function useGrowing(inputRef: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    const input = inputRef.current;
    if (input === null) return;
    input.style.height = 'auto';
    input.style.height = `${input.scrollHeight}px`;
  }, [inputRef, text]);
}
