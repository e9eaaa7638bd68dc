import { Tooltip, VisuallyHidden } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../features/session/session.ts'
import { BrandLogo } from '../../ui/brand-logo.tsx'
import { useIsWide } from '../../ui/use-is-phone.ts'
import { isUnderFunds, type Place } from '../menu.ts'
import parts from './shell.module.css'

export function Sidebar({ places }: { places: Place[] }) {
  const { t } = useTranslation()
  const { brand } = useSession().settings
  const [isFoldedByChoice, setFolded] = useLocalStorage({
    key: 'atrium.sidebar-folded',
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  // Small desktops and tablets have no room for words beside the work, whatever was chosen on a large one.
  const isRoomy = useIsWide()
  const isFolded = isFoldedByChoice || !isRoomy
  const FoldIcon = isFolded ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse
  const foldLabel = isFolded ? t('Unfold the menu') : t('Fold the menu')
  return (
    <aside className={`${parts.sidebar} ${isFolded ? parts.folded : ''}`}>
      <Link to="/home" className={parts.brand} aria-label={brand.name}>
        <BrandLogo name={brand.name} logo={brand.logo_url} isFolded={isFolded} />
      </Link>
      <nav className={parts.menu} aria-label={t('Main menu')}>
        {places
          .filter((place) => !isUnderFunds(place))
          .map(({ to, label, icon: Icon }) => (
            <Tooltip key={to} label={t(label)} position="right" disabled={!isFolded}>
              <Link to={to} className={parts.entry} activeProps={{ className: parts.here, 'aria-current': 'page' }}>
                <Icon size={20} stroke={1.5} aria-hidden />
                {isFolded ? <VisuallyHidden>{t(label)}</VisuallyHidden> : t(label)}
              </Link>
            </Tooltip>
          ))}
      </nav>
      {isRoomy && (
        <div className={parts.foot}>
          <Tooltip label={foldLabel} position="right" disabled={!isFolded}>
            <button type="button" className={parts.entry} aria-label={foldLabel} onClick={() => setFolded(!isFolded)}>
              <FoldIcon size={20} stroke={1.5} aria-hidden />
              {!isFolded && t('Fold')}
            </button>
          </Tooltip>
        </div>
      )}
    </aside>
  )
}
