import { readIdentityCheck, startIdentityCheck } from '@atrium/contract/documents/identity.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/transport.ts'
import { refreshMs } from './use-documents.ts'

/** Shares the prefix of the documents' key, so that one event refetches both. */
const key = ['documents', 'identity-check']

/** Refetched like the documents, because the vendor's result arrives at any time. */
export const useIdentityCheck = () =>
  useQuery({ queryKey: key, queryFn: () => call(readIdentityCheck, {}), refetchInterval: refreshMs })

export function useStartIdentityCheck() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => call(startIdentityCheck, {}),
    onSettled: () => queries.invalidateQueries({ queryKey: key }),
  })
}
