import { readIdentityCheck, startIdentityCheck } from '@atrium/contract/documents/identity.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/transport.ts'
import { refreshMs } from './use-documents.ts'

/** Beside the documents by name as well: a notice of one reads both again. */
const key = ['documents', 'identity-check']

/** Looked at again like the documents: a vendor's word comes while nobody presses anything. */
export const useIdentityCheck = () =>
  useQuery({ queryKey: key, queryFn: () => call(readIdentityCheck, {}), refetchInterval: refreshMs })

export function useStartIdentityCheck() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => call(startIdentityCheck, {}),
    onSettled: () => queries.invalidateQueries({ queryKey: key }),
  })
}
