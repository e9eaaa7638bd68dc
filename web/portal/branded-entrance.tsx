import type { ComponentProps } from 'react'
import { useBrand } from '../features/session/use-brand.ts'
import { Entrance } from './entrance.tsx'

export function BrandedEntrance(props: Omit<ComponentProps<typeof Entrance>, 'brand'>) {
  return <Entrance brand={useBrand()} {...props} />
}
