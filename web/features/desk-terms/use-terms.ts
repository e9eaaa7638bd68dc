import type { CallAnswer } from '@atrium/contract/call.ts'
import { acceptancesList } from '@atrium/contract/terms/acceptances-list.ts'
import * as desk from '@atrium/contract/terms/desk-calls.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { listSource } from '../../api/list-source.ts'
import { call } from '../../api/transport.ts'

export type TermsRow = CallAnswer<typeof desk.listDeskTerms>['terms'][number]

const listKey = ['desk-terms']
const oneName = 'desk-terms-one'
const oneKey = (id: string) => [oneName, id]

export const termsListQuery = queryOptions({
  queryKey: listKey,
  queryFn: async () => (await call(desk.listDeskTerms, {})).terms,
  staleTime: 5_000,
})

/** Not refetched automatically, because staff may be editing it. */
export const termsOneQuery = (id: string) =>
  queryOptions({
    queryKey: oneKey(id),
    queryFn: async () => (await call(desk.readDeskTerms, { id })).terms,
    staleTime: 5_000,
    refetchOnWindowFocus: false,
  })

export type AcceptancesAnswer = CallAnswer<typeof desk.acceptanceCalls.list>
export type Acceptance = AcceptancesAnswer['acceptances'][number]

export const acceptancesOf = (id: string) =>
  listSource(acceptancesList, desk.acceptanceCalls, { fixed: { id }, isSelectable: false })

type SavedTerms = { terms: desk.DeskTerms }

/** Each call returns the updated terms, which all screens then show. */
function useTermsAct<Input>(act: (input: Input) => Promise<SavedTerms>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: ({ terms }) => {
      queries.setQueryData(oneKey(terms._id), terms)
      for (const queryKey of [listKey, ['desk-audit'], ['desk-member-terms']]) queries.invalidateQueries({ queryKey })
    },
    // A colleague may have changed them: without this, the same revision would be published, and refused, again.
    onError: () => queries.invalidateQueries({ queryKey: [oneName] }),
  })
}

type Written = { _id?: string | undefined; revision: number; text: desk.TermsText }

/** The first save creates the terms. */
export const useSaveTerms = () =>
  useTermsAct(({ _id, revision, text }: Written) =>
    _id ? call(desk.saveTerms, { ...text, id: _id, revision }) : call(desk.createTerms, text),
  )

export const usePublishTerms = (id: string) =>
  useTermsAct((input: { revision: number; asks_again: boolean }) => call(desk.publishTerms, { ...input, id }))

export const useRetireTerms = (id: string) => useTermsAct((_: null) => call(desk.retireTerms, { id }))

const idsOf = (rows: TermsRow[]) => rows.map(({ _id }) => _id)

/** Reorders the list optimistically; a refusal restores the old order. */
export function useOrderTerms() {
  const queries = useQueryClient()
  return useMutation({
    // One after the other: each names the order that the one before it made.
    scope: { id: 'order-terms' },
    mutationFn: ({ rows, seen }: { rows: TermsRow[]; seen: TermsRow[] }) =>
      call(desk.orderTerms, { ids: idsOf(rows), seen: idsOf(seen) }),
    onMutate: ({ rows }) => queries.setQueryData(listKey, rows),
    onSettled: () => queries.invalidateQueries({ queryKey: listKey }),
  })
}
