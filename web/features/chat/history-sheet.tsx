import { History, X } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Modal } from '../../ui/modal.tsx';
import { PartHeading } from '../../ui/part-heading.tsx';
import { HistoryList } from './history-list.tsx';

/** The conversations on a narrow screen, in a side sheet. */
export function HistorySheet({ openedId, onNew }: { openedId: string | null; onNew: () => void }) {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <>
      <Button size="sm" look="quiet" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        <History aria-hidden className="size-3.5" />
        History
      </Button>
      <Modal
        isOpen={isOpen}
        onClose={close}
        labelledBy="conversations"
        className="mr-auto flex h-dvh max-h-none w-80 max-w-[85vw] flex-col gap-3 border-r p-3 transition-transform duration-150 starting:-translate-x-full"
      >
        <div className="flex items-center justify-between pl-2.5">
          <PartHeading id="conversations">Conversations</PartHeading>
          <IconButton icon={X} label="Close" onClick={close} />
        </div>
        <HistoryList
          openedId={openedId}
          onOpen={close}
          onNew={() => {
            close();
            onNew();
          }}
        />
      </Modal>
    </>
  );
}
