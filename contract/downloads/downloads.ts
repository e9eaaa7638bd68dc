/** Operating systems of downloads, in display order. */
export const downloadSystems = ['windows', 'mac-os', 'android', 'ios', 'web'] as const
export type DownloadSystem = (typeof downloadSystems)[number]
