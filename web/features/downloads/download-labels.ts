import type { DownloadSystem } from '@atrium/contract/downloads/downloads.ts'
import { IconDeviceDesktop, IconDeviceLaptop, IconDeviceMobile, IconWorld } from '@tabler/icons-react'

/** Label and icon of each system; generic device icons, because system logos are trademarks. */
const systems: Record<DownloadSystem, { label: string; icon: typeof IconWorld }> = {
  windows: { label: 'Windows', icon: IconDeviceDesktop },
  'mac-os': { label: 'macOS', icon: IconDeviceLaptop },
  android: { label: 'Android', icon: IconDeviceMobile },
  ios: { label: 'iOS', icon: IconDeviceMobile },
  web: { label: 'Web', icon: IconWorld },
}

export const systemLabel = (system: string): { label: string; icon: typeof IconWorld } =>
  systems[system as DownloadSystem] ?? { label: system, icon: IconDeviceDesktop }
