import { Dialog } from '@base-ui/react/dialog';
import type { FormEvent, ReactNode, RefObject } from 'react';
import { Button } from './button.tsx';
import { backdropClasses, footClasses, popupClasses } from './dialog.tsx';
import { useInertPage } from './inert-page.ts';

interface FormDialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** The fields. */
  children: ReactNode;
  /** The verb on the button that sends the form. */
  actionLabel: string;
  onSubmit: () => void;
  isBusy: boolean;
  /** The field in which one begins to type. */
  initialFocus: RefObject<HTMLElement | null>;
}

/** Asks for something to be typed. */
export function FormDialog({ isOpen, onClose, title, children, initialFocus, ...rest }: FormDialogProps) {
  useInertPage(isOpen);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rest.onSubmit();
  };
  return (
    <Dialog.Root open={isOpen} onOpenChange={(opens) => !opens && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={backdropClasses} />
        <Dialog.Popup initialFocus={initialFocus} className={popupClasses}>
          <form onSubmit={submit} noValidate>
            <div className="flex flex-col gap-4 p-5">
              <Dialog.Title className="heading-part wrap-anywhere">{title}</Dialog.Title>
              {children}
            </div>
            <div className={footClasses}>
              <Dialog.Close render={<Button />}>Cancel</Dialog.Close>
              <Button type="submit" look="action" isBusy={rest.isBusy}>
                {rest.actionLabel}
              </Button>
            </div>
          </form>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
