import { isTimeZone } from '@atrium/contract/languages.ts'

/** Zones that Chromium lists under their former names in the time zone database; Firefox lists the new ones. */
const renamed = new Map([
  ['Africa/Asmera', 'Africa/Asmara'],
  ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['America/Catamarca', 'America/Argentina/Catamarca'],
  ['America/Coral_Harbour', 'America/Atikokan'],
  ['America/Cordoba', 'America/Argentina/Cordoba'],
  ['America/Godthab', 'America/Nuuk'],
  ['America/Indianapolis', 'America/Indiana/Indianapolis'],
  ['America/Jujuy', 'America/Argentina/Jujuy'],
  ['America/Louisville', 'America/Kentucky/Louisville'],
  ['America/Mendoza', 'America/Argentina/Mendoza'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Asia/Katmandu', 'Asia/Kathmandu'],
  ['Asia/Rangoon', 'Asia/Yangon'],
  ['Asia/Saigon', 'Asia/Ho_Chi_Minh'],
  ['Atlantic/Faeroe', 'Atlantic/Faroe'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['Pacific/Enderbury', 'Pacific/Kanton'],
  ['Pacific/Ponape', 'Pacific/Pohnpei'],
  ['Pacific/Truk', 'Pacific/Chuuk'],
])

/** The current name of a zone, unless this browser's time zone database is too old to know it. */
export function currentZoneName(zone: string): string {
  const name = renamed.get(zone)
  return name !== undefined && isTimeZone(name) ? name : zone
}

/**
 * The same choices in every browser, although browsers list different zones: some list UTC or bare offsets, some use
 * former names. Includes `stored` even if this browser does not list it.
 */
export function timeZoneChoices(stored: string | null, listed = Intl.supportedValuesOf('timeZone')): string[] {
  const places = listed.filter((zone) => !zone.startsWith('Etc/')).map(currentZoneName)
  const all = new Set(['UTC', ...places.toSorted()])
  if (stored !== null) all.add(currentZoneName(stored))
  return [...all]
}
