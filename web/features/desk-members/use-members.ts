import type { Call, CallAnswer, CallInput } from '@atrium/contract/call.ts'
import * as desk from '@atrium/contract/members/desk-calls.ts'
import { membersList } from '@atrium/contract/members/desk-list.ts'
import { listMemberTerms } from '@atrium/contract/terms/desk-calls.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { listSource } from '../../api/list-source.ts'
import { call } from '../../api/transport.ts'

export type MemberRow = CallAnswer<typeof desk.deskMemberCalls.list>['members'][number]
export type DeskMember = CallAnswer<typeof desk.readMember>['member']

const oneKey = 'desk-member'
const sessionsKey = 'desk-member-sessions'

export type MembersAnswer = CallAnswer<typeof desk.deskMemberCalls.list>
export const members = listSource(membersList, desk.deskMemberCalls)

export const memberQuery = (id: string) =>
  queryOptions({
    queryKey: [oneKey, id],
    queryFn: async () => (await call(desk.readMember, { id })).member,
    staleTime: 5_000,
  })

export const sessionsQuery = (id: string) =>
  queryOptions({
    queryKey: [sessionsKey, id],
    queryFn: async () => (await call(desk.listMemberSessions, { id })).sessions,
    staleTime: 5_000,
  })

export const termsQuery = (id: string) =>
  queryOptions({
    queryKey: ['desk-member-terms', id],
    queryFn: async () => (await call(listMemberTerms, { id })).terms,
    staleTime: 5_000,
  })

export const salesPeopleQuery = (q: string) =>
  queryOptions({
    queryKey: ['desk-sales-people', q],
    queryFn: async () => (await call(desk.listSalesPeople, q === '' ? {} : { q })).sales_people,
    placeholderData: keepPreviousData,
    staleTime: 5_000,
  })

export function useInvite() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (input: CallInput<typeof desk.inviteMember>) => (await call(desk.inviteMember, input)).member,
    onSettled: () => queries.invalidateQueries({ queryKey: [members.key] }),
  })
}

/** One staff action on a member. Refetches the member after every outcome. */
export function useMemberAct<C extends Call>(definition: C, id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (input: Omit<CallInput<C> & object, 'id'>) =>
      call(definition, { ...input, id } as unknown as CallInput<C>),
    onSettled: async () => {
      await queryClient.invalidateQueries({ queryKey: [oneKey, id] })
      for (const queryKey of [[sessionsKey, id], [members.key], ['desk-audit']])
        queryClient.invalidateQueries({ queryKey })
    },
  })
}
