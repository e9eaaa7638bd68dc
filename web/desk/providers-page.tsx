import { ProvidersDesk } from '../features/desk-providers/providers-desk.tsx'

export function ProvidersPage() {
  return <ProvidersDesk />
}
