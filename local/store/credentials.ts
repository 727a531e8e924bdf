/** What requests to a store are signed with. */
export interface StoreCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Keys that mean nothing, for stores that check none. */
export const localCredentials: StoreCredentials = { accessKeyId: 'local', secretAccessKey: 'local' };

/** The developer's own, which leave this process only for a store of the developer's choice. */
export const ownCredentials = (): StoreCredentials => {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
  if (AWS_ACCESS_KEY_ID === undefined || AWS_SECRET_ACCESS_KEY === undefined) return localCredentials;
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN !== undefined && { sessionToken: AWS_SESSION_TOKEN }),
  };
};
