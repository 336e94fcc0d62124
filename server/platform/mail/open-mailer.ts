import { type Clock, systemClock } from '../clock.ts';
import type { Mailer, MailerConfig } from './mailer.ts';
import { outboxMailer } from './outbox-mailer.ts';
import { smtpMailer } from './smtp-mailer.ts';

/** Creates the configured mailer. Nothing is connected or created before the first mail. */
export function openMailer(config: MailerConfig, clock: Clock = systemClock): Mailer {
  switch (config.kind) {
    case 'smtp':
      return smtpMailer(config);
    case 'outbox':
      return outboxMailer(config, clock);
  }
}
