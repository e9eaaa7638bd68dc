import { Link, type LinkProps } from '@tanstack/react-router'
import { bringIntoView } from '../layout/bring-into-view.ts'
import { useTranslation } from '../text/use-translation.ts'
import parts from './tabs.module.css'

export type Tab<Name extends string = string> = { name: Name; label: string; count?: number }

type TabsProps<Name extends string> = {
  label: string
  tabs: readonly Tab<Name>[]
  chosen: Name | undefined
  /** The address of a tab. */
  placeOf: (name: Name) => Pick<LinkProps, 'to' | 'params' | 'search'>
  /** For a row that may be wider than a phone: scrolls to the chosen tab. */
  isWide?: boolean
}

/** The parts of a page as tabs, each with an address of its own. */
export function Tabs<Name extends string>({ label, tabs, chosen, placeOf, isWide = false }: TabsProps<Name>) {
  const { t } = useTranslation()
  return (
    <nav className={parts.tabs} aria-label={label}>
      {tabs.map(({ name, label, count }) => (
        <Link
          key={name}
          ref={isWide && name === chosen ? bringIntoView : undefined}
          {...placeOf(name)}
          className={`${parts.tab} ${name === chosen ? parts.here : ''}`}
          aria-current={name === chosen ? 'page' : undefined}
        >
          {t(label)}
          {count !== undefined && <span className={parts.count}>{count}</span>}
        </Link>
      ))}
    </nav>
  )
}
