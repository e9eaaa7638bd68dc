import { readWaiting } from '@atrium/contract/funding/desk-calls.ts'
import { holdsRight } from '@atrium/contract/staff/rights.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../api/transport.ts'
import { deadLetterCountQuery } from '../../features/desk-mails/use-mails.ts'
import { openMismatchesQuery } from '../../features/desk-reconciliation/use-reconciliation.ts'
import { waitingRequestsQuery } from '../../features/desk-requests/use-desk-requests.ts'
import { useDeskUser } from '../../features/desk-session/desk-session.ts'
import { setupQuery } from '../../features/desk-setup/use-setup.ts'
import { waitingTicketsQuery } from '../../features/desk-tickets/use-desk-tickets.ts'
import type { MenuGroup } from '../../ui/layout/folding-sidebar.tsx'
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
  const open = useQuery({ ...openMismatchesQuery, enabled: holdsRight(user.type, 'money.read') })
  const deadLetters = useQuery({ ...deadLetterCountQuery, enabled: holdsRight(user.type, 'members.read') })
  const tickets = useQuery({ ...waitingTicketsQuery, enabled: holdsRight(user.type, 'members.read') })
  const requests = useQuery({ ...waitingRequestsQuery, enabled: holdsRight(user.type, 'members.read') })
  const setup = useQuery({ ...setupQuery, enabled: holdsRight(user.type, 'workspace.manage') })
  const { data: work } = useQuery(waitingQuery)
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
