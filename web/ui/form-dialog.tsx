import { type FormEvent, type ReactNode, type RefObject, useId } from 'react';
import { Button } from './button.tsx';
import { dialogClasses, footClasses, wayBack } from './dialog.tsx';
import { Modal } from './modal.tsx';

interface FormDialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** The verb on the submit button. */
  actionLabel: string;
  onSubmit: () => void;
  isBusy: boolean;
  initialFocus: RefObject<HTMLElement | null>;
}

/** A dialog with a form. */
export function FormDialog({ isOpen, onClose, title, children, initialFocus, isBusy, ...rest }: FormDialogProps) {
  const titleId = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rest.onSubmit();
  };
  return (
    <Modal {...{ isOpen, onClose, initialFocus, isBusy }} labelledBy={titleId} className={dialogClasses}>
      <form onSubmit={submit} noValidate>
        <div className="flex flex-col gap-4 p-5">
          <h2 id={titleId} className="heading-part wrap-anywhere">
            {title}
          </h2>
          {children}
        </div>
        <div className={footClasses}>
          <Button {...wayBack(isBusy, onClose)}>Cancel</Button>
          <Button type="submit" look="action" isBusy={isBusy}>
            {rest.actionLabel}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
