import type { ListStep, NewToken, Step } from './steps.ts';

/** The simplest token. */
export const usualToken: NewToken = { key: 'current', isForged: false, kid: 'of the key', times: {} };

const ofRequests =
  (simplify: (requests: readonly ListStep[]) => readonly ListStep[]) =>
  (step: Step): Step | undefined => {
    if (step.step !== 'list') return undefined;
    const requests = simplify(step.requests);
    return JSON.stringify(requests) === JSON.stringify(step.requests) ? undefined : { ...step, requests };
  };

/** Each makes a step simpler; undefined: it cannot be. */
export const simplifications: readonly ((step: Step) => Step | undefined)[] = [
  ofRequests((requests) => requests.slice(0, 1)),
  ofRequests((requests) => requests.slice(-1)),
  ofRequests((requests) => requests.map((each) => ({ ...each, query: {} }))),
  ofRequests((requests) => requests.map((each) => ({ ...each, token: usualToken }))),
  ofRequests((requests) => requests.map((each) => ({ ...each, caller: { ...each.caller, groups: [] } }))),
];
