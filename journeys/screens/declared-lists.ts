import { addressOf, type DeskScreen } from '../../web/desk/screen.ts'

/** The import address is a variable, so that the type check of the journeys does not follow it into the pages. */
const declaration = new URL('../../web/desk/screens.ts', import.meta.url).href
const { screens } = (await import(declaration)) as { screens: Record<string, DeskScreen> }

/** A list that is a screen of the desk. */
export type DeskList = {
  /** The name of its call. */
  name: string
  /** Without optional parts. */
  address: string
  title: string
  /** The name of its search filter. */
  search: string | undefined
}

export const deskLists = Object.values(screens).flatMap(({ path, title, list }): DeskList[] => {
  if (!list) return []
  const search = Object.entries(list.filters).find(([, { kind }]) => kind === 'search')?.[0]
  return [{ name: list.name, address: addressOf({ path }), title, search }]
})
