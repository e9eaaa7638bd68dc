import { PlatformDesk } from '../features/desk-platforms/platform-desk.tsx'

export function PlatformsPage() {
  return <PlatformDesk />
}
