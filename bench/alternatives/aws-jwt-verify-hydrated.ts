import { handler, verifier } from './aws-jwt-verify.ts';

// As in the README of aws-jwt-verify, for Lambda: outside the handler, with a top-level await.
await verifier.hydrate();

export { handler };
