import { channel } from 'node:diagnostics_channel';

/**
 * Publishes each error that an operation did not expect. `npm start` subscribes, to print its message. On
 * Lambda nothing does, because a message can quote data: the log has the error's name and frames alone.
 */
export const unexpectedErrors = channel('plant-store:unexpected-error');
