/** What a download runs on, in the order in which they are shown. */
export const downloadSystems = ['windows', 'mac-os', 'android', 'ios', 'web'] as const
export type DownloadSystem = (typeof downloadSystems)[number]
