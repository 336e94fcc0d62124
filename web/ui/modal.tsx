import { type MouseEvent, type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { classNames } from './class-names.ts';

interface ModalProps {
  isOpen: boolean;
  onClose: () => void;
  /** The id of the heading, used as the accessible name; otherwise use `label`. */
  labelledBy?: string;
  label?: string;
  describedBy?: string;
  /** Requires a decision: a click outside does not close it. */
  isAlert?: boolean;
  /** True while the action runs: the dialog cannot be closed until the result is shown. */
  isBusy?: boolean;
  /** Gets the initial focus; defaults to the first focusable element. */
  initialFocus?: RefObject<HTMLElement | null>;
  className: string;
  children: ReactNode;
}

/** A native modal dialog. On closing, the focus returns to the opener. */
export function Modal({ isOpen, ...rest }: ModalProps) {
  return isOpen && createPortal(<OpenModal {...rest} />, document.body);
}

function OpenModal({ isAlert = false, isBusy = false, ...rest }: Omit<ModalProps, 'isOpen'>) {
  const { onClose, labelledBy, label, describedBy, initialFocus, className, children } = rest;
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = ref.current;
    const page = document.documentElement;
    // The scrollbar is hidden while the page is covered (`app.css`).
    if (!document.querySelector('dialog:modal')) {
      page.style.setProperty('--scrollbar', `${innerWidth - page.clientWidth}px`);
    }
    dialog?.showModal();
    initialFocus?.current?.focus();
    return () => dialog?.close();
  }, [initialFocus]);
  // Safari doesn't support `closedby`. A press that begins inside, such as to select text, does not close the dialog.
  const isPressedBeside = useRef(false);
  const closesBeside = !isAlert && !isBusy && !('closedBy' in HTMLDialogElement.prototype);
  return (
    <dialog
      ref={ref}
      role={isAlert ? 'alertdialog' : undefined}
      aria-labelledby={labelledBy}
      aria-label={label}
      aria-describedby={describedBy}
      closedby={isBusy ? 'none' : isAlert ? 'closerequest' : 'any'}
      // React also delivers events of nested dialogs and file fields. `close` fires only after the opener has the focus
      // again and may have been clicked.
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return;
        if (isBusy) event.preventDefault();
        else onClose();
      }}
      onClose={({ target, currentTarget }) => target === currentTarget && onClose()}
      onPointerDown={(event) => {
        isPressedBeside.current = isBeside(event);
      }}
      onClick={(event) => closesBeside && isPressedBeside.current && isBeside(event) && onClose()}
      className={classNames(
        'border-line-strong bg-raised text-ink shadow-lg outline-none backdrop:bg-scrim',
        className,
      )}
    >
      {children}
    </dialog>
  );
}

function isBeside({ target, currentTarget, clientX, clientY }: MouseEvent<HTMLDialogElement>): boolean {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
  const isInside = clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
  return target === currentTarget && !isInside;
}
