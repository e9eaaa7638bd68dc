import type { AccountKind } from '@atrium/contract/openings/states.ts'
import { useIsOpen, useSession } from './session.ts'

/** Whether members open accounts of a kind themselves; a process of the version before does not say, and the page itself does. */
export function useMayOpen(): (kind: AccountKind) => boolean {
  const isOpen = useIsOpen()
  const { account_openings } = useSession().settings
  return (kind) => isOpen('my_accounts') && account_openings?.[kind] !== false
}
