import { VisuallyHidden } from '@mantine/core'
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand, type IconProps } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ComponentType, ReactNode } from 'react'
import { useTranslation } from '../text/use-translation.ts'
import { Tooltip } from '../tooltip/tooltip.tsx'
import frame from './frame.module.css'
import type { Collapsed } from './use-collapsed.ts'

type Place = {
  to: string
  label: string
  icon: ComponentType<IconProps>
  /** The number of waiting items. */
  waiting?: number
  /** The number of waiting items that need a person. */
  stuck?: number
}
export type MenuGroup = { label?: string; places: Place[] }

/** Counts are capped here. */
const waitingCountedMax = 1_000

/** The menu with labels or, collapsed, with icons and tooltips. */
export function CollapsibleSidebar({
  head,
  groups,
  collapsed,
}: {
  head: ReactNode
  groups: MenuGroup[]
  collapsed: Collapsed
}) {
  const { t } = useTranslation()
  const { isCollapsed, isRoomy, toggle } = collapsed
  const ToggleIcon = isCollapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse
  const toggleLabel = isCollapsed ? t('Expand the menu') : t('Collapse the menu')
  return (
    <aside className={`${frame.sidebar} ${isCollapsed ? frame.collapsed : ''}`}>
      {head}
      <MenuOfPlaces groups={groups} isCollapsed={isCollapsed} />
      {isRoomy && (
        <div className={frame.foot}>
          <Tooltip label={toggleLabel} side="after" isOnFocus isOff={!isCollapsed}>
            <button type="button" className={frame.entry} aria-label={toggleLabel} onClick={toggle}>
              <ToggleIcon size={20} stroke={1.5} aria-hidden />
              {!isCollapsed && t('Collapse')}
            </button>
          </Tooltip>
        </div>
      )}
    </aside>
  )
}

export function MenuOfPlaces({ groups, isCollapsed }: { groups: MenuGroup[]; isCollapsed: boolean }) {
  const { t } = useTranslation()
  return (
    <nav className={frame.menu} aria-label={t('Main menu')}>
      {groups.map(({ label, places }, index) => (
        <section key={label ?? index} className={frame.group} aria-label={label && t(label)}>
          {label && !isCollapsed && groups.length > 1 && <h2 className={frame.groupTitle}>{t(label)}</h2>}
          {places.map(({ to, label: name, icon: Icon, waiting = 0, stuck = 0 }) => (
            <Tooltip key={to} label={t(name)} side="after" isOnFocus isOff={!isCollapsed}>
              <Link to={to} className={frame.entry} activeProps={{ className: frame.here, 'aria-current': 'page' }}>
                <Icon size={20} stroke={1.5} aria-hidden />
                {isCollapsed ? <VisuallyHidden>{t(name)}</VisuallyHidden> : t(name)}
                {waiting > 0 && (
                  <span className={`${frame.waiting} ${stuck > 0 ? frame.stuck : ''}`}>
                    {waiting >= waitingCountedMax ? `${waitingCountedMax - 1}+` : waiting}
                    {stuck > 0 && <VisuallyHidden>{t('{{count}} stuck', { count: stuck })}</VisuallyHidden>}
                  </span>
                )}
              </Link>
            </Tooltip>
          ))}
        </section>
      ))}
    </nav>
  )
}
