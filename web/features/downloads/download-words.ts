import type { DownloadSystem } from '@atrium/contract/downloads.ts'
import {
  IconBrandAndroid,
  IconBrandApple,
  IconBrandFinder,
  IconBrandWindows,
  IconDeviceDesktop,
  IconWorld,
} from '@tabler/icons-react'

/** What a download runs on, in words and as a picture. */
const systems: Record<DownloadSystem, { label: string; icon: typeof IconWorld }> = {
  windows: { label: 'Windows', icon: IconBrandWindows },
  'mac-os': { label: 'macOS', icon: IconBrandFinder },
  android: { label: 'Android', icon: IconBrandAndroid },
  ios: { label: 'iOS', icon: IconBrandApple },
  web: { label: 'Web', icon: IconWorld },
}

export const wordsOfSystem = (system: string): { label: string; icon: typeof IconWorld } =>
  systems[system as DownloadSystem] ?? { label: system, icon: IconDeviceDesktop }
