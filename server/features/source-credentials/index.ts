export { credentialOriginOf } from './credential-origin.ts';
export { openCredential, requireCredentialFor } from './open-credential.ts';
export { listSealedCredentials } from './sealed-credentials.ts';
export { deleteCredentials, moveCredentialRows } from './store.ts';
