import { readIdentityCheck, startIdentityCheck } from '@atrium/contract/identity.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/transport.ts'

/** Beside the documents by name as well: a notice of one reads both again. */
const key = ['documents', 'identity-check']

export const useIdentityCheck = () => useQuery({ queryKey: key, queryFn: () => call(readIdentityCheck, {}) })

export function useStartIdentityCheck() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => call(startIdentityCheck, {}),
    onSettled: () => queries.invalidateQueries({ queryKey: key }),
  })
}
