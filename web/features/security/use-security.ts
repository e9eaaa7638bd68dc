import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useSecurityApi } from './security-api.tsx'

const securityKey = ['security'] as const

export function useSecurity() {
  const api = useSecurityApi()
  return useQuery({ queryKey: securityKey, queryFn: api.read })
}

/** Refetches after each change, which may also have signed out other devices. */
export function useSecurityRefresh(): () => Promise<void> {
  const queries = useQueryClient()
  return async () => {
    await queries.invalidateQueries({ queryKey: securityKey })
    await queries.invalidateQueries({ queryKey: ['own-sessions'] })
  }
}
