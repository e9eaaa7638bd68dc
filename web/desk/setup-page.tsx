import { SetupDesk } from '../features/desk-setup/setup-desk.tsx'

export function SetupPage() {
  return <SetupDesk />
}
