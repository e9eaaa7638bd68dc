import { holdsRight } from '@atrium/contract/desk-rights.ts'
import { useQuery } from '@tanstack/react-query'
import { undeliveredCountQuery } from '../../features/desk-mails/use-mails.ts'
import { openMismatchesQuery } from '../../features/desk-reconciliation/use-reconciliation.ts'
import { waitingRequestsQuery } from '../../features/desk-requests/use-desk-requests.ts'
import { useDeskUser } from '../../features/desk-session/desk-session.ts'
import { setupQuery } from '../../features/desk-setup/use-setup.ts'
import { waitingTicketsQuery } from '../../features/desk-tickets/use-desk-tickets.ts'
import type { MenuGroup } from '../../ui/folding-sidebar.tsx'
import { placesOf } from '../places.ts'

/** Where the person may go, with how much waits there for somebody. */
export function usePlaces(): MenuGroup[] {
  const user = useDeskUser()
  const open = useQuery({ ...openMismatchesQuery, enabled: holdsRight(user.type, 'money.read') })
  const undelivered = useQuery({ ...undeliveredCountQuery, enabled: holdsRight(user.type, 'members.read') })
  const tickets = useQuery({ ...waitingTicketsQuery, enabled: holdsRight(user.type, 'members.read') })
  const requests = useQuery({ ...waitingRequestsQuery, enabled: holdsRight(user.type, 'members.read') })
  const setup = useQuery({ ...setupQuery, enabled: holdsRight(user.type, 'workspace.manage') })
  const waiting: Record<string, number | undefined> = {
    '/setup': setup.data?.filter(({ is_done }) => !is_done).length,
    '/tickets': tickets.data,
    '/requests': requests.data,
    '/reconciliation': open.data,
    '/mails': undelivered.data,
  }
  return placesOf(user.type).map(({ places, ...group }) => ({
    ...group,
    places: places.map((place) => ({ ...place, waiting: waiting[place.to] ?? 0 })),
  }))
}
