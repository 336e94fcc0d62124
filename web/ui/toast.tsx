import { Toast as BaseToast } from '@base-ui/react/toast';
import { Check, CircleAlert, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** How long a toast stays unless it says otherwise; looking at it (pointer or focus) holds it. */
const toastMs = 2_000;

interface ToastMessage {
  message: string;
  tone?: 'good' | 'bad';
  durationMs?: number;
}

/** Shows a toast and has it read out. For what has happened; what must be decided belongs in a dialog. */
export function useToast(): (toast: ToastMessage) => void {
  const { add } = BaseToast.useToastManager();
  return ({ message, tone = 'good', durationMs = toastMs }) => {
    add({ title: message, type: tone, timeout: durationMs, priority: tone === 'bad' ? 'high' : 'low' });
  };
}

export function ToastProvider({ children }: { children: ReactNode }) {
  return (
    <BaseToast.Provider timeout={toastMs} limit={4}>
      {children}
      <BaseToast.Portal>
        <BaseToast.Viewport className="fixed inset-x-4 bottom-4 z-60 flex flex-col items-end gap-2 outline-none sm:left-auto sm:w-90">
          <ToastList />
        </BaseToast.Viewport>
      </BaseToast.Portal>
    </BaseToast.Provider>
  );
}

function ToastList() {
  const { toasts } = BaseToast.useToastManager();
  return toasts.map((toast) => (
    <BaseToast.Root
      key={toast.id}
      toast={toast}
      className={classNames(
        'w-full rounded-lg border border-line-strong bg-raised shadow-lg transition-[opacity,translate] duration-200',
        'data-ending-style:translate-y-2 data-ending-style:opacity-0 data-limited:hidden data-starting-style:translate-y-2 data-starting-style:opacity-0',
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
          className="flex size-6 shrink-0 items-center justify-center rounded-xs text-faint hover:bg-hover hover:text-ink"
        >
          <X aria-hidden className="size-3.5" />
        </BaseToast.Close>
      </BaseToast.Content>
    </BaseToast.Root>
  ));
}
