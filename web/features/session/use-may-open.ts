import type { AccountKind } from '@atrium/contract/openings/states.ts'
import { useIsOpen, useSession } from './session.ts'

/** Whether members may open accounts of a kind. A server of the previous version omits it; the page itself then checks. */
export function useMayOpen(): (kind: AccountKind) => boolean {
  const isOpen = useIsOpen()
  const { account_openings } = useSession().settings
  return (kind) => isOpen('my_accounts') && account_openings?.[kind] !== false
}
