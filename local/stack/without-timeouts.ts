import type { Stack } from './stack.ts';

/** Seconds: longer than anybody stays at a breakpoint. */
const patience = 24 * 3600;

/** A stack whose functions and gateway wait for whoever stops at a breakpoint. */
export const withPatience = (stack: Stack): Stack => ({
  ...stack,
  api: { ...stack.api, routes: stack.api.routes.map((route) => ({ ...route, timeout: patience * 1000 })) },
  functions: stack.functions.map((each) => ({ ...each, timeout: patience })),
});
