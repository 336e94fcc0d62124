import { Toast as BaseToast } from '@base-ui/react/toast';
import { Check, CircleAlert, X } from 'lucide-react';
import { type ComponentProps, useEffect, useState } from 'react';
import { classNames } from './class-names.ts';
import type { ShowToast } from './show-toast.ts';

/** Default duration of a toast; hovering or focusing it pauses the timer. */
const toastMs = 2_000;

interface ToastLayerProps {
  /** Called with the function that shows toasts once it is available. */
  onReady: (show: ShowToast) => void;
}

/** Renders the page's toasts above everything else. */
export function ToastLayer({ onReady }: ToastLayerProps) {
  const dialog = useOpenDialog();
  return (
    <BaseToast.Provider timeout={toastMs} limit={4}>
      <Ready onReady={onReady} />
      <BaseToast.Portal container={dialog}>
        <BaseToast.Viewport className="fixed inset-x-4 bottom-4 z-60 flex flex-col items-end gap-2 outline-none sm:left-auto sm:w-90">
          <ToastList />
        </BaseToast.Viewport>
      </BaseToast.Portal>
    </BaseToast.Provider>
  );
}

/** Returns the open modal dialog: elements outside it can be neither clicked nor read out. */
function useOpenDialog(): HTMLElement | undefined {
  const [dialog, setDialog] = useState<HTMLElement>();
  useEffect(() => {
    const look = () => setDialog([...document.querySelectorAll<HTMLElement>('dialog:modal')].at(-1));
    look();
    // Dialogs are children of the body.
    const changes = new MutationObserver(look);
    changes.observe(document.body, { childList: true });
    return () => changes.disconnect();
  }, []);
  return dialog;
}

function Ready({ onReady }: ToastLayerProps) {
  const { add } = BaseToast.useToastManager();
  useEffect(
    () =>
      onReady(({ id, message, tone = 'good', durationMs = toastMs, target }) => {
        add({
          ...(id === undefined ? {} : { id }),
          ...(target
            ? { positionerProps: { anchor: target, side: 'bottom', sideOffset: 6, collisionPadding: 12 } }
            : {}),
          title: message,
          type: tone,
          timeout: durationMs,
          priority: tone === 'bad' ? 'high' : 'low',
        });
      }),
    [add, onReady],
  );
  return null;
}

type ShownToast = ComponentProps<typeof BaseToast.Root>['toast'];

function ToastList() {
  const { toasts } = BaseToast.useToastManager();
  return toasts.map((toast) =>
    toast.positionerProps?.anchor ? (
      <BaseToast.Positioner key={toast.id} toast={toast} className="z-60">
        <ToastCard toast={toast} className="max-w-80" />
      </BaseToast.Positioner>
    ) : (
      <ToastCard key={toast.id} toast={toast} className="w-full" />
    ),
  );
}

function ToastCard({ toast, className }: { toast: ShownToast; className: string }) {
  return (
    <BaseToast.Root
      toast={toast}
      // A focusable element must not be hidden from screen readers.
      aria-hidden={false}
      className={classNames(
        'rounded-lg border border-line-strong bg-raised shadow-lg transition-[opacity,translate] duration-200',
        'data-ending-style:translate-y-2 data-ending-style:opacity-0 data-limited:hidden data-starting-style:translate-y-2 data-starting-style:opacity-0',
        className,
      )}
    >
      <BaseToast.Content className="flex items-center gap-2.5 py-2.5 pr-2 pl-3.5">
        {toast.type === 'bad' ? (
          <CircleAlert aria-hidden className="size-4 shrink-0 text-danger" />
        ) : (
          <Check aria-hidden className="size-4 shrink-0 text-lamp" />
        )}
        <BaseToast.Title render={<p />} className="wrap-anywhere min-w-0 flex-1 text-ink text-sm" />
        <BaseToast.Close
          aria-label="Dismiss"
          aria-hidden={false}
          className="flex size-6 shrink-0 items-center justify-center rounded-xs text-faint hover:bg-hover hover:text-ink"
        >
          <X aria-hidden className="size-3.5" />
        </BaseToast.Close>
      </BaseToast.Content>
    </BaseToast.Root>
  );
}
