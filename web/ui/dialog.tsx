import { type ReactNode, useId, useRef } from 'react';
import { Button } from './button.tsx';
import { Modal } from './modal.tsx';

export const dialogClasses =
  'm-auto w-[calc(100vw-2rem)] max-w-md overflow-y-auto rounded-xl border transition-[opacity,scale] duration-150 starting:scale-98 starting:opacity-0';
export const footClasses = 'flex justify-end gap-2 rounded-b-xl border-line border-t bg-sunken px-5 py-3';

/** What the button has that closes a dialog: while the dialog is busy, it stays focusable and does nothing. */
export const wayBack = (isBusy: boolean, onClose: () => void) =>
  isBusy ? { 'aria-disabled': true, className: 'opacity-40' } : { onClick: onClose };

interface ConfirmDialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** What will happen, naming the thing. */
  children: ReactNode;
  /** The verb, as on the button that opened it: "Revoke key". */
  actionLabel: string;
  cancelLabel?: string | undefined;
  /** `action`: nothing is lost by it, but it should not happen by accident, such as a payment. */
  look?: 'danger' | 'action';
  onConfirm: () => void;
  /** It is being done: the dialog stays until its end. */
  isBusy?: boolean;
  /** What the question is about is still loading: the dialog can be closed but not confirmed. */
  isLoading?: boolean;
  error?: string | undefined;
}

/** Asks before something that cannot be undone or costs money. Focus begins on the way back. */
export function ConfirmDialog({ isBusy = false, isLoading = false, ...props }: ConfirmDialogProps) {
  const cancelRef = useRef<HTMLButtonElement>(null);
  const titleId = useId();
  const bodyId = useId();
  return (
    <Modal
      isOpen={props.isOpen}
      onClose={props.onClose}
      isAlert
      isBusy={isBusy}
      labelledBy={titleId}
      describedBy={bodyId}
      initialFocus={cancelRef}
      className={dialogClasses}
    >
      <div className="flex flex-col gap-2 p-5 pb-4">
        <h2 id={titleId} className="heading-part wrap-anywhere">
          {props.title}
        </h2>
        <div id={bodyId} className="wrap-anywhere flex flex-col gap-2 text-soft">
          {props.children}
        </div>
        {props.error !== undefined && (
          <p role="alert" className="text-danger text-sm">
            {props.error}
          </p>
        )}
      </div>
      <div className={footClasses}>
        <Button ref={cancelRef} {...wayBack(isBusy, props.onClose)}>
          {props.cancelLabel ?? 'Cancel'}
        </Button>
        <Button look={props.look ?? 'danger'} isBusy={isBusy || isLoading} onClick={props.onConfirm}>
          {props.actionLabel}
        </Button>
      </div>
    </Modal>
  );
}
