import type { Stack } from './read-stack.ts';

/** In seconds: longer than anyone stays at a breakpoint. */
const aDay = 24 * 3600;

/** Removes the timeouts of functions and gateway from a stack, for a debugger. */
export const withoutTimeouts = (stack: Stack): Stack => ({
  ...stack,
  api: { ...stack.api, routes: stack.api.routes.map((route) => ({ ...route, timeout: aDay * 1000 })) },
  functions: stack.functions.map((each) => ({ ...each, timeout: aDay })),
});
