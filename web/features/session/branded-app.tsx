import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { type AnyRouter, RouterProvider } from '@tanstack/react-router'
import { Root } from '../../ui/layout/root.tsx'
import { queryClient } from '../../ui/lists/query-client.ts'
import { rememberedBrand } from './brand-memory.ts'
import { settingsQuery } from './session.ts'

const remembered = rememberedBrand()

/** An app in the colours of its brokerage. */
export function BrandedApp({ router }: { router: AnyRouter }) {
  const settings = useQuery(settingsQuery, queryClient)
  const brand = settings.data?.brand ?? remembered
  // Only the very first visit waits for the brand; a page that changes its colour before one's eyes looks broken.
  if (!brand && settings.isPending) return null
  return (
    <Root accent={brand?.accent}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </Root>
  )
}
