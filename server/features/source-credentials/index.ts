export { credentialOriginOf } from './credential-origin.ts';
export { type OpenedCredential, openCredential, requireCredentialFor } from './open-credential.ts';
export { listSealedCredentials } from './sealed-credentials.ts';
export { createSourceCredential, listSourceCredentials, removeSourceCredential } from './source-credentials.ts';
export { deleteCredentials, moveCredentialRows } from './store.ts';
