export interface ToastMessage {
  /** A second toast of the same id takes the place of the first. */
  id?: string;
  message: string;
  tone?: 'good' | 'bad';
  durationMs?: number;
  /** Stands beside this element instead of in the corner. */
  target?: Element | null;
}

export type ShowToast = (toast: ToastMessage) => void;
