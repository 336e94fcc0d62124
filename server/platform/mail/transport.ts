import type { createTransport, Transporter } from 'nodemailer';

interface Nodemailer {
  createTransport: typeof createTransport;
}

/** A way to send that is opened with the first mail: until then its program takes no memory. */
export interface LazyTransport<Sent> {
  open(): Promise<Transporter<Sent>>;
  /** Closes what was opened. */
  close(): void;
}

/** Calls `create` once, with the first `open`. */
export function lazyTransport<Sent>(create: (program: Nodemailer) => Transporter<Sent>): LazyTransport<Sent> {
  let opened: Promise<Transporter<Sent>> | undefined;
  return {
    open: () => (opened ??= import('nodemailer').then(create)),
    close() {
      void opened?.then((transport) => transport.close());
    },
  };
}
