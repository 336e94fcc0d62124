import { Dialog } from '@base-ui/react/dialog';
import { History, X } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { useInertPage } from '../../ui/inert-page.ts';
import { HistoryList } from './history-list.tsx';

/** The conversations on a narrow screen: a sheet from the side. */
export function HistorySheet({ openedId, onNew }: { openedId: string | null; onNew: () => void }) {
  const [isOpen, setIsOpen] = useState(false);
  useInertPage(isOpen);
  const close = () => setIsOpen(false);
  return (
    <Dialog.Root open={isOpen} onOpenChange={setIsOpen}>
      <Dialog.Trigger render={<Button size="sm" look="quiet" />}>
        <History aria-hidden className="size-3.5" />
        History
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Popup className="fixed inset-y-0 left-0 z-50 flex w-80 max-w-[85vw] flex-col gap-3 border-line-strong border-r bg-raised p-3 shadow-lg outline-none transition-transform duration-150 data-ending-style:-translate-x-full data-starting-style:-translate-x-full">
          <div className="flex items-center justify-between pl-2.5">
            <Dialog.Title className="heading-part">Conversations</Dialog.Title>
            <Dialog.Close render={<Button look="quiet" size="icon-sm" aria-label="Close" />}>
              <X aria-hidden className="size-4" />
            </Dialog.Close>
          </div>
          <HistoryList
            openedId={openedId}
            onOpen={close}
            onNew={() => {
              close();
              onNew();
            }}
          />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
