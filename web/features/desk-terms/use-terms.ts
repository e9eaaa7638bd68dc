import type { CallAnswer } from '@atrium/contract/call.ts'
import * as desk from '@atrium/contract/terms/desk-calls.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/transport.ts'
import type { AcceptanceFilters } from './terms-search.ts'

export type TermsRow = CallAnswer<typeof desk.listDeskTerms>['terms'][number]

export type Acceptance = CallAnswer<typeof desk.listAcceptances>['acceptances'][number]

const listKey = ['desk-terms']
const oneKey = (id: string) => ['desk-terms-one', id]

export const termsListQuery = queryOptions({
  queryKey: listKey,
  queryFn: async () => (await call(desk.listDeskTerms, {})).terms,
  staleTime: 5_000,
})

/** Not asked for again by itself: somebody may be writing on it. */
export const termsOneQuery = (id: string) =>
  queryOptions({
    queryKey: oneKey(id),
    queryFn: async () => (await call(desk.readDeskTerms, { id })).terms,
    staleTime: 5_000,
    refetchOnWindowFocus: false,
  })

export const acceptancesPageSize = 25

export const acceptancesQuery = (id: string, { page = 1, ...filters }: AcceptanceFilters) =>
  queryOptions({
    queryKey: ['desk-terms-accepted', id, page, filters],
    queryFn: () => call(desk.listAcceptances, { ...filters, id, page, limit: acceptancesPageSize }),
    placeholderData: keepPreviousData,
    staleTime: 5_000,
  })

export const fetchAcceptancesTable = (id: string, { page: _, ...filters }: AcceptanceFilters) =>
  call(desk.exportAcceptances, { ...filters, id })

type Kept = { terms: desk.DeskTerms }

/** Each answers the template as it is then, which every screen about it shows at once. */
function useTermsAct<Input>(act: (input: Input) => Promise<Kept>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: ({ terms }) => {
      queries.setQueryData(oneKey(terms._id), terms)
      for (const queryKey of [listKey, ['desk-audit'], ['desk-member-terms']]) queries.invalidateQueries({ queryKey })
    },
  })
}

type Written = { _id?: string | undefined; revision: number; text: desk.TermsText }

/** The first save makes the template. */
export const useSaveTerms = () =>
  useTermsAct(({ _id, revision, text }: Written) =>
    _id ? call(desk.saveTerms, { ...text, id: _id, revision }) : call(desk.createTerms, text),
  )

export const usePublishTerms = (id: string) =>
  useTermsAct((input: { revision: number; asks_again: boolean }) => call(desk.publishTerms, { ...input, id }))

export const useRetireTerms = (id: string) => useTermsAct((_: null) => call(desk.retireTerms, { id }))

/** The list stands in the new order at once, and in the old one again if that was refused. */
export function useOrderTerms() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (rows: TermsRow[]) => call(desk.orderTerms, { ids: rows.map(({ _id }) => _id) }),
    onMutate: (rows) => queries.setQueryData(listKey, rows),
    onSettled: () => queries.invalidateQueries({ queryKey: listKey }),
  })
}
