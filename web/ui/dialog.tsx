import { AlertDialog } from '@base-ui/react/alert-dialog';
import type { ReactNode } from 'react';
import { useRef } from 'react';
import { Button } from './button.tsx';
import { useInertPage } from './inert-page.ts';

export const backdropClasses =
  'fixed inset-0 z-40 bg-scrim transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0';
export const popupClasses =
  'fixed top-1/2 left-1/2 z-50 w-[calc(100vw-2rem)] max-w-md -translate-x-1/2 -translate-y-1/2 rounded-xl border border-line-strong bg-raised shadow-lg outline-none transition-[opacity,scale] duration-150 data-ending-style:scale-98 data-ending-style:opacity-0 data-starting-style:scale-98 data-starting-style:opacity-0';
export const footClasses = 'flex justify-end gap-2 rounded-b-xl border-line border-t bg-sunken px-5 py-3';

interface ConfirmDialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** What will happen, naming the thing. */
  children: ReactNode;
  /** The verb, as on the button that opened it: "Revoke key". */
  actionLabel: string;
  cancelLabel?: string;
  /** `action`: nothing is lost by it, but it should not happen by accident, such as a payment. */
  look?: 'danger' | 'action';
  onConfirm: () => void;
  isBusy?: boolean;
  error?: string | undefined;
}

/** Asks before something that cannot be undone or costs money. Focus begins on the way back. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const cancelRef = useRef<HTMLButtonElement>(null);
  useInertPage(props.isOpen);
  return (
    <AlertDialog.Root open={props.isOpen} onOpenChange={(isOpen) => !isOpen && props.onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={backdropClasses} />
        <AlertDialog.Popup initialFocus={cancelRef} className={popupClasses}>
          <div className="flex flex-col gap-2 p-5 pb-4">
            <AlertDialog.Title className="heading-part wrap-anywhere">{props.title}</AlertDialog.Title>
            <AlertDialog.Description render={<div />} className="wrap-anywhere flex flex-col gap-2 text-soft">
              {props.children}
            </AlertDialog.Description>
            {props.error !== undefined && (
              <p role="alert" className="text-danger text-sm">
                {props.error}
              </p>
            )}
          </div>
          <div className={footClasses}>
            <AlertDialog.Close render={<Button ref={cancelRef} />}>{props.cancelLabel ?? 'Cancel'}</AlertDialog.Close>
            <Button look={props.look ?? 'danger'} isBusy={props.isBusy ?? false} onClick={props.onConfirm}>
              {props.actionLabel}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
