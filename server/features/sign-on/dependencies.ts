import type { SocialDependencies } from '#server/features/accounts/index.ts';
import type { ResolveTxt } from '#server/platform/dns/resolve-txt.ts';
import type { SendLetter } from '#server/platform/mail/letter.ts';
import type { Outbound } from '#server/platform/outbound/index.ts';
import type { SealingKeys } from '#server/platform/sealing.ts';

/** Dependencies of the single sign-on calls besides the context; wired by the composition root. */
export interface SignOnDependencies {
  social: Pick<
    SocialDependencies,
    | 'onAccountCreated'
    | 'mails'
    | 'background'
    | 'attemptKey'
    | 'publicUrl'
    | 'isSignUpOpen'
    | 'devices'
    | 'endAgentAccess'
    | 'endLinks'
  >;
  outbound: Outbound;
  resolveTxt: ResolveTxt;
  letters: SendLetter;
  sealingKeys: SealingKeys;
  /** `host:port` of providers that may be contacted without https. */
  allowHosts: readonly string[];
}
