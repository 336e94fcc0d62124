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
import type { ShowToast, ToastMessage } from './show-toast.ts';

/** Time in which the first view is rendered. */
const firstViewMs = 2_000;

const ToastContext = createContext<ShowToast>(() => undefined);

// Visitors of public pages rarely see a toast: the code is loaded with the first one.
const ToastLayer = lazy(() =>
  import('./toast-layer.tsx').then(
    (part) => ({ default: part.ToastLayer }),
    () => ({ default: PlainLayer }),
  ),
);

/** Shows the last message if the layer could not be loaded, for example offline. */
function PlainLayer({ onReady }: { onReady: (show: ShowToast) => void }) {
  const [toast, setToast] = useState<ToastMessage>();
  useEffect(() => onReady(setToast), [onReady]);
  return (
    <p role="alert" className="fixed right-4 bottom-4 z-60 rounded-lg bg-raised px-3.5 py-2.5 shadow-lg empty:hidden">
      {toast?.message}
    </p>
  );
}

/** Shows and announces a toast. For things that have happened; decisions belong in a dialog. */
export function useToast(): ShowToast {
  return useContext(ToastContext);
}

interface ToastProviderProps {
  /** True to load the toast layer before the first toast. */
  isExpected: boolean;
  children: ReactNode;
}

export function ToastProvider({ isExpected, children }: ToastProviderProps) {
  const [isWanted, setIsWanted] = useState(false);
  useEffect(() => {
    if (!isExpected) return undefined;
    const timer = setTimeout(() => setIsWanted(true), firstViewMs);
    return () => clearTimeout(timer);
  }, [isExpected]);
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
