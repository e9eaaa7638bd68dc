import type { CallAnswer } from '@atrium/contract/call.ts'
import {
  approveDeposit,
  deskDepositCalls,
  lookUpAgain,
  readDeposit,
  rejectDeposit,
  settleStuckDeposit,
} from '@atrium/contract/deposits/desk-calls.ts'
import { depositsList } from '@atrium/contract/funding/desk-list.ts'
import type { RejectionReason } from '@atrium/contract/funding/states.ts'
import type { StuckOutcomeSaid } from '@atrium/contract/funding/stuck-outcome.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { listSource } from '../../api/list-source.ts'
import { call } from '../../api/transport.ts'
import type { StuckOutcomeWord } from './stuck-outcome.tsx'

export type DepositsAnswer = CallAnswer<typeof deskDepositCalls.list>
export type DeskRow = DepositsAnswer['deposits'][number]
export type DeskDeposit = CallAnswer<typeof readDeposit>['deposit']

const queueRefreshMs = 5_000
const movingRefreshMs = 2_000

export const deposits = listSource(depositsList, deskDepositCalls, { refreshMs: () => queueRefreshMs })

const isMoving = (deposit: DeskDeposit | undefined) => deposit?.state === 'crediting' || deposit?.state === 'checking'

export const depositQuery = (id: string) =>
  queryOptions({
    queryKey: ['desk-deposit', id],
    queryFn: async () => (await call(readDeposit, { id })).deposit,
    staleTime: 2_000,
    refetchInterval: ({ state }) => (isMoving(state.data) ? movingRefreshMs : queueRefreshMs),
  })

/** True when the server reports a state that does not allow this, which an earlier attempt of the same form did not bring about. */
export const isConflicting = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 409 && error.code !== 'nonce_reused'

/** `seen`: the approvals that the page showed. */
export type Decision = { seen: number } & ({ do: 'approve' } | { do: 'reject'; reason: RejectionReason; note: string })

function send(id: string, decision: Decision, idempotency_key: string) {
  const keyed = { id, idempotency_key, seen: decision.seen }
  if (decision.do === 'approve') return call(approveDeposit, keyed)
  const { reason, note } = decision
  return call(rejectDeposit, { ...keyed, reason, ...(note === '' ? {} : { note }) })
}

/** Sends a decision with the idempotency key of its form. Refetches everything if it is refused or its outcome is unknown. */
export function useDecide() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async ({ id, decision, key }: { id: string; decision: Decision; key: string }) =>
      (await send(id, decision, key)).deposit,
    onSuccess: async (deposit) => {
      queryClient.setQueryData(depositQuery(deposit._id).queryKey, deposit)
      // A refetch that started before the decision would briefly put the deposit back into the queue.
      await queryClient.cancelQueries({ queryKey: [deposits.key] })
      queryClient.invalidateQueries({ queryKey: [deposits.key] })
    },
    onError: async (_error, { id }) => {
      queryClient.invalidateQueries({ queryKey: [deposits.key] })
      await queryClient.invalidateQueries({ queryKey: depositQuery(id).queryKey })
    },
  })
}

/** Restarts a stuck crediting. After a refusal or an unknown outcome it refetches the deposit. */
export function useLookUpAgain(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async () => (await call(lookUpAgain, { id })).deposit,
    onSuccess: (deposit) => queryClient.setQueryData(depositQuery(id).queryKey, deposit),
    onError: () => queryClient.invalidateQueries({ queryKey: depositQuery(id).queryKey }),
  })
}

/** Records the outcome of a crediting whose account was deleted on the platform. */
function useSettleStuck(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async ({ key: idempotency_key, ...word }: StuckOutcomeWord & { key: string }) =>
      (await call(settleStuckDeposit, { id, idempotency_key, ...word })).deposit,
    onSuccess: (deposit) => queryClient.setQueryData(depositQuery(id).queryKey, deposit),
    onError: () => queryClient.invalidateQueries({ queryKey: depositQuery(id).queryKey }),
  })
}

/** The dialog about a deleted account. It stays with the text typed in it when a colleague settles the outcome first. */
export function useSettling({ _id, crediting }: DeskDeposit) {
  const settle = useSettleStuck(_id)
  const [opened, setOpened] = useState<{ said: StuckOutcomeSaid } | null>(null)
  return {
    record: () => setOpened({ said: crediting?.outcome_said ?? null }),
    dialog: opened && {
      ...opened,
      send: async (word: StuckOutcomeWord & { key: string }) => ({
        isSettled: !(await settle.mutateAsync(word)).crediting?.account_gone,
      }),
      onClose: () => setOpened(null),
    },
  }
}
