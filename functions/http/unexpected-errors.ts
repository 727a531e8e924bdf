import { channel } from 'node:diagnostics_channel';

/**
 * Publishes each error that an operation did not expect. `npm start` subscribes, and prints the message. On
 * Lambda nothing subscribes, because a message can quote data. Its log has only the error's name and frames.
 */
export const unexpectedErrors = channel('plant-store:unexpected-error');
