import type { CallAnswer, CallInput } from '@atrium/contract/call.ts'
import * as desk from '@atrium/contract/documents/desk-calls.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/transport.ts'

export type AllCategories = CallAnswer<typeof desk.listDeskCategories>
export type CategoryFields = Omit<CallInput<typeof desk.changeFileCategory>, 'id' | 'seen'>

const key = ['desk-file-categories']

export const categoriesQuery = queryOptions({
  queryKey: key,
  queryFn: () => call(desk.listDeskCategories, {}),
})

export type CategoryChange =
  | { do: 'add'; set: string | null; fields: CategoryFields }
  | { do: 'change'; id: string; seen: string | undefined; fields: CategoryFields }
  | { do: 'archive'; id: string; archived: boolean }
  | { do: 'order'; set: string | null; ids: string[]; seen: string[] }
  | { do: 'add-set'; name: string }
  | { do: 'change-set'; id: string; seen: string | undefined; name: string; archived: boolean }

function send(wanted: CategoryChange): Promise<AllCategories> {
  switch (wanted.do) {
    case 'add':
      return call(desk.addFileCategory, { kyc_category_id: wanted.set, ...wanted.fields })
    case 'change':
      return call(desk.changeFileCategory, { id: wanted.id, seen: wanted.seen, ...wanted.fields })
    case 'archive':
      return call(desk.archiveFileCategory, { id: wanted.id, archived: wanted.archived })
    case 'order':
      return call(desk.orderFileCategories, { kyc_category_id: wanted.set, ids: wanted.ids, seen: wanted.seen })
    case 'add-set':
      return call(desk.addKycCategory, { name: wanted.name })
    case 'change-set':
      return call(desk.changeKycCategory, {
        id: wanted.id,
        seen: wanted.seen,
        name: wanted.name,
        archived: wanted.archived,
      })
  }
}

/** Every change returns the full current state. */
export function useCategoryChange() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: (all) => queries.setQueryData(key, all),
    onError: () => queries.invalidateQueries({ queryKey: key }),
  })
}
