import { type ReactNode, useId, useRef } from 'react';
import { Button } from './button.tsx';
import { Modal } from './modal.tsx';

export const dialogClasses =
  'm-auto w-[calc(100vw-2rem)] max-w-md overflow-y-auto rounded-xl border transition-[opacity,scale] duration-150 starting:scale-98 starting:opacity-0';
export const footClasses = 'flex justify-end gap-2 rounded-b-xl border-line border-t bg-sunken px-5 py-3';

/** Props of a button that closes a dialog: while the dialog is busy, it stays focusable but ignores clicks. */
export const wayBack = (isBusy: boolean, onClose: () => void) =>
  isBusy ? { 'aria-disabled': true, className: 'opacity-40' } : { onClick: onClose };

interface ConfirmDialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** Says what will happen and names the item. */
  children: ReactNode;
  /** The verb, the same as on the button that opened the dialog: "Revoke key". */
  actionLabel: string;
  cancelLabel?: string | undefined;
  /** `action`: nothing is lost, but it should not happen by accident, such as a payment. */
  look?: 'danger' | 'action';
  onConfirm: () => void;
  /** True while the action runs: the dialog stays open until it ends. */
  isBusy?: boolean;
  /** True while the dialog's data loads: it can be closed but not confirmed. */
  isLoading?: boolean;
  error?: string | undefined;
}

/** Asks for confirmation before an action that cannot be undone or costs money. Cancel has the initial focus. */
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
