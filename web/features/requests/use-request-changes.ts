import type { CallInput } from '@atrium/contract/call.ts'
import { changeRequestStatus, sendRequest } from '@atrium/contract/requests/calls.ts'
import { requestTexts } from '@atrium/contract/requests/texts.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/transport.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { requestsKey } from './use-rejected.ts'
import type { OfferedType, OneRequest } from './use-requests.ts'

const cancelledToastMs = 10_000

/** The profile and the home page also list requests. */
const placesWithThem = [requestsKey[0], 'profile'] as const

export function useRefreshRequests() {
  const queries = useQueryClient()
  return () => Promise.all(placesWithThem.map((name) => queries.invalidateQueries({ queryKey: [name] })))
}

type Sending = CallInput<typeof sendRequest>['form_submit']
type Asked = { type: Pick<OfferedType, '_id' | 'name' | 'description'>; customer: string }

/** Sends a request with the subject and description of its type, so the member enters neither. */
export function useSending({ type, customer }: Asked) {
  const { t } = useTranslation()
  const refresh = useRefreshRequests()
  return async (form_submit: Sending) => {
    const { request, msg } = await call(sendRequest, {
      request: { request_type: type._id, subject: type.name, description: type.description },
      form_submit,
      customer,
    })
    toast.done(msg.map((line) => t(line)).join(' '))
    void refresh()
    return request
  }
}

export function useCancelling({ _id }: Pick<OneRequest, '_id'>) {
  const { t } = useTranslation()
  const refresh = useRefreshRequests()
  return useMutation({
    mutationFn: (comment: string) => call(changeRequestStatus, { _id, new_status: 'canceled', comment }),
    onSuccess: () => toast.done(t(requestTexts.cancelled), cancelledToastMs),
    onSettled: () => refresh(),
  })
}
