import { limits } from '@atrium/contract/limits.ts'
import {
  type EndedOpening,
  listOpenings,
  type OpenedAccount,
  type OpeningUnderWay,
} from '@atrium/contract/openings/calls.ts'
import type { AccountKind } from '@atrium/contract/openings/states.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../api/transport.ts'
import { rememberWatched, watchedBefore } from './watched-before.ts'

export const openingsKey = ['openings'] as const

/** The member's openings, polled until they end; also after a reload. */
export function useOpenings() {
  return useQuery({
    queryKey: openingsKey,
    queryFn: () => call(listOpenings, {}, { isQuiet: true }),
    refetchInterval: ({ state }) => (state.data?.openings.length ? limits.openingPollMs : false),
  })
}

export type Watched =
  | { phase: 'none' }
  | { phase: 'under-way'; opening: OpeningUnderWay }
  | { phase: 'opened'; account: OpenedAccount }
  | { phase: 'not-opened' }

type Listed = { openings: OpeningUnderWay[]; ended: EndedOpening[] }

/** The state of the opening that this page started or first saw in progress, also after a reload. */
export function useWatched(kind: AccountKind, listed: Listed | undefined, begunId: string | null): Watched {
  const [seenId, setSeenId] = useState<string | null>(null)
  const current = listed?.openings.find((opening) => opening.kind === kind)
  const newestId = current?._id ?? begunId
  if (newestId !== null && newestId !== seenId) setSeenId(newestId)
  const [before] = useState(() => watchedBefore(kind))
  const watched = stateOf(listed, current, newestId ?? seenId ?? endedSince(listed, kind, before))
  const underWayId = watched.phase === 'under-way' ? watched.opening._id : null
  useEffect(() => rememberWatched(kind, underWayId), [kind, underWayId])
  return watched
}

/** The watched opening once it has ended; null for one that is not in the list. */
export function endedSince(listed: Listed | undefined, kind: AccountKind, before: string | null): string | null {
  return listed?.ended.find((ended) => ended._id === before && ended.kind === kind)?._id ?? null
}

export function stateOf(
  listed: Listed | undefined,
  current: OpeningUnderWay | undefined,
  watchedId: string | null,
): Watched {
  if (current) return { phase: 'under-way', opening: current }
  if (watchedId === null || !listed) return { phase: 'none' }
  const account = listed.ended.find(({ _id }) => _id === watchedId)?.trading_account
  return account ? { phase: 'opened', account } : { phase: 'not-opened' }
}
