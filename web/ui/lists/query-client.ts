import { QueryClient } from '@tanstack/react-query'

/** Only transient failures of queries are retried, never mutations; the user can retry with the button. */
const isPassing = (error: unknown) => error instanceof Error && 'isPassing' in error && error.isPassing === true

/** The only query client of each app (`query-client.test.ts`): its mutation settings apply everywhere. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => failures < 1 && isPassing(error),
      refetchOnWindowFocus: true,
    },
    // By default, TanStack Query pauses an offline mutation and runs it once the network is back, whatever page is then open.
    mutations: { networkMode: 'always', retry: false },
  },
})
