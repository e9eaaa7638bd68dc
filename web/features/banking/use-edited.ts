import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../../api/api-error.ts'

/**
 * An account for its form, read once, when the form opens; null for a new one, or if the server is of the previous version and
 * cannot return all of it. Without an answer there is an error instead: a form without the revision could overwrite newer values.
 */
export function useEdited<Row extends { _id: string }>(name: string, id: string | null, read: () => Promise<Row[]>) {
  const query = useQuery({
    queryKey: [name, id],
    enabled: id !== null,
    retry: false,
    gcTime: 0,
    // Reading it again would take the form away, for example when the member comes back from the app of their bank.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    queryFn: async () => (await read().catch(noneIfRefused)).find(({ _id }) => _id === id) ?? null,
  })
  /** What has been saved since; null if it cannot be read. */
  const readAgain = async (): Promise<Row | null> => {
    const { data: newer, error } = await query.refetch()
    return error ? null : (newer ?? null)
  }
  return {
    edited: query.data ?? null,
    isLoading: id !== null && query.isPending,
    error: query.isLoadingError ? query.error : null,
    refetch: query.refetch,
    readAgain,
  }
}

/** A process of the previous version answers without data, which has no status of its own, to fields that it does not know. */
function noneIfRefused(error: unknown): never[] {
  if (error instanceof ApiError && error.isPassing && (error.code !== 'fault' || error.status > 0)) throw error
  return []
}
