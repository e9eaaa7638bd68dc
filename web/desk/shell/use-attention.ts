import { readWaiting } from '@atrium/contract/funding/desk-calls.ts'
import { type DeskRight, holdsRight } from '@atrium/contract/staff/rights.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { call } from '../../api/transport.ts'
import { deadLetterCountQuery } from '../../features/desk-mails/use-mails.ts'
import { openMismatchesQuery } from '../../features/desk-reconciliation/use-reconciliation.ts'
import { waitingRequestsQuery } from '../../features/desk-requests/use-desk-requests.ts'
import { useDeskUser } from '../../features/desk-session/desk-session.ts'
import { setupQuery } from '../../features/desk-setup/use-setup.ts'
import { waitingTicketsQuery } from '../../features/desk-tickets/use-desk-tickets.ts'
import type { MenuGroup } from '../../ui/layout/collapsible-sidebar.tsx'
import { placesOf } from '../navigation.ts'

const countedAgainMs = 30_000

const waitingQuery = queryOptions({
  queryKey: ['desk-waiting'],
  queryFn: () => call(readWaiting, {}, { isQuiet: true }),
  staleTime: countedAgainMs,
  refetchInterval: countedAgainMs,
})

/** The navigation of the user's role, with the count of open items at each entry. */
export function usePlaces(): MenuGroup[] {
  const user = useDeskUser()
  // After the frame, in a task of their own: together with the frame they block a slow phone.
  const isFrameShown = useDeferredValue(true, false)
  const may = (right: DeskRight) => isFrameShown && holdsRight(user.type, right)
  const open = useQuery({ ...openMismatchesQuery, enabled: may('money.read') })
  const deadLetters = useQuery({ ...deadLetterCountQuery, enabled: may('members.read') })
  const tickets = useQuery({ ...waitingTicketsQuery, enabled: may('members.read') })
  const requests = useQuery({ ...waitingRequestsQuery, enabled: may('members.read') })
  const setup = useQuery({ ...setupQuery, enabled: may('workspace.manage') })
  const { data: work } = useQuery({ ...waitingQuery, enabled: isFrameShown })
  const stuck: Record<string, number | undefined> = {
    '/deposits': work?.deposits?.stuck,
    '/withdrawals': work?.withdrawals?.stuck,
  }
  const waiting: Record<string, number | undefined> = {
    '/deposits': work?.deposits?.count,
    '/withdrawals': work?.withdrawals?.count,
    '/payments': work?.payments?.count,
    '/documents': work?.documents?.count,
    '/setup': setup.data?.filter(({ is_done }) => !is_done).length,
    '/tickets': tickets.data,
    '/requests': requests.data,
    '/reconciliation': open.data,
    '/mails': deadLetters.data,
  }
  return placesOf(user.type).map(({ places, ...group }) => ({
    ...group,
    places: places.map((place) => ({ ...place, waiting: waiting[place.to] ?? 0, stuck: stuck[place.to] ?? 0 })),
  }))
}
