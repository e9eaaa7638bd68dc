import type { ListDeclaration } from '@atrium/contract/list.ts'
import type { DeskRight } from '@atrium/contract/staff/rights.ts'
import type { IconProps } from '@tabler/icons-react'
import type { ComponentType, ReactNode } from 'react'

/** A screen of the desk behind the sign-in: its route, its entry in the navigation and its states in the journeys follow from it. */
export type DeskScreen = {
  path: string
  /** Its heading. */
  title: string
  /** Without this right its entry is hidden and its route is refused. */
  right?: DeskRight
  /** The list whose filters and page are the query parameters. */
  list?: ListDeclaration
  /** Reads other query parameters. */
  readSearch?: (search: Record<string, unknown>) => object
  menu?: MenuEntry
  page: ScreenPage
}

/** The address without optional parts: `/deposits/{-$depositId}` → `/deposits`. */
export const addressOf = ({ path }: Pick<DeskScreen, 'path'>): string => path.replace(/\/\{-\$.*$/, '')

export type MenuEntry = {
  group: 'Work' | 'Brokerage'
  icon: ComponentType<IconProps>
  /** The second key of the shortcut: `g d` opens the deposits. */
  key: string
  /** Defaults to the title. */
  label?: string
}

export type PageComponent = (props: Record<string, boolean>) => ReactNode

export type ScreenPage = {
  load: () => Promise<{ default: PageComponent }>
  /** The rights that the page is told about, by its property. */
  rights?: Record<string, DeskRight>
}

type RightsOf<Page> = Page extends () => unknown
  ? []
  : Page extends (props: infer Props) => unknown
    ? [rights: { [Name in keyof Props]: DeskRight }]
    : never

/** The exported component of a module. Each of its properties is whether the user holds a right. */
export function pageOf<Module extends Record<string, unknown>, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
  ...[rights]: RightsOf<Module[Name]>
): ScreenPage {
  return { load: async () => ({ default: (await load())[name] as PageComponent }), ...(rights && { rights }) }
}
