import {
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import { afterFirstView } from './after-first-view.ts';
import type { ShowToast, ToastMessage } from './show-toast.ts';

const ToastContext = createContext<ShowToast>(() => undefined);

// Visitors of public pages hardly ever see one: what shows toasts comes with the first of them.
const ToastLayer = lazy(() =>
  import('./toast-layer.tsx').then(
    (part) => ({ default: part.ToastLayer }),
    () => ({ default: PlainLayer }),
  ),
);

/** Shows the last message where the layer could not be fetched, such as offline. */
function PlainLayer({ onReady }: { onReady: (show: ShowToast) => void }) {
  const [toast, setToast] = useState<ToastMessage>();
  useEffect(() => onReady(setToast), [onReady]);
  return (
    <p role="alert" className="fixed right-4 bottom-4 z-60 rounded-lg bg-raised px-3.5 py-2.5 shadow-lg empty:hidden">
      {toast?.message}
    </p>
  );
}

/** Shows a toast and has it read out. For what has happened; what must be decided belongs in a dialog. */
export function useToast(): ShowToast {
  return useContext(ToastContext);
}

interface ToastProviderProps {
  /** Fetches what shows toasts before there is one. */
  isExpected: boolean;
  children: ReactNode;
}

export function ToastProvider({ isExpected, children }: ToastProviderProps) {
  const [isWanted, setIsWanted] = useState(false);
  useEffect(() => (isExpected ? afterFirstView(() => setIsWanted(true)) : undefined), [isExpected]);
  const layer = useRef<ShowToast>(undefined);
  const waiting = useRef<ToastMessage[]>([]);

  const show = useCallback<ShowToast>((toast) => {
    if (layer.current) return layer.current(toast);
    waiting.current.push(toast);
    setIsWanted(true);
  }, []);
  const onReady = useCallback((showNow: ShowToast) => {
    layer.current = showNow;
    for (const toast of waiting.current.splice(0)) showNow(toast);
  }, []);

  return (
    <ToastContext value={show}>
      {children}
      {isWanted && (
        <Suspense>
          <ToastLayer onReady={onReady} />
        </Suspense>
      )}
    </ToastContext>
  );
}
