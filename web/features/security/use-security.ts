import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useSecurityDoor } from './security-door.tsx'

const securityKey = ['security'] as const

export function useSecurity() {
  const door = useSecurityDoor()
  return useQuery({ queryKey: securityKey, queryFn: door.read })
}

/** Refetches after each change, which may also have signed out other devices. */
export function useSecurityRefresh(): () => Promise<void> {
  const queries = useQueryClient()
  return async () => {
    await queries.invalidateQueries({ queryKey: securityKey })
    await queries.invalidateQueries({ queryKey: ['own-sessions'] })
  }
}
