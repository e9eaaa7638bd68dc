import { type DeskRight, holdsRight } from '@atrium/contract/staff/rights.ts'
import { addressOf, type DeskScreen, type MenuEntry } from './screen.ts'
import { screens } from './screens.ts'

export type Place = Required<MenuEntry> & { to: string; right: DeskRight }

export type PlaceGroup = { label: string; places: Place[] }

const places = Object.values<DeskScreen>(screens).flatMap(({ path, title, right, menu }): Place[] =>
  menu && right ? [{ label: title, ...menu, to: addressOf({ path }), right }] : [],
)

/** The entries of the navigation that the role may open. */
export function placesOf(role: string): PlaceGroup[] {
  const open = places.filter(({ right }) => holdsRight(role, right))
  return [...Map.groupBy(open, ({ group }) => group)].map(([label, each]) => ({ label, places: each }))
}
