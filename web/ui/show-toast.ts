export interface ToastMessage {
  /** A toast replaces an earlier one with the same id. */
  id?: string;
  message: string;
  tone?: 'good' | 'bad';
  durationMs?: number;
  /** Shown beside this element instead of in the corner. */
  target?: Element | null;
}

export type ShowToast = (toast: ToastMessage) => void;
