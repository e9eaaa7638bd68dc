import { useQuery } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { rememberedBrand } from '../features/session/brand-memory.ts'
import { settingsQuery } from '../features/session/session.ts'
import { queryClient, Root } from '../ui/root.tsx'
import { router } from './routes.tsx'

const remembered = rememberedBrand()

export function App() {
  const settings = useQuery(settingsQuery, queryClient)
  const brand = settings.data?.brand ?? remembered
  // Only the very first visit waits for the brand; a page that changes its colour before one's eyes looks broken.
  if (!brand && settings.isPending) return null
  return (
    <Root accent={brand?.accent}>
      <RouterProvider router={router} />
    </Root>
  )
}
