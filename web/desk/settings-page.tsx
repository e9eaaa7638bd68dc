import { SettingsDesk } from '../features/desk-settings/settings-desk.tsx'

export function SettingsPage() {
  return <SettingsDesk />
}
