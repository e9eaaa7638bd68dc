import type { CallAnswer } from '@atrium/contract/call.ts'
import {
  deadLetterCalls,
  leaveMail,
  tryAllMailsAgain,
  tryMailAgain,
} from '@atrium/contract/notifications/dead-letters.ts'
import { mailsList } from '@atrium/contract/notifications/desk-list.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { listSource } from '../../api/list-source.ts'
import { call } from '../../api/transport.ts'

export type MailsAnswer = CallAnswer<typeof deadLetterCalls.list>
export type DeadLetter = MailsAnswer['mails'][number]

export const mails = listSource(mailsList, deadLetterCalls)

const countedAgainMs = 60_000

/** The count of open dead letters, for the menu. */
export const deadLetterCountQuery = queryOptions({
  queryKey: [mails.key, 'count'],
  queryFn: async () => (await call(deadLetterCalls.list, { limit: 1 }, { isQuiet: true })).total,
  staleTime: countedAgainMs,
  refetchInterval: countedAgainMs,
})

/** Refetches the list after every outcome, because a colleague may have acted first. */
export function useRetry(id: string) {
  const queries = useQueryClient()
  const onSettled = () => queries.invalidateQueries({ queryKey: [mails.key] })
  const again = useMutation({ mutationFn: () => call(tryMailAgain, { id }), onSettled })
  const leave = useMutation({ mutationFn: () => call(leaveMail, { id }), onSettled })
  return { again, leave }
}

/** Sends batch after batch until all emails that waited at the start are retried. Returns their number. */
export function useTryingAll() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ q }: { q: string | undefined }) => {
      let tried = 0
      let batch = await call(tryAllMailsAgain, { q })
      for (;;) {
        tried += batch.tried
        if (!batch.more) return tried
        batch = await call(tryAllMailsAgain, { q, until: batch.until })
      }
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [mails.key] }),
  })
}
