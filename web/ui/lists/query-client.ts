import { QueryClient } from '@tanstack/react-query'

/** Retries help only where nothing was refused, and never a change; a person may ask again with the button. */
const isPassing = (error: unknown) => error instanceof Error && 'isPassing' in error && error.isPassing === true

/** The one of each app (`query-client.test.ts`): what it says of changes holds for all of them. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => failures < 1 && isPassing(error),
      refetchOnWindowFocus: true,
    },
    // By default a change that is made offline is kept, and carried out once the network is back, on whatever page one is then.
    mutations: { networkMode: 'always', retry: false },
  },
})
