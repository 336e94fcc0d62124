import type { Generated } from 'kysely';

export interface MailsTables {
  waitingMails: WaitingMailsTable;
}

interface WaitingMailsTable {
  /** Also part of the message id: a mail that goes out twice after a fault is known as one by the person who gets it. */
  id: string;
  /** SHA-256 of the address in lower case. */
  recipientHash: string;
  sealed: string;
  createdAt: number;
  /** That failed. */
  attempts: Generated<number>;
  /** Also the end of the hold of the person who sends it now. */
  nextAttemptAt: number;
  /** Code of the fault of the last attempt. */
  lastFault: string | null;
}
