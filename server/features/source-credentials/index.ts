export { credentialOriginOf } from './credential-origin.ts';
export { listSealedCredentials, openCredential, requireCredentialFor } from './open-credential.ts';
export { deleteCredentials, moveCredentialRows } from './store.ts';
