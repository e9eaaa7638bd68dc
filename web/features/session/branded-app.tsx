import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { type AnyRouter, RouterProvider } from '@tanstack/react-router'
import { Root } from '../../ui/layout/root.tsx'
import { queryClient } from '../../ui/lists/query-client.ts'
import { rememberedBrand } from './brand-memory.ts'
import { settingsQuery } from './settings-query.ts'

const remembered = rememberedBrand()

/** An app in the brokerage's colours. */
export function BrandedApp({ router }: { router: AnyRouter }) {
  const settings = useQuery(settingsQuery, queryClient)
  const brand = settings.data?.brand ?? remembered
  // Only the first visit waits for the brand, so that the colours do not change after the first paint.
  if (!brand && settings.isPending) return null
  return (
    <Root accent={brand?.accent}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </Root>
  )
}
