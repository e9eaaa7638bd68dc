import { type Scope, scopeOfScreen } from '@atrium/contract/access/scopes.ts'

/** The target of a notification, in the notation of the scope table. */
const screenOf = (path: string): string =>
  path.replace(/\?.*$/, '').replace(/^\/accounts\/[\da-f-]{36}$/, '/accounts/:accountId')

/** Whether the page of a notification is open to this member; the link of a closed one would end at "not available". */
export function isReachable(path: string, isOpen: (scope: Scope) => boolean): boolean {
  const scope = scopeOfScreen(screenOf(path))
  return scope !== null && isOpen(scope)
}
